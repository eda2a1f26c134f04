"""What is left of a run, read without what is not: of 10,000 trials that ended, none."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trialkit.vocabulary import Case

from .columns import amount
from .records import CallRecord
from .results import RecordedTrial
from .tables import CALLS, CASES
from .trial_rows import Which, read_rows, read_trials

SESSIONS = (
    "SELECT count(DISTINCT (SELECT max(id) FROM sessions WHERE sessions.started <= trials.ended))"
    " FROM trials WHERE ended IS NOT NULL"
)
_OPEN = Which("IN (SELECT id FROM trials WHERE ended IS NULL)")
#: What was asked after a trial's end is no part of the run.
_PART = "phase != 'after'"
_UNPRICED = (
    "source = 'live' AND cost IS NULL AND (reply IS NOT NULL OR input_tokens IS NOT NULL OR error_kind = 'timeout')"
)


class Remainder(NamedTuple):
    trials: Sequence[RecordedTrial]  # that have not ended
    cases: Mapping[str, Case]  # of these
    calls: Sequence[CallRecord]  # of these that were answered
    dearest: Mapping[str, float]  # by role, of all calls, the most that one has cost
    unpriced: Mapping[str, int]  # by role, the attempts of calls of which nobody knows what they cost


def read_left(db: sqlite3.Connection) -> Remainder:
    cases = read_rows(db, CASES, "cases WHERE id IN (SELECT case_id FROM trials WHERE ended IS NULL)")
    dearest = f"SELECT role, max(cost) FROM calls WHERE cost IS NOT NULL AND {_PART} GROUP BY role"
    unpriced = f"SELECT role, sum(attempts) FROM calls WHERE {_UNPRICED} AND {_PART} GROUP BY role"
    return Remainder(
        trials=read_trials(db, _OPEN),
        cases={case.id: case for case in cases},
        calls=read_rows(db, CALLS, f"calls WHERE {_OPEN.where()} AND reply IS NOT NULL AND {_PART} ORDER BY id"),
        dearest={role: amount(cost) for role, cost in db.execute(dearest)},
        unpriced={role: int(attempts) for role, attempts in db.execute(unpriced)},
    )
