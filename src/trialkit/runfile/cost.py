"""What a run cost, without reading its trials."""

import sqlite3
from contextlib import closing
from pathlib import Path

from trialkit.errors import InputError

from .open import connect_reader
from .schema import ANSWERED

_CALLS = f"SELECT count(*), count(cost), sum(cost) FROM calls WHERE {ANSWERED} AND phase != 'after'"
_ELSEWHERE = "SELECT count(*) > 0 AND min(given) FROM trials WHERE ended IS NOT NULL"


def cost_of(path: Path) -> float | None:
    """Of all its trials up to their end, stored replies too; None where that is unknown."""
    try:
        with closing(connect_reader(path)) as db:
            calls, known, total = db.execute(_CALLS).fetchone()
            elsewhere = db.execute(_ELSEWHERE).fetchone()[0]
    except sqlite3.DatabaseError as error:
        raise InputError(f"{path}: the run file is damaged: {error}") from None
    # what answers cost that were not given here, nobody here knows
    return None if known < calls or (elsewhere and not calls) else total or 0.0
