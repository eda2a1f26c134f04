"""Trials to label as a CSV, and what people wrote into it brought back into the run file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trialkit.errors import InputError
from trialkit.runfile import Label, RecordedTrial, RunFile, leading, write_labels
from trialkit.suites import Suite, hash_of, suite_in
from trialkit.text.csvfile import KEY_COLUMN, write_rows
from trialkit.text.json import load
from trialkit.text.sheet import TRIAL_COLUMN
from trialkit.text.short import shown
from trialkit.vocabulary import Case, Measure

from .draw import Sampling, draw_trials
from .results_csv import ResultRow, read_results

#: Without it Excel takes a CSV for a Windows code page, and saves other answers than the run's, which are refused.
BYTE_ORDER_MARK = "\ufeff"
#: Of the answer that is labelled: a sheet may show it in other words than it was given.
_HASH_COLUMN = "Answer Hash"
_LABEL_COLUMNS = ("Measure", "Human Critique", "Human Outcome", "Human Score", "Annotator", "Drawn")


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet:
    """Trials to label. The judges' verdicts are not in it: who has seen them no longer judges for himself."""

    text: str
    drawn: int
    eligible: int
    column: str  # which people fill in …
    measure: Measure  # … and with what


def label_column(measure: Measure) -> str:
    """Which people fill in."""
    return "Human Outcome" if measure.kind == "pass" else "Human Score"


def _blank(measure: Measure) -> dict[str, str]:
    """The cells of a label. What the scores are stands in each row: a sheet is read far from the run."""
    told = {} if measure.kind == "pass" else {"Measure": str(measure)}
    return told | dict.fromkeys(("Human Critique", label_column(measure), "Annotator"), "")


def draw_labels(
    run: RunFile, sample: int, where: Sampling = "random", seed: int | None = None, *, per_stratum: bool = False
) -> Sheet:
    """As `draw_trials` draws them."""
    draw = draw_trials(run, sample, where, seed, per_stratum=per_stratum)
    info, cases = run.info(), {case.id: case for case in run.cases()}
    suite, measure = suite_in(info), info.measures[0]
    rows = [_blank(measure) | _cells(suite, cases[row.case_id], row, how) for row, how in draw.trials]
    columns = list(dict.fromkeys(name for row in rows for name in row if name not in _LABEL_COLUMNS))
    columns += [name for name in _LABEL_COLUMNS if name in rows[0]]
    text = write_rows(columns, [[row.get(column, "") for column in columns] for row in rows])
    return Sheet(
        text=BYTE_ORDER_MARK + text,
        drawn=len(rows),
        eligible=draw.eligible,
        column=label_column(measure),
        measure=measure,
    )


def _cells(suite: Suite, case: Case, trial: RecordedTrial, drawn: str) -> dict[str, str]:
    return {
        KEY_COLUMN: case.id,
        TRIAL_COLUMN: str(trial.number),
        **suite.label_row(case, trial),
        _HASH_COLUMN: _answer_hash(trial),
        **_label(trial.labels),
        "Drawn": drawn,
    }


def _answer_hash(trial: RecordedTrial) -> str:
    """With a word before it, or a spreadsheet takes one such as 12e4567 for a number."""
    return f"sha256:{hash_of(trial.output)[:16]}"


def _label(labels: Sequence[Label]) -> Mapping[str, str]:
    """What somebody has said of it already; the others' stay in the run."""
    first = leading(labels)
    if first is None:
        return {}
    said = {"Human Outcome": first.outcome} if first.score is None else {"Human Score": f"{first.score:g}"}
    return {"Human Critique": first.critique, "Annotator": first.annotator, **said}


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportedLabels:
    labels: int
    changed: int  # of them, those that took the place of another outcome or critique by the same annotator
    unlabelled: int  # rows without one


def import_labels(tables: Sequence[Path], run_path: Path, annotator: str = "human") -> ImportedLabels:
    """Bring the Human columns of CSVs into the run file. A row's own Annotator counts before `annotator`.

    Only the columns Scenario ID and Human Outcome, or Human Score where trials are scored, must be there. What does not
    fit the run is refused, all of it at once, and then nothing is written.
    """
    with RunFile(run_path) as run:
        trials, measure = {(trial.case_id, trial.number): trial for trial in run.trials()}, run.info().measures[0]
    column = label_column(measure)
    read = [
        (table, row, row.label(annotator, scored=measure.kind == "score"))
        for table in tables
        for row in read_results(table, needs=(column,))
    ]
    labelled = [(table, row, label) for table, row, label in read if label is not None]
    problems = [
        f"{table}:{row.line}: there is a Human Critique without a {column}; write"
        f" {'pass, fail or unsure' if measure.kind == 'pass' else measure} beside it"
        for table, row, label in read
        if label is None and row.cell("Human Critique")
    ]
    for table, row, label in labelled:
        if label.score is not None and not measure.holds(label.score):
            problems.append(f"{table}:{row.line}: the {column} {label.score:g} is none of {measure}; write one that is")
        elif said := _mismatch(row, trials):
            problems.append(f"{table}:{said}")
    problems += _two_sayings(labelled)
    if problems:
        listed = "\n".join(problems)
        raise InputError(f"{listed}\nnothing was imported into {run_path}")
    rows = [(trials[row.id, row.trial].id, row, label) for _, row, label in labelled]
    found = {(trial_id, label.annotator): label for trial_id, _, label in rows}
    before = {
        (trial.id, label.annotator): label for trial in trials.values() for label in trial.labels if not label.settles
    }
    write_labels(
        run_path,
        [(trial_id, label) for (trial_id, _), label in found.items()],
        {trial_id: row.cell("Drawn") for trial_id, row, _ in rows if row.cell("Drawn")},
    )
    return ImportedLabels(
        labels=len(found),
        changed=sum(key in before and before[key] != label for key, label in found.items()),
        unlabelled=len(read) - len(labelled),
    )


def _two_sayings(labelled: Sequence[tuple[Path, ResultRow, Label]]) -> list[str]:
    """Of several tables: who says one thing in one and another in the other is perhaps two people."""
    seen: dict[tuple[str, int, str], tuple[Path, ResultRow, Label]] = {}
    problems = []
    for table, row, label in labelled:
        before, first, other = seen.setdefault((row.id, row.trial, label.annotator), (table, row, label))
        if other != label:
            fix = "if these are two people's labels, import them one by one with --annotator"
            problems.append(
                f"{table}:{row.line}: {row.id} trial {row.trial} has another label by {label.annotator} than in"
                f" {before}:{first.line}; {fix}"
            )
    return problems


def _mismatch(row: ResultRow, trials: Mapping[tuple[str, int], RecordedTrial]) -> str:
    """What is wrong with a labelled row, from its line on; empty: nothing."""
    trial = trials.get((row.id, row.trial))
    if trial is None:
        numbers = sorted(number for case_id, number in trials if case_id == row.id)
        if not numbers:
            return f"{row.line}: the run has no scenario {shown(row.id)}"
        return f"{row.line}: {row.id} has no trial {row.trial}; the run's are {', '.join(map(str, numbers))}"
    if trial.output is None:
        return f"{row.line}: {row.id} trial {row.trial} has no answer in the run, so there is nothing to label"
    told, answer = row.cell("Model Response"), row.cell(_HASH_COLUMN)
    for column, another in (
        ("Model Response", told and load(told) != trial.output),
        (_HASH_COLUMN, answer and answer != _answer_hash(trial)),
    ):
        if another:
            wrong = "is not the run's, so the label judges another answer"
            return f"{row.line}: the {column} of {row.id} trial {row.trial} {wrong}"
    return ""
