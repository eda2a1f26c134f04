"""Reads trials from a run file's tables: whole, or what came of them."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from trialkit.vocabulary import Verdict

from .columns import Columns, amount, known_amount, read_amounts
from .records import BY_VERDICT, RANDOM, Label, Mark, Remark
from .results import RecordedTrial, ShortVerdict, Spending, TrialResult
from .tables import LABELS, MARKS, REMARKS, SPENDING, TRIALS, VERDICTS
from .texts import whole_rows

#: Nothing is known of what a call that timed out took; of the others one that does not tell makes the sum unknown.
_SUMS = (
    "SELECT role, model, source, sum(calls) AS calls,"
    " CASE WHEN sum(input_told) = sum(calls - timeouts) AND sum(input_told) THEN sum(input_tokens) END AS input_tokens,"
    " CASE WHEN sum(output_told) = sum(calls - timeouts) AND sum(output_told) THEN sum(output_tokens) END"
    " AS output_tokens,"
    " CASE WHEN sum(priced) = sum(calls) THEN sum(cost) END AS cost, sum(latency_s) AS latency_s"
)

R = TypeVar("R")
_NO_SCORES: Mapping[str, float] = {}


class Which(NamedTuple):
    """Which trials, as a condition on their id; empty: all."""

    condition: str = ""
    values: tuple[int | str, ...] = ()

    def where(self, column: str = "trial_id") -> str:
        return f"{column} {self.condition}" if self.condition else "TRUE"


def read_rows(db: sqlite3.Connection, columns: Columns[R], rows: str, *values: int | str) -> list[R]:
    found = db.execute(f"SELECT {columns.names} FROM {rows}", values)
    return [columns.read(row) for row in whole_rows(db, found)]


def read_trials(db: sqlite3.Connection, which: Which, *, answers: bool = True) -> list[RecordedTrial]:
    names = TRIALS.names if answers else TRIALS.names.replace("output", "NULL")
    verdicts, decided = _verdicts(db, which)
    labels, marks = read_labels(db, which), _marks(db, which)
    remarks, spending = _remarks(db, which), _spending(db, which)
    rows = db.execute(f"SELECT {names} FROM trials WHERE {which.where('id')} ORDER BY id", which.values)
    return [
        TRIALS.read(
            row,
            decided=decided.get(row[0]),
            verdicts=tuple(verdicts[row[0]].values()),
            labels=tuple(labels[row[0]]),
            marks=tuple(marks[row[0]]),
            remarks=tuple(remarks[row[0]]),
            spending=tuple(spending[row[0], 0]),
            later=tuple(spending[row[0], 1]),
        )
        for row in whole_rows(db, rows)
    ]


def _verdicts(
    db: sqlite3.Connection, which: Which
) -> tuple[defaultdict[int, dict[str, Verdict]], Mapping[int, Verdict]]:
    """By trial the newest of each judge, and the one that decides."""
    found: defaultdict[int, dict[str, Verdict]] = defaultdict(dict)
    decided: dict[int, Verdict] = {}
    query = f"SELECT trial_id, decides, {VERDICTS.names} FROM verdicts WHERE {which.where()} ORDER BY id"
    for trial_id, decides, *row in db.execute(query, which.values):
        verdict = VERDICTS.read(row)
        found[trial_id][verdict.judge] = verdict
        if decides:
            decided[trial_id] = verdict
    return found, decided


def read_labels(db: sqlite3.Connection, which: Which) -> defaultdict[int, list[Label]]:
    found: defaultdict[int, list[Label]] = defaultdict(list)
    for trial_id, *row in db.execute(
        f"SELECT trial_id, {LABELS.names} FROM labels WHERE {which.where()}", which.values
    ):
        found[trial_id].append(LABELS.read(row))
    return found


def _marks(db: sqlite3.Connection, which: Which) -> defaultdict[int, list[Mark]]:
    found: defaultdict[int, list[Mark]] = defaultdict(list)
    query = f"SELECT trial_id, {MARKS.names} FROM marks WHERE {which.where()} ORDER BY trial_id, step, at"
    for trial_id, *row in db.execute(query, which.values):
        found[trial_id].append(MARKS.read(row))
    return found


def _remarks(db: sqlite3.Connection, which: Which) -> defaultdict[int, list[Remark]]:
    found: defaultdict[int, list[Remark]] = defaultdict(list)
    query = f"SELECT trial_id, {REMARKS.names} FROM remarks WHERE {which.where()} ORDER BY id"
    for trial_id, *row in db.execute(query, which.values):
        found[trial_id].append(REMARKS.read(row))
    return found


def _spending(db: sqlite3.Connection, which: Which) -> defaultdict[tuple[int, int], list[Spending]]:
    """By trial, and whether it had ended."""
    found: defaultdict[tuple[int, int], list[Spending]] = defaultdict(list)
    parts = "trial_id, role, model, source, phase = 'after'"
    query = f"{_SUMS}, trial_id, phase = 'after' FROM spending WHERE calls AND {which.where()} GROUP BY {parts}"
    for *row, trial_id, later in db.execute(query, which.values):
        found[trial_id, later].append(SPENDING.read(row))
    return found


def read_spending(db: sqlite3.Connection) -> tuple[Spending, ...]:
    query = f"{_SUMS} FROM spending WHERE calls AND phase != 'after' GROUP BY role, model, source"
    return tuple(SPENDING.read(row) for row in db.execute(query))


def read_results(db: sqlite3.Connection, which: Which, *, all_judges: bool) -> list[TrialResult]:
    said, decided = _short_verdicts(db, which, all_judges=all_judges)
    labels = {trial_id: tuple(found) for trial_id, found in read_labels(db, which).items()}
    drawn = _drawn(db, which)
    calls = (
        "SELECT trial_id, CASE WHEN sum(priced) = sum(calls) THEN sum(cost) END,"
        " CASE WHEN sum(source = 'cache') = 0 THEN sum(latency_s) END, min(source = 'cache')"
        f" FROM spending WHERE calls AND phase = 'attempt' AND {which.where()} GROUP BY trial_id"
    )
    spent = {
        trial_id: (known_amount(cost), known_amount(seconds), stored == 1)
        for trial_id, cost, seconds, stored in db.execute(calls, which.values)
    }
    # what an answer cost that was not given here, nobody here knows; one without model calls cost nothing
    trials = (
        "SELECT id, case_id, number, ended IS NOT NULL, error, CASE WHEN given = 0 THEN 0.0 END, elapsed_s"
        f" FROM trials WHERE {which.where('id')} ORDER BY id"
    )
    return [
        TrialResult(
            trial_id,
            case_id,
            int(number),
            ended == 1,
            error,
            decided.get(trial_id),
            tuple(said.get(trial_id, ())),
            labels.get(trial_id, ()),
            drawn.get(trial_id, ""),
            *spent.get(trial_id, (nothing, known_amount(elapsed_s or None), False)),
        )
        for trial_id, case_id, number, ended, error, nothing, elapsed_s in db.execute(trials, which.values)
    ]


def _short_verdicts(
    db: sqlite3.Connection, which: Which, *, all_judges: bool
) -> tuple[Mapping[int, list[ShortVerdict]], Mapping[int, ShortVerdict]]:
    said: defaultdict[int, list[ShortVerdict]] = defaultdict(list)
    decided: dict[int, ShortVerdict] = {}
    query = (
        "SELECT trial_id, decides, judge, outcome, critique, score, nullif(scores, '{}') FROM verdicts"
        f" WHERE {which.where()}{'' if all_judges else ' AND decides'} ORDER BY id"
    )
    for trial_id, decides, judge, outcome, critique, score, scores in db.execute(query, which.values):
        worth = known_amount(score)
        verdict = ShortVerdict(judge, outcome, critique, worth, _NO_SCORES if scores is None else read_amounts(scores))
        said[trial_id].append(verdict)
        if decides:
            decided[trial_id] = verdict
    if all_judges:
        rejudged = f"SELECT trial_id, data FROM remarks WHERE kind = 'rejudged' AND {which.where()} ORDER BY id"
        for trial_id, data in db.execute(rejudged, which.values):
            said[trial_id] += [_later(one) for one in json.loads(data)["verdicts"]]
    return said, decided


def _later(data: Mapping[str, Any]) -> ShortVerdict:
    score, scores = data["score"], {name: amount(value) for name, value in (data.get("scores") or {}).items()}
    worth = known_amount(score)
    return ShortVerdict(data["judge"], data["outcome"], data["critique"], worth, scores, later=True)


def _drawn(db: sqlite3.Connection, which: Which) -> Mapping[int, str]:
    """Drawn at random once, a trial is in a random sample, whatever it was picked for besides."""
    rank = dict.fromkeys(BY_VERDICT, 1) | {RANDOM: 2}
    drawn: dict[int, str] = {}
    query = f"SELECT trial_id, data FROM remarks WHERE kind = 'drawn' AND {which.where()} ORDER BY id"
    for trial_id, data in db.execute(query, which.values):
        how = json.loads(data)["how"]
        if rank.get(how, 0) >= rank.get(drawn.get(trial_id, ""), 0):
            drawn[trial_id] = how
    return drawn
