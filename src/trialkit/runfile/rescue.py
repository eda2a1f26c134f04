"""A run file that was deleted, moved or replaced while it was written: all of it is still held open."""

import sqlite3
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from tempfile import gettempdir

from trialkit.errors import TrialkitError

from .open import close_to_one_file


def rescue(db: sqlite3.Connection, path: Path) -> Path:
    """A copy, beside where the file was; where there is no such folder any more, in the one for temporary files."""
    with suppress(sqlite3.Error):  # whatever has its name now is not to take what is left in its log for its own
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for folder in (path.parent, Path(gettempdir())):
        with suppress(OSError, sqlite3.Error):
            return _copied(db, _new(folder, f"{path.stem}-rescued"))
    raise TrialkitError(f"{path} is gone, and it could be copied neither to {path.parent} nor to {gettempdir()}")


def _new(folder: Path, stem: str) -> Path:
    for number in count(1):
        path = folder / (f"{stem}.trial" if number == 1 else f"{stem}-{number}.trial")
        with suppress(FileExistsError):
            path.touch(exist_ok=False)
            break
    return path


def _copied(db: sqlite3.Connection, path: Path) -> Path:
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as copy:
            db.backup(copy)
            close_to_one_file(copy)
    except sqlite3.Error:
        path.unlink()
        raise
    return path
