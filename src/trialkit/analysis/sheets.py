"""Results CSVs read back: verdicts and labels by scenario and trial. A label sheet of any suite is such a CSV too."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from trialkit.errors import InputError
from trialkit.text.csvfile import KEY_COLUMN, read_table
from trialkit.text.sheet import (
    TRIAL_COLUMN,
    RowReader,
    read_human_outcome,
    read_outcome,
    read_trial,
    readers_of,
    refuse_problems,
)
from trialkit.vocabulary import Outcome

ANNOTATOR_COLUMN = "Annotator"


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
    readers = readers_of(path, table, _ResultReader)
    rows = [row for reader in readers if (row := reader.read())]
    refuse_problems(table, readers, _twice(path, rows))
    return rows


class _ResultReader(RowReader):
    def read(self) -> ResultRow | None:
        if not self.id and self.whole:
            self.problems.append(f"{self.where}: the Scenario ID is empty")
        outcome = self.get("Model Outcome", read_outcome)
        human = self.get("Human Outcome", read_human_outcome)
        trial = self.get(TRIAL_COLUMN, read_trial)
        if self.problems:
            return None
        return ResultRow(
            line=self.line,
            case_id=self.id,
            trial=trial or 1,
            cells=self.cells,
            outcome=outcome,
            human=human,
            annotator=self.cells.get(ANNOTATOR_COLUMN, "").strip(),
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
