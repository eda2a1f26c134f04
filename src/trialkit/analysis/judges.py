"""The judges of a run, side by side, where there are no labels to hold them against."""

from collections.abc import Sequence

from trialkit.pages import Count, Note, Page, Rate, Table
from trialkit.runfile import TrialResult
from trialkit.stats import Figure, pass_rate, self_agreement

from .align import asked
from .loaded import LoadedRun, verdict_of


def judges_page(run: LoadedRun) -> Page:
    trials = run.trials
    names = dict.fromkeys(said.judge for trial in trials for said in trial.verdicts)
    rows = tuple(
        (
            name + (" *" if name in run.judges else ""),
            Count(sum(said.judge == name and said.outcome != "error" for trial in trials for said in trial.verdicts)),
            _rate(pass_rate(_verdicts(run, name))),
            _rate(None if name in run.judges else pass_rate(_agrees(run, name))),
            _rate(self_agreement([[asked(trial, name) for trial in case.trials] for case in run.cases.values()])),
        )
        for name in names
    )
    note = (
        "* decides. Same again: asked twice about an answer, it says the same twice."
        " Whether a judge is right only labels tell: trialkit label, then trialkit align"
    )
    columns = ("Judge", "Verdicts", "Pass rate", "As decided", "Same again")
    return Page(
        title=f"{run.suite}: judges of {run.path.name}",
        parts=(Table(title="Judges", columns=columns, rows=rows, note=note),)
        if rows
        else (Note(text="No judge has given a verdict."),),
    )


def _rate(figure: Figure | None) -> Rate:
    return Rate(figure, short=True, digits=0)


def _verdicts(run: LoadedRun, judge: str) -> list[list[bool]]:
    return [
        [said.outcome == "pass" for trial in case.trials if (said := verdict_of(trial, judge)) is not None]
        for case in run.cases.values()
    ]


def _agrees(run: LoadedRun, judge: str) -> list[list[bool]]:
    return [_with_decided(case.trials, judge) for case in run.cases.values()]


def _with_decided(trials: Sequence[TrialResult], judge: str) -> list[bool]:
    said = [(trial.outcome, verdict_of(trial, judge)) for trial in trials if trial.outcome in {"pass", "fail"}]
    return [decided == one.outcome for decided, one in said if one is not None]
