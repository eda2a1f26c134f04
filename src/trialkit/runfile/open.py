"""Opening run files: new ones, ones to go on with, ones to read."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from trialkit.errors import InputError, TrialkitError
from trialkit.text.files import kind_of
from trialkit.text.short import shortened

from .lock import run_lock
from .schema import APPLICATION_ID, MIGRATIONS, migrate, version_of

#: How long a connection waits for another one to commit.
_WAIT_S = 30
#: How much of the copy of an older file is kept in memory; what is more goes to a temporary file.
_COPY_KIB = 200 * 1024


def connect_writer(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=_WAIT_S, isolation_level=None, check_same_thread=False)
    _journal(db, "WAL", _WAIT_S)
    # a commit survives the death of the process; only a power cut can lose the last moments
    db.execute("PRAGMA synchronous = NORMAL")
    return db


def _journal(db: sqlite3.Connection, mode: str, wait_s: float) -> None:
    """SQLite itself does not wait here for those who write labels or read at this moment."""
    until = monotonic() + wait_s
    while True:
        try:
            db.execute(f"PRAGMA journal_mode = {mode}")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
            sleep(0.01)
        else:
            return


def connect_reader(path: Path) -> sqlite3.Connection:
    """It has the newest schema: of an older file it is a copy, as of this moment, that was brought up to date."""
    version = check_run_file(path)
    db = sqlite3.connect(path, timeout=_WAIT_S, isolation_level=None)
    if version < len(MIGRATIONS):
        db = _as_newest(db, path, version)
    try:
        with sound(path):
            db.execute("PRAGMA query_only = ON")
            for (stray,) in db.execute("SELECT id FROM trials WHERE case_id NOT IN (SELECT id FROM cases) LIMIT 1"):
                raise LookupError(f"trial {stray} is of a case that is not in it")
    except InputError:
        db.close()
        raise
    return db


def _as_newest(older: sqlite3.Connection, path: Path, version: int) -> sqlite3.Connection:
    copy = sqlite3.connect("", isolation_level=None)  # SQLite's own temporary file: in memory, as far as it fits
    copy.execute(f"PRAGMA cache_size = {-_COPY_KIB}")
    try:
        with sound(path), closing(older):
            older.backup(copy)
            migrate(copy, version)
    except InputError:
        copy.close()
        raise
    return copy


@contextmanager
def sound(path: Path) -> Iterator[None]:
    """What is not as it was written, in SQLite's pages or in our JSON, is the file's fault."""
    try:
        yield
    except (sqlite3.DatabaseError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise InputError(f"{path}: the run file is damaged: {shortened(str(error), 200)}") from None


@contextmanager
def writing(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection for a few statements; TrialkitError where the file cannot be written (a full disk, say)."""
    version = check_run_file(path)
    with _telling(path), closing(connect_writer(path)) as db:
        migrate(db, version)
        yield db


@contextmanager
def joining(path: Path) -> Iterator[sqlite3.Connection]:
    """The same beside others that write, the run itself perhaps: how the file is journalled is left to them."""
    if check_run_file(path) < len(MIGRATIONS):
        with run_lock(path):
            upgrade(path)
    with _telling(path), closing(sqlite3.connect(path, timeout=_WAIT_S, isolation_level=None)) as db:
        yield db


@contextmanager
def drafting(path: Path) -> Iterator[sqlite3.Connection]:
    """A new file, of no use to anybody before it is whole: only then, and once, the disk is waited for."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _telling(path), closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = MEMORY")
        db.execute("PRAGMA synchronous = OFF")
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrate(db, 0)
        yield db
    with path.open("rb+") as whole:
        os.fsync(whole.fileno())


def upgrade(path: Path) -> None:
    if check_run_file(path) < len(MIGRATIONS):
        with writing(path):
            """That is all."""


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, UnicodeError) as error:  # of a damaged file not even the message need be text
        raise TrialkitError(f"cannot write {path}: {shortened(str(error), 200)}") from None


def check_run_file(path: Path) -> int:
    """The schema version, or an InputError that says what the file is instead."""
    try:
        kind = kind_of(path)
    except OSError:
        raise InputError(f"{path}: no such run file; `trialkit runs` lists those that there are") from None
    if kind:
        of_it = f" {path}` lists the runs in it" if kind == "a folder" else "` lists those that there are"
        raise InputError(f"{path}: {kind}, not a run file; `trialkit runs{of_it}")
    if path.stat().st_size == 0:
        raise InputError(f"{path}: the run was killed before it began; there is nothing in it")
    try:
        # Not `mode=ro`: a process that was killed may have left a journal, which only a writer can roll back.
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=_WAIT_S)) as db:
            version = version_of(db)
    except sqlite3.DatabaseError as error:
        raise InputError(f"{path}: not a run file ({error}); `trialkit runs` lists those that there are") from None
    if version is None:
        raise InputError(f"{path}: a database, but not a run file of trialkit")
    if version > len(MIGRATIONS):
        raise InputError(
            f"{path}: written by a newer trialkit (schema {version}; this one knows {len(MIGRATIONS)}): upgrade it"
        )
    return version


def close_to_one_file(db: sqlite3.Connection) -> None:
    """Fold the write-ahead log back in, so that the run is one file again; unless somebody is reading it just now."""
    with suppress(sqlite3.OperationalError):
        db.execute("PRAGMA busy_timeout = 500")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        _journal(db, "DELETE", wait_s=0.5)
