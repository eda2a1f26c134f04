"""Results CSVs read back: verdicts and labels by scenario and trial, and labels brought into a run file.

A label sheet (`trialkit label`) of any suite is such a CSV too: only the columns Scenario ID and Human Outcome must be
there. What does not fit the run is refused, all of it at once, and then nothing is written.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from trialkit.errors import InputError
from trialkit.runfile import Label, RecordedTrial, RunFile, write_labels
from trialkit.suites.commodity import cells
from trialkit.suites.commodity.jsontext import shortened, shown
from trialkit.suites.commodity.scenarios import INPUT_COLUMNS, TRIAL_COLUMN
from trialkit.text.csvfile import Row, read_table
from trialkit.vocabulary import Outcome

DEFAULT_ANNOTATOR = "human"
ANNOTATOR_COLUMN = "Annotator"
DRAWN_COLUMN = "Drawn"
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class ResultRow:
    line: int
    case_id: str
    trial: int
    cells: Mapping[str, str]
    outcome: Outcome | None
    human: Literal["pass", "fail"] | None
    annotator: str

    def cell(self, column: str) -> str:
        return self.cells.get(column, "").strip()

    @property
    def tells_inputs(self) -> bool:
        """Whether the CSV has all that a scenario consists of."""
        return all(column in self.cells for column in INPUT_COLUMNS)

    @property
    def inputs(self) -> dict[str, str]:
        return {column: self.cells.get(column, "") for column in INPUT_COLUMNS}


def read_results(path: Path, *, needs: Sequence[str]) -> list[ResultRow]:
    """The rows of a results CSV, as far as comparing takes them; InputError names all that is wrong."""
    table = read_table(path)
    missing = [name for name in ("Scenario ID", *needs) if name not in table.columns]
    if missing:
        raise InputError("\n".join(f'{path}:1: the column "{name}" is missing; give a results CSV' for name in missing))
    filled = [row for row in table.rows if any(cell.strip() for cell in row.cells)]
    readers = [_Reader(path, table.columns, row) for row in filled]
    rows = [reader.read() for reader in readers]
    problems = [problem for reader in readers for problem in reader.problems]
    problems += _twice(path, [row for row in rows if row])
    if table.broken:
        problems.append(table.broken)
    if problems:
        raise InputError("\n".join(problems))
    return [row for row in rows if row]


class _Reader:
    def __init__(self, path: Path, columns: tuple[str, ...], row: Row) -> None:
        self.problems: list[str] = []
        self._where = f"{path}:{row.line}"
        self._line = row.line
        self._cells = dict(zip(columns, row.cells, strict=False))
        if len(row.cells) != len(columns):
            self.problems.append(f"{self._where}: the row has {len(row.cells)} cells, the header {len(columns)}")

    def _get(self, column: str, read: Callable[[str], T], otherwise: T) -> T:
        if column not in self._cells:
            return otherwise
        try:
            return read(self._cells[column])
        except ValueError as error:
            value = shortened(self._cells[column]) or "(empty)"
            self.problems.append(f"{self._where}: column {shown(column)}: value {value}: {error}")
            return otherwise

    def read(self) -> ResultRow | None:
        case_id = self._cells.get("Scenario ID", "").strip()
        if not case_id:
            self.problems.append(f"{self._where}: the Scenario ID is empty")
        outcome = self._get("Model Outcome", cells.read_outcome, None)
        human = self._get("Human Outcome", cells.read_human_outcome, None)
        trial = self._get(TRIAL_COLUMN, cells.read_trial, 1)
        if self.problems:
            return None
        return ResultRow(
            line=self._line,
            case_id=case_id,
            trial=trial,
            cells=self._cells,
            outcome=outcome,
            human=human,
            annotator=self._cells.get(ANNOTATOR_COLUMN, "").strip(),
        )


def _twice(path: Path, rows: Sequence[ResultRow]) -> list[str]:
    seen: dict[tuple[str, int, str], int] = {}
    problems = []
    for row in rows:
        line = seen.setdefault((row.case_id, row.trial, row.annotator), row.line)
        if line != row.line:
            by = f" by {row.annotator}" if row.annotator else ""
            problems.append(f"{path}:{row.line}: {row.case_id} trial {row.trial}{by} stands on line {line} already")
    return problems


@dataclass(frozen=True, kw_only=True, slots=True)
class Imported:
    labels: int
    changed: int  # of them, those that took the place of another outcome or critique by the same annotator
    unlabelled: int  # rows without a Human Outcome


def import_labels(tables: Sequence[Path], run_path: Path, annotator: str = DEFAULT_ANNOTATOR) -> Imported:
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
    rows = [(trials[row.case_id, row.trial].id, row) for _, row in labelled]
    found = {(trial_id, label.annotator): label for trial_id, row in rows if (label := _label(row, annotator))}
    before = {(trial.id, label.annotator): label for trial in trials.values() for label in trial.labels}
    write_labels(
        run_path,
        [(trial_id, label) for (trial_id, _), label in found.items()],
        {trial_id: row.cell(DRAWN_COLUMN) for trial_id, row in rows if row.cell(DRAWN_COLUMN)},
    )
    return Imported(
        labels=len(found),
        changed=sum(key in before and before[key] != label for key, label in found.items()),
        unlabelled=len(read) - len(labelled),
    )


def _label(row: ResultRow, annotator: str) -> Label | None:
    if row.human is None:
        return None
    return Label(annotator=row.annotator or annotator, outcome=row.human, critique=row.cell("Human Critique"))


def _two_sayings(labelled: Sequence[tuple[Path, ResultRow]], annotator: str) -> list[str]:
    """Of several tables: who says one thing in one and another in the other is perhaps two people."""
    seen: dict[tuple[str, int, str], tuple[Path, ResultRow]] = {}
    problems = []
    for table, row in labelled:
        who = row.annotator or annotator
        before, first = seen.setdefault((row.case_id, row.trial, who), (table, row))
        if (first.human, first.cell("Human Critique")) != (row.human, row.cell("Human Critique")):
            fix = "if these are two people's labels, import them one by one with --annotator"
            problems.append(
                f"{table}:{row.line}: {row.case_id} trial {row.trial} has another label by {who} than in"
                f" {before}:{first.line}; {fix}"
            )
    return problems


def _mismatch(row: ResultRow, trials: Mapping[tuple[str, int], RecordedTrial]) -> str:
    """What is wrong with a labelled row, from its line on; empty: nothing."""
    trial = trials.get((row.case_id, row.trial))
    if trial is None:
        numbers = sorted(number for case_id, number in trials if case_id == row.case_id)
        if not numbers:
            return f"{row.line}: the run has no scenario {shown(row.case_id)}"
        return f"{row.line}: {row.case_id} has no trial {row.trial}; the run's are {', '.join(map(str, numbers))}"
    if trial.output is None:
        return f"{row.line}: {row.case_id} trial {row.trial} has no answer in the run, so there is nothing to label"
    told = row.cell("Model Response")
    if told and not _same(told, trial.output):
        wrong = "is not the run's, so the label judges another answer"
        return f"{row.line}: the Model Response of {row.case_id} trial {row.trial} {wrong}"
    return ""


def _same(told: str, output: Mapping[str, Any]) -> bool:
    try:
        return bool(json.loads(told) == output)
    except ValueError:
        return False
