"""What golden data, results and label sheets have in common: how a row is read, and some of its cells."""

from collections.abc import Callable, Collection, Sequence
from math import isfinite, nan
from pathlib import Path
from typing import Literal, TypeVar, cast

from trialkit.errors import InputError
from trialkit.vocabulary import Outcome

from .csvfile import KEY_COLUMN, CsvRow, CsvTable
from .short import shortened, shown

TRIAL_COLUMN = "Trial"
T = TypeVar("T")


class RowReader:
    """Reads one row, gathering its problems instead of stopping at the first."""

    def __init__(self, path: Path, columns: Sequence[str], row: CsvRow) -> None:
        self.line = row.line
        self.problems: list[str] = []
        self.where = f"{path}:{row.line}"
        self.cells = dict(zip(columns, row.cells, strict=False))
        self.id = self.cells.get(KEY_COLUMN, "").strip()
        self.whole = len(row.cells) == len(columns)
        if not self.whole:
            size = f"the row has {len(row.cells)} cells, the header names {len(columns)} columns"
            self.problems.append(f"{self.where}: {size}; quote cells that hold a comma, and write empty ones too")

    def problem(self, column: str, wrong: str) -> None:
        value = shortened(self.cells[column]) or "(empty)"
        self.problems.append(f"{self.where}: column {shown(column)}: value {value}: {wrong}")

    def get(self, column: str, read: Callable[[str], T]) -> T | None:
        """None as well where the file has no such column."""
        try:
            return read(self.cells[column]) if column in self.cells else None
        except ValueError as error:
            self.problem(column, str(error))
            return None


R = TypeVar("R", bound=RowReader)


def readers_of(path: Path, table: CsvTable, reader: type[R]) -> list[R]:
    """For each row that is not empty."""
    filled = [row for row in table.rows if any(cell.strip() for cell in row.cells)]
    return [reader(path, table.columns, row) for row in filled]


def refuse_problems(table: CsvTable, readers: Sequence[RowReader], more: Sequence[str] = ()) -> None:
    """InputError names all that is wrong, one problem per line."""
    problems = [problem for reader in readers for problem in reader.problems] + list(more)
    problems += [table.broken] if table.broken else []
    if problems:
        raise InputError("\n".join(problems))


def read_trial(cell: str) -> int:
    word = cell.strip()
    # Longer digits would be no trial's number, and int() refuses them past a limit of its own.
    if not (word.isascii() and word.isdigit() and len(word) <= 9 and int(word)):
        raise ValueError("must be a whole number, 1 or more; write the trial's number, or remove the column Trial")
    return int(word)


def read_outcome(cell: str) -> Outcome | None:
    return cast("Outcome | None", _one_of(cell, ("pass", "fail", "error")))


def read_human_outcome(cell: str) -> Literal["pass", "fail", "unsure"] | None:
    return cast("Literal['pass', 'fail', 'unsure'] | None", _one_of(cell, ("pass", "fail", "unsure")))


def read_score(cell: str) -> float | None:
    try:
        value = float(cell) if cell.strip() else None
    except ValueError:
        value = nan
    if value is not None and not isfinite(value):
        raise ValueError("must be a number or empty")
    return value


def _one_of(cell: str, known: Collection[str]) -> str | None:
    word = cell.strip().lower()
    if word and word not in known:
        raise ValueError(f"must be {', '.join(known)} or empty; write one of them")
    return word or None
