"""The report as Markdown, for a pull request or a wiki."""

from collections.abc import Iterator

from trialkit.suites import Section
from trialkit.text import dollars, number, one_line, rate, seconds

from ._summary import CaseSummary, Summary

_LONGEST = 200


def markdown_report(summary: Summary) -> str:
    info = summary.info
    judged = summary.passed + summary.failed
    facts = [
        ("Pass rate", f"**{summary.passed}/{judged} = {rate(summary.pass_rate)}**" if judged else "no verdicts"),
        *((f"{group}", rate(figure)) for group, figure in summary.groups.items() if judged and len(summary.groups) > 1),
        *((f"pass^{k}", rate(one)) for k, one in enumerate(summary.pass_hat_k, start=1) if len(summary.pass_hat_k) > 1),
        *([("Average reward", number(summary.average_reward))] if summary.average_reward else []),
        ("Errors", str(summary.errors)),
        ("Not run", str(summary.open)),
        ("Cost", dollars(summary.cost.value)),
        ("Time", seconds(info.wall_s)),
        *((f"Model: {model.role}", f"`{model.name}`") for model in summary.models),
        *((f"Prompt: {prompt.role}", f"{prompt.version} (`{prompt.hash[:12]}`)") for prompt in summary.prompts),
    ]
    lines = [f"## {_cell(info.suite)}: {_cell(info.subject)}", "", "| | |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in facts]
    lines += ["", "| Case | Type | Passed | Critique |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(_row(one))} |" for one in summary.cases]
    for section in summary.details.sections:
        lines += _section(section)
    return "\n".join(lines) + "\n"


def _row(one: CaseSummary) -> list[str]:
    passed = f"{one.count('pass')}/{len(one.verdicts)}"
    if errors := one.count("error"):
        passed += f" (+{errors} error)"
    telling = next((trial for trial in one.trials if trial.outcome != "pass"), one.trials[0])
    critique = telling.decided.critique if telling.decided else telling.error or ""
    return [_cell(one.case.id), _cell(one.case.group), passed, _cell(critique)]


def _section(section: Section) -> Iterator[str]:
    yield from ("", f"### {_cell(section.title)}", "")
    yield f"| {' | '.join(map(_cell, section.columns))} |"
    yield "|---" * len(section.columns) + "|"
    yield from (f"| {' | '.join(map(_cell, row))} |" for row in section.rows)
    if section.note:
        yield from ("", _cell(section.note))


def _cell(text: str) -> str:
    """A model's words must not become markup or break the table."""
    line = one_line(text)
    line = line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
    for character in "\\`*_[]<>|#":
        line = line.replace(character, f"\\{character}")
    return line
