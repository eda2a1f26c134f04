"""A results CSV as what came of a run's trials."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path

from trialkit.errors import InputError
from trialkit.runfile import Label, ShortVerdict, TrialResult
from trialkit.suites import Suite, suite_names, suite_of
from trialkit.vocabulary import Case, Outcome

from .sheets import ResultRow, read_results

_OUTCOMES: Mapping[str, Outcome] = {"pass": "pass", "fail": "fail", "error": "error"}


def read_results_csv(path: Path) -> tuple[Suite, Sequence[Case], Sequence[TrialResult]]:
    """Whose it is, with the cases and trials in it."""
    rows = read_results(path, needs=("Model Outcome",))
    if not rows:
        raise InputError(f"{path}: there are no rows under the header")
    by_trial: defaultdict[tuple[str, int], list[ResultRow]] = defaultdict(list)
    for row in rows:
        by_trial[row.case_id, row.trial].append(row)
    first = {row.case_id: row.cells for row in reversed(rows)}
    suite, cases = _cases_of(path, [first[case_id] for case_id in dict.fromkeys(row.case_id for row in rows)])
    return suite, cases, [_result(number, found) for number, found in enumerate(by_trial.values(), start=1)]


def _cases_of(path: Path, rows: Sequence[Mapping[str, str]]) -> tuple[Suite, Sequence[Case]]:
    """By the first row of each case."""
    for suite in map(suite_of, suite_names()):
        cases = [case for row in rows if (case := suite.row_case(row)) is not None]
        if len(cases) == len(rows):
            return suite, cases
    raise InputError(f"{path}: no suite here knows this CSV; give the run file")


def _result(number: int, rows: Sequence[ResultRow]) -> TrialResult:
    """Of one trial; several annotators have a row each."""
    row = rows[0]
    verdicts = []
    if row.outcome is not None:
        verdicts.append(ShortVerdict(row.cell("Judge") or "csv", row.outcome, row.cell("Model Critique")))
    rules = _OUTCOMES.get(row.cell("Rules Outcome").lower())
    if rules is not None and row.cell("Judge") != "rules":
        verdicts.append(ShortVerdict("rules", rules, row.cell("Rules Critique")))
    return TrialResult(
        id=number,
        case_id=row.case_id,
        number=row.trial,
        ended=row.outcome is not None or bool(row.cell("Model Response")),
        error=row.cell("Error") or None,
        decided=verdicts[0] if row.outcome is not None else None,
        verdicts=tuple(verdicts),
        labels=tuple(
            Label(annotator=one.annotator or "human", outcome=one.human, critique=one.cell("Human Critique"))
            for one in rows
            if one.human is not None
        ),
        drawn=row.cell("Drawn"),
        cost=_number(row.cell("Cost USD")),
        seconds=_number(row.cell("Latency s")) or None,
    )


def _number(cell: str) -> float | None:
    """An amount; None where it is none: `nan` and `inf` can be read as numbers, but not reckoned with."""
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if isfinite(value) and value >= 0 else None
