"""A report format: what did not pass as annotations, which GitHub shows beside the pull request that CI ran for."""

from trialkit import Format, RunFile
from trialkit.analysis import summarize


def annotations(run: RunFile) -> str:
    summary = summarize(run)
    headline = summary.headline
    lines = [_line("notice", summary.info.suite, f"{headline.measure.mean_name} {headline.figure.value}")]
    for one in summary.cases:
        for trial in one.trials:
            if trial.outcome in {"fail", "error"}:
                said = trial.decided.critique if trial.decided else trial.error or ""
                lines.append(_line("error", f"{one.case.id} trial {trial.number}: {trial.outcome}", said))
    return "\n".join(lines) + "\n"


def _line(kind: str, title: str, text: str) -> str:
    return f"::{kind} title={_escaped(title).replace(':', '%3A').replace(',', '%2C')}::{_escaped(text)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


GITHUB = Format(suffix=".txt", write=annotations)
