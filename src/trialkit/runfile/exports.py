"""Which files were written of a run."""

import sqlite3

#: When anything was last written that a report may tell of.
_LAST = " UNION ALL ".join(
    (
        "SELECT max(ended) AS at FROM trials",
        *(f"SELECT max(at) FROM {table}" for table in ("verdicts", "labels", "marks", "remarks")),
    )
)


def read_exports(db: sqlite3.Connection, *, of_now: bool) -> frozenset[str]:
    """Their hashes; `of_now`: those that were written after all else."""
    later = f"at > (SELECT max(at) FROM ({_LAST}))" if of_now else "TRUE"
    return frozenset(hashed for (hashed,) in db.execute(f"SELECT hash FROM exports WHERE {later}"))
