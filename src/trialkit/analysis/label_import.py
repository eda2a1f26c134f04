"""Labels brought from CSVs into a run file.

Only the columns Scenario ID and Human Outcome must be there. What does not fit the run is refused, all of it at once,
and then nothing is written.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trialkit.errors import InputError
from trialkit.runfile import RecordedTrial, RunFile, write_labels
from trialkit.text.json import load
from trialkit.text.short import shown

from .results_csv import ResultRow, read_results

DEFAULT_ANNOTATOR = "human"
DRAWN_COLUMN = "Drawn"


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportedLabels:
    labels: int
    changed: int  # of them, those that took the place of another outcome or critique by the same annotator
    unlabelled: int  # rows without a Human Outcome


def import_labels(tables: Sequence[Path], run_path: Path, annotator: str = DEFAULT_ANNOTATOR) -> ImportedLabels:
    """Bring the Human columns of CSVs into the run file. A row's own Annotator counts before `annotator`."""
    with RunFile(run_path) as run:
        trials = {(trial.case_id, trial.number): trial for trial in run.trials()}
    read = [(table, row) for table in tables for row in read_results(table, needs=("Human Outcome",))]
    labelled = [(table, row) for table, row in read if row.human is not None]
    problems = [
        f"{table}:{row.line}: there is a Human Critique without a Human Outcome; write pass or fail beside it"
        for table, row in read
        if row.human is None and row.cell("Human Critique")
    ]
    problems += [f"{table}:{said}" for table, row in labelled if (said := _mismatch(row, trials))]
    problems += _two_sayings(labelled, annotator)
    if problems:
        listed = "\n".join(problems)
        raise InputError(f"{listed}\nnothing was imported into {run_path}")
    rows = [(trials[row.id, row.trial].id, row) for _, row in labelled]
    found = {(trial_id, label.annotator): label for trial_id, row in rows if (label := row.label(annotator))}
    before = {(trial.id, label.annotator): label for trial in trials.values() for label in trial.labels}
    write_labels(
        run_path,
        [(trial_id, label) for (trial_id, _), label in found.items()],
        {trial_id: row.cell(DRAWN_COLUMN) for trial_id, row in rows if row.cell(DRAWN_COLUMN)},
    )
    return ImportedLabels(
        labels=len(found),
        changed=sum(key in before and before[key] != label for key, label in found.items()),
        unlabelled=len(read) - len(labelled),
    )


def _two_sayings(labelled: Sequence[tuple[Path, ResultRow]], annotator: str) -> list[str]:
    """Of several tables: who says one thing in one and another in the other is perhaps two people."""
    seen: dict[tuple[str, int, str], tuple[Path, ResultRow]] = {}
    problems = []
    for table, row in labelled:
        who = row.annotator or annotator
        before, first = seen.setdefault((row.id, row.trial, who), (table, row))
        if (first.human, first.cell("Human Critique")) != (row.human, row.cell("Human Critique")):
            fix = "if these are two people's labels, import them one by one with --annotator"
            problems.append(
                f"{table}:{row.line}: {row.id} trial {row.trial} has another label by {who} than in"
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
    told = row.cell("Model Response")
    if told and load(told) != trial.output:
        wrong = "is not the run's, so the label judges another answer"
        return f"{row.line}: the Model Response of {row.id} trial {row.trial} {wrong}"
    return ""
