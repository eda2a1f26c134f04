"""What kills left in a folder of runs."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import time

from trialkit.errors import TrialkitError

from .lock import is_going_on, lock_file, run_lock

#: A run that is being created has it done in a moment.
_YOUNG_S = 600


def find_leftovers(folder: Path, older_than_s: float = _YOUNG_S) -> list[Path]:
    """Run files in which nothing was written yet, with their drafts, exports half written, and locks that nobody holds.

    What somebody holds, and what is young, is none.
    """
    of_runs = [file for path in _runs(folder, older_than_s) for file in _left(path)]
    return of_runs + _exports(folder, older_than_s)


def clear_leftovers(folder: Path, older_than_s: float = _YOUNG_S) -> list[Path]:
    """Removes them, and says which."""
    cleared = []
    for path in _runs(folder, older_than_s):
        with suppress(OSError, TrialkitError):
            left = _left(path)
            with run_lock(path):  # the lock goes with the end of holding it
                for file in _left(path):
                    if file != lock_file(path):
                        file.unlink()
            cleared += left
    for file in _exports(folder, older_than_s):
        with suppress(OSError):
            file.unlink()
            cleared.append(file)
    return cleared


def _runs(folder: Path, older_than_s: float) -> Iterator[Path]:
    locked = [file.with_name(file.name[1:].removesuffix(".lock")) for file in folder.glob(".*.trial.lock")]
    for path in sorted({*folder.glob("*.trial"), *locked}):
        with suppress(OSError):
            stale = _old(lock_file(path), older_than_s) or (_empty(path) and _old(path, older_than_s))
            if stale and not is_going_on(path):
                yield path


def _left(path: Path) -> list[Path]:
    """The lock and, where the run is empty, its drafts and last the run itself: by it the others are known."""
    drafts = [path.with_name(f"{path.name}.new{part}") for part in ("-wal", "-shm", "-journal", "")]
    return [file for file in (lock_file(path), *((*drafts, path) if _empty(path) else ())) if file.exists()]


def _exports(folder: Path, older_than_s: float) -> list[Path]:
    return [file for file in sorted(folder.glob("*.partial")) if file.is_file() and _old(file, older_than_s)]


def _empty(path: Path) -> bool:
    return path.is_file() and not path.stat().st_size


def _old(path: Path, older_than_s: float) -> bool:
    return path.exists() and time() - path.stat().st_mtime > older_than_s
