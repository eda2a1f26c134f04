"""What came of going on from a step: the chance to pass from there, and which step decided."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from trialkit.pages import Cell, Code, Count, Facts, Note, Page, Prose, Rate, Table
from trialkit.runfile import ModelInUse, RunFile
from trialkit.stats import Figure, chance, chance_difference
from trialkit.text.short import shortened

from .branch import Trunk
from .decisive import DecisiveStep, Outcomes
from .steps import TrialStep

if TYPE_CHECKING:
    from trialkit.pages import Part

_SIDE = 60


def arms_page(trunk: Trunk, step: TrialStep, runs: Sequence[RunFile], subject: str) -> Page:
    """The first is the control."""
    figures = [_figure(run) for run in runs]
    rows = tuple(
        (
            "control" if not place else "branch",
            Code(_model(run.models(), subject)),
            Count(sum(row.outcome == "pass" for row in run.trials(answers=False))),
            Count(figure.n),
            Rate(figure, short=True),
        )
        for place, (run, figure) in enumerate(zip(runs, figures, strict=True))
    )
    told = f"Before step {step.number} the chance to pass is {Rate(figures[0])}"
    parts: list[Part] = [Note(text=f"{told} as it was.", strong=True)]
    if len(figures) > 1:
        moved = _points(chance_difference(figures[0], figures[1]))
        parts = [Note(text=f"{told}; what was changed moves it by {moved} points.", strong=True)]
    columns = ("Arm", "Model on trial", "Passed", "Of", "Chance to pass")
    parts += [Facts(rows=(("step", _said(step)),)), Table(title="From here", columns=columns, rows=rows, note=_NOTE)]
    return Page(title=f"{_trial(trunk)}, from step {step.number}", parts=tuple(parts))


def decision_page(
    trunk: Trunk, moves: Sequence[TrialStep], tried: Mapping[int, Outcomes], decision: DecisiveStep, subject: str
) -> Page:
    rows: list[tuple[Cell | str, ...]] = []
    for step in moves:
        if step.number in tried:
            outcomes = tried[step.number]
            rows.append((Count(step.number), Count(outcomes.passed), Count(outcomes.n), _chance(outcomes), _said(step)))
    columns = ("Step", "Passed", "Of", "Chance before it", f"What the {subject} did then")
    parts: list[Part] = [Note(text=_told(decision, moves), strong=True)]
    parts.append(Table(title="Steps that were tried", columns=columns, rows=tuple(rows), note=_NOTE))
    return Page(title=f"{_trial(trunk)}: the decisive step", parts=tuple(parts))


_NOTE = (
    "Trials that go on from the same state are independent of each other: Wilson's interval, and Newcombe's of a"
    " difference. They tell of this state alone."
)


def _told(decision: DecisiveStep, moves: Sequence[TrialStep]) -> str:
    if decision.step is None or decision.falls is None:
        return "No step decided: with what was tried the chance to pass falls nowhere, or was never there."
    step = next(one for one in moves if one.number == decision.step)
    falls = decision.falls
    sure = falls.high is not None and falls.high < 0
    doubt = "" if sure else " That is not distinguishable from noise yet; more --trials tell."
    return f"Step {step.number} decided: by it the chance to pass moves by {_points(falls)} points.{doubt}"


def _points(moved: Figure) -> str:
    if moved.value is None or moved.low is None or moved.high is None:
        return "an unknown number of"
    return f"{100 * moved.value:+.0f} [{100 * moved.low:+.0f}, {100 * moved.high:+.0f}]"


def _figure(run: RunFile) -> Figure:
    outcomes = [row.outcome for row in run.trials(answers=False) if row.outcome in {"pass", "fail"}]
    return chance(outcomes.count("pass"), len(outcomes))


def _chance(outcomes: Outcomes) -> Cell:
    return Rate(outcomes.figure, short=True)


def _model(models: Sequence[ModelInUse], subject: str) -> str:
    return next((model.name for model in models if model.role == subject), "")


def _trial(trunk: Trunk) -> str:
    return f"{trunk.trial.case_id}/{trunk.trial.number}"


def _said(step: TrialStep) -> Cell:
    calls = [f"{use.name} {use.arguments}" for use in step.uses]
    return Prose(shortened(" · ".join([*filter(None, [step.text]), *calls]), 2 * _SIDE), lines=2)
