"""What kills left in a folder of runs."""

from contextlib import suppress
from pathlib import Path
from time import time

from trialkit.errors import TrialkitError

from .lock import is_going_on, lock_file, run_lock

#: A run that is being created has it done in a moment.
_YOUNG_S = 600


def clear_leftovers(folder: Path, older_than_s: float = _YOUNG_S) -> list[Path]:
    """Removes run files in which nothing was written yet, with their drafts, and locks that nobody holds; says which.

    What somebody holds, and what is young, stays.
    """
    locked = [file.with_name(file.name[1:].removesuffix(".lock")) for file in folder.glob(".*.trial.lock")]
    cleared = []
    for path in sorted({*folder.glob("*.trial"), *locked}):
        with suppress(OSError, TrialkitError):
            stale = _old(lock_file(path), older_than_s)
            if (stale or (_empty(path) and _old(path, older_than_s))) and not is_going_on(path):
                with run_lock(path):
                    cleared += _clear(path) if _empty(path) else []
                cleared += [lock_file(path)] if stale else []  # it went with the end of holding it
    return cleared


def _empty(path: Path) -> bool:
    return path.is_file() and not path.stat().st_size


def _old(path: Path, older_than_s: float) -> bool:
    return path.exists() and time() - path.stat().st_mtime > older_than_s


def _clear(path: Path) -> list[Path]:
    """The empty file last: by it the others are known."""
    drafts = [path.with_name(f"{path.name}.new{part}") for part in ("-wal", "-shm", "-journal", "")]
    found = [draft for draft in drafts if draft.exists()]
    for file in [*found, path]:
        file.unlink()
    return [*found, path]
