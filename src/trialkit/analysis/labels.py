"""Draws the trials that people should label, into a CSV that `trialkit import` takes back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from trialkit.errors import InputError
from trialkit.runfile import Label, RecordedTrial, RunFile, TrialResult
from trialkit.suites import Suite, suite_of
from trialkit.text.csvfile import KEY_COLUMN, write_rows
from trialkit.text.sheet import TRIAL_COLUMN
from trialkit.vocabulary import Case

from .align import RANDOM

Sampling = Literal["random", "disagree"]
#: Without it Excel takes a CSV for a Windows code page, and saves other answers than the run's, which are refused.
BYTE_ORDER_MARK = "\ufeff"
_LABEL_COLUMNS = ("Human Critique", "Human Outcome", "Annotator", "Drawn")


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet:
    """Trials to label. The judges' verdicts are not in it: who has seen them no longer judges for himself."""

    text: str
    drawn: int
    eligible: int


def draw_labels(run: RunFile, sample: int, where: Sampling = "random", seed: int | None = None) -> Sheet:
    """`random`: every answered trial has the same chance, but for those of an earlier random sample. A trial that was
    labelled when hunting is drawn with its label: to leave such trials out would bend the sample.

    `disagree`: only trials on which judges contradict each other or themselves; good for hunting, bad for rates.
    """
    results = {trial.id: trial for trial in run.results()}
    cases = {case.id: case for case in run.cases()}
    answered = [row for row in run.trials() if row.ended and row.output is not None]
    eligible = [row for row in answered if _may_be_drawn(results[row.id], where)]
    if not eligible:
        none_left = (
            "every answered trial has a label" if where == RANDOM else "the judges agree on all that is unlabelled"
        )
        raise InputError(f"{run.path}: there is nothing to draw: {none_left}")
    chosen = Random(seed).sample(eligible, min(sample, len(eligible)))  # noqa: S311 - a sample, not a secret
    suite = suite_of(run.info().suite)
    rows = [_cells(suite, cases[row.case_id], row, where) for row in chosen]
    columns = list(dict.fromkeys(name for row in rows for name in row if name not in _LABEL_COLUMNS))
    columns += _LABEL_COLUMNS
    text = write_rows(columns, [[row.get(column, "") for column in columns] for row in rows])
    return Sheet(text=BYTE_ORDER_MARK + text, drawn=len(chosen), eligible=len(eligible))


def _may_be_drawn(trial: TrialResult, where: Sampling) -> bool:
    if where == RANDOM:
        return not trial.labels or trial.drawn not in {"", RANDOM}
    return not trial.labels and _disputed(trial)


def _disputed(trial: TrialResult) -> bool:
    verdicts = [verdict for verdict in trial.verdicts if verdict.outcome != "error"]
    return len({verdict.score if verdict.outcome == "scored" else verdict.outcome for verdict in verdicts}) > 1


def _cells(suite: Suite, case: Case, trial: RecordedTrial, where: Sampling) -> dict[str, str]:
    return {
        KEY_COLUMN: case.id,
        TRIAL_COLUMN: str(trial.number),
        **suite.label_row(case, trial),
        **_label(trial.labels),
        "Drawn": where,
    }


def _label(labels: Sequence[Label]) -> Mapping[str, str]:
    """What somebody has said of it already; the others' stay in the run."""
    if not labels:
        return {}
    first = labels[0]
    return {"Human Critique": first.critique, "Human Outcome": first.outcome, "Annotator": first.annotator}
