"""Results CSVs read back: verdicts and labels by scenario and trial. A label sheet of any suite is such a CSV too."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from trialkit.errors import InputError
from trialkit.text.csvfile import KEY_COLUMN, CsvRow, read_table
from trialkit.text.sheet import TRIAL_COLUMN, read_human_outcome, read_outcome, read_trial
from trialkit.text.short import shortened, shown
from trialkit.vocabulary import Outcome

ANNOTATOR_COLUMN = "Annotator"
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


def read_results(path: Path, *, needs: Sequence[str]) -> list[ResultRow]:
    """The rows of a results CSV, as far as comparing takes them; InputError names all that is wrong."""
    table = read_table(path)
    missing = [name for name in (KEY_COLUMN, *needs) if name not in table.columns]
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
    def __init__(self, path: Path, columns: tuple[str, ...], row: CsvRow) -> None:
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
        case_id = self._cells.get(KEY_COLUMN, "").strip()
        if not case_id:
            self.problems.append(f"{self._where}: the Scenario ID is empty")
        outcome = self._get("Model Outcome", read_outcome, None)
        human = self._get("Human Outcome", read_human_outcome, None)
        trial = self._get(TRIAL_COLUMN, read_trial, 1)
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
