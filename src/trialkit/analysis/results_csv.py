"""Results CSVs read back, as what came of a run's trials. A label sheet of any suite is such a CSV too."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from trialkit.errors import InputError
from trialkit.runfile import Label, ShortVerdict, TrialResult
from trialkit.suites import Suite, suite_names, suite_of
from trialkit.text.csvfile import KEY_COLUMN, CsvRow, read_table
from trialkit.text.sheet import (
    TRIAL_COLUMN,
    RowReader,
    read_human_outcome,
    read_outcome,
    read_score,
    read_trial,
    readers_of,
    refuse_problems,
)
from trialkit.vocabulary import Case, Outcome

_OUTCOMES: Mapping[str, Outcome] = {"pass": "pass", "fail": "fail", "error": "error"}


class ResultRow(RowReader):
    """What one row says: a verdict, a label, or both."""

    def __init__(self, path: Path, columns: Sequence[str], row: CsvRow) -> None:
        super().__init__(path, columns, row)
        if not self.id and self.whole:
            self.problems.append(f"{self.where}: the Scenario ID is empty")
        outcome, human = self.get("Model Outcome", read_outcome), self.get("Human Outcome", read_human_outcome)
        self.outcome, self.human = outcome, human
        self.score = self.get("Human Score", read_score)
        self.trial = self.get(TRIAL_COLUMN, read_trial) or 1
        self.annotator = self.cell("Annotator")

    def label(self, annotator: str, *, scored: bool = False) -> Label | None:
        """What a person says; `annotator` is who, where the row does not tell."""
        who, critique = self.annotator or annotator, self.cell("Human Critique")
        if scored:
            told = self.score is not None
            return Label(annotator=who, outcome="scored", critique=critique, score=self.score) if told else None
        return None if self.human is None else Label(annotator=who, outcome=self.human, critique=critique)

    def cell(self, column: str) -> str:
        return self.cells.get(column, "").strip()


def read_results(path: Path, *, needs: Sequence[str]) -> list[ResultRow]:
    """The rows of a results CSV, as far as comparing takes them; InputError names all that is wrong."""
    table = read_table(path)
    missing = [name for name in (KEY_COLUMN, *needs) if name not in table.columns]
    if missing:
        raise InputError("\n".join(f'{path}:1: the column "{name}" is missing; give a results CSV' for name in missing))
    rows = readers_of(path, table, ResultRow)
    refuse_problems(table, rows, _twice(path, [row for row in rows if not row.problems]))
    return rows


def _twice(path: Path, rows: Sequence[ResultRow]) -> list[str]:
    seen: dict[tuple[str, int, str], int] = {}
    problems = []
    for row in rows:
        line = seen.setdefault((row.id, row.trial, row.annotator), row.line)
        if line != row.line:
            by = f" by {row.annotator}" if row.annotator else ""
            problems.append(f"{path}:{row.line}: {row.id} trial {row.trial}{by} stands on line {line} already")
    return problems


class ResultsCsv(NamedTuple):
    suite: Suite
    cases: Sequence[Case]
    trials: Sequence[TrialResult]
    of_answers: bool  # cost and time are those of the answers; else judging is in them


def read_results_csv(path: Path) -> ResultsCsv:
    rows = read_results(path, needs=("Model Outcome",))
    if not rows:
        raise InputError(f"{path}: there are no rows under the header")
    by_trial: defaultdict[tuple[str, int], list[ResultRow]] = defaultdict(list)
    for row in rows:
        by_trial[row.id, row.trial].append(row)
    first = {row.id: row.cells for row in reversed(rows)}
    suite, cases = _cases_of(path, [first[case_id] for case_id in dict.fromkeys(row.id for row in rows)])
    of_answers = "Answer Cost USD" in rows[0].cells
    trials = [_result(number, found, of_answers) for number, found in enumerate(by_trial.values(), start=1)]
    return ResultsCsv(suite, cases, trials, of_answers)


def _cases_of(path: Path, rows: Sequence[Mapping[str, str]]) -> tuple[Suite, Sequence[Case]]:
    """By the first row of each case."""
    for suite in map(suite_of, suite_names()):
        cases = [case for row in rows if (case := suite.row_case(row)) is not None]
        if len(cases) == len(rows):
            return suite, cases
    raise InputError(f"{path}: no suite here knows this CSV; give the run file")


def _result(number: int, rows: Sequence[ResultRow], of_answers: bool) -> TrialResult:
    """Of one trial; several annotators have a row each."""
    row = rows[0]
    verdicts = []
    if row.outcome is not None:
        verdicts.append(ShortVerdict(row.cell("Judge") or "csv", row.outcome, row.cell("Model Critique")))
    rules = _OUTCOMES.get(row.cell("Rules Outcome").lower())
    if rules is not None and row.cell("Judge") != "rules":
        verdicts.append(ShortVerdict("rules", rules, row.cell("Rules Critique")))
    which = "Answer " if of_answers else ""
    return TrialResult(
        id=number,
        case_id=row.id,
        number=row.trial,
        ended=row.outcome is not None or bool(row.cell("Model Response")),
        error=row.cell("Error") or None,
        decided=verdicts[0] if row.outcome is not None else None,
        verdicts=tuple(verdicts),
        labels=tuple(label for one in rows if (label := one.label("human")) is not None),
        drawn=row.cell("Drawn"),
        cost=_number(row.cell(f"{which}Cost USD")),
        seconds=_number(row.cell(f"{which}Latency s")) or None,
    )


def _number(cell: str) -> float | None:
    """An amount; None where it is none: `nan` and `inf` can be read as numbers, but not reckoned with."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if isfinite(value) and value >= 0 else None
