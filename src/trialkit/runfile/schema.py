"""The tables of a run file, as numbered migrations: whoever opens an older file sees it brought up to date."""

import sqlite3
from importlib.resources import files

APPLICATION_ID = 0x7472_6961  # "tria": tells a run file from any other SQLite file

#: In the order of their numbers. What a released version has written is never changed here: a change is one more file.
MIGRATIONS = tuple(
    script.read_text(encoding="utf-8")
    for script in sorted((files(__package__) / "migrations").iterdir(), key=lambda script: script.name)
)


def version_of(db: sqlite3.Connection) -> int | None:
    """The file's schema version; None: it is not a run file."""
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        return None
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def migrate(db: sqlite3.Connection, version: int) -> None:
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        try:
            db.executescript(f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {number}; COMMIT;")
        except (sqlite3.Error, UnicodeError):
            if db.in_transaction:
                db.execute("ROLLBACK")
            if (version_of(db) or 0) < number:  # else another process has done it meanwhile
                raise
