"""Draws the trials that people should label, into a CSV that `trialkit import` takes back."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from trialkit.errors import InputError
from trialkit.runfile import Label, RecordedTrial, RunFile, TrialResult
from trialkit.text.csvfile import write_rows
from trialkit.vocabulary import Case

from .align import RANDOM

Where = Literal["random", "disagree"]
#: Without it Excel takes a CSV for a Windows code page, and saves other answers than the run's, which are refused.
BYTE_ORDER_MARK = "\ufeff"
_LABEL_COLUMNS = ("Human Critique", "Human Outcome", "Annotator", "Drawn")


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet:
    """Trials to label. The judges' verdicts are not in it: who has seen them no longer judges for himself."""

    text: str
    drawn: int
    eligible: int


def draw_labels(run: RunFile, sample: int, where: Where = "random", seed: int | None = None) -> Sheet:
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
    rows = [_cells(cases[row.case_id], row, where) for row in chosen]
    columns = list(dict.fromkeys(name for row in rows for name in row if name not in _LABEL_COLUMNS))
    columns += _LABEL_COLUMNS
    text = write_rows(columns, [[row.get(column, "") for column in columns] for row in rows])
    return Sheet(text=BYTE_ORDER_MARK + text, drawn=len(chosen), eligible=len(eligible))


def _may_be_drawn(trial: TrialResult, where: Where) -> bool:
    if where == RANDOM:
        return not trial.labels or trial.drawn not in {"", RANDOM}
    return not trial.labels and _disputed(trial)


def _disputed(trial: TrialResult) -> bool:
    return len({said.outcome for said in trial.verdicts if said.outcome != "error"}) > 1


def _cells(case: Case, trial: RecordedTrial, where: Where) -> dict[str, str]:
    return {
        "Scenario ID": case.id,
        "Trial": str(trial.number),
        **_asked(case),
        **_answer(trial.output or {}),
        **_label(trial.labels),
        "Drawn": where,
    }


def _label(labels: Sequence[Label]) -> Mapping[str, str]:
    """What somebody has said of it already; the others' stay in the run."""
    if not labels:
        return {}
    first = labels[0]
    return {"Human Critique": first.critique, "Human Outcome": first.outcome, "Annotator": first.annotator}


def _asked(case: Case) -> Mapping[str, str]:
    """A scenario's own cells where it was read from a CSV, else its data."""
    raw = case.data.get("raw")
    if isinstance(raw, dict):
        return {name: str(cell) for name, cell in raw.items() if name != "Scenario ID"}
    return {"Description": case.title, "Case": json.dumps(case.data, ensure_ascii=False, indent=1)}


def _answer(output: Mapping[str, Any]) -> Mapping[str, str]:
    """A conversation for reading; anything else as JSON, which `trialkit import` checks against the run."""
    messages = output.get("messages")
    if isinstance(messages, list):
        return {"Conversation": _conversation(messages)}
    return {"Model Response": json.dumps(output, ensure_ascii=False)}


def _conversation(messages: Sequence[Mapping[str, Any]]) -> str:
    lines = []
    for message in messages:
        calls = [f"calls {call.get('name')}({call.get('arguments')})" for call in message.get("tool_calls") or ()]
        said = [message.get("content") or "", *calls]
        lines.append(f"{message.get('role')}: " + "\n".join(part for part in said if part))
    return "\n\n".join(lines)
