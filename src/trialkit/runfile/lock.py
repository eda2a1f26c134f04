"""One writer for a run. The lock lies beside the run file, so that whoever can write the one meets the other.

It is the system's own on a file `.NAME.lock`, freed when a process dies, so one that a kill left behind holds
nobody up. It is not on the run file itself: closing that would drop the locks that SQLite has on it in this process.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep

from trialkit.errors import InputError, TrialkitError
from trialkit.text.short import shortened

from .system_lock import held, remove_held

#: How long a lock waits for those that only look whether it is taken: each takes far less than a millisecond.
_LOOK_S = 0.5


def lock_file(path: Path) -> Path:
    whole = path.resolve()
    return whole.with_name(f".{whole.name}.lock")


@contextmanager
def run_lock(path: Path) -> Iterator[None]:
    file = lock_file(path)
    try:
        taken = _take(file)
    except OSError as error:
        fix = "copy the run to a folder on a disk that can be written to"
        raise TrialkitError(f"{path}: cannot be locked by {file}: {error.strerror}; {fix}") from None
    if taken is None:
        refuse_going_on(path)
        raise InputError(f"{path}: another process has just had this run open; try again")
    try:
        yield
    finally:
        remove_held(taken, file)


def refuse_going_on(path: Path) -> None:
    """InputError where a process has this run file open for writing."""
    holder = holder_of(path)
    if holder is not None:
        raise InputError(f"{path}: this run is going on in another process{holder}; wait for it or stop it first")


def is_going_on(path: Path) -> bool:
    """Many may look at once: looking shares the lock."""
    return holder_of(path) is not None


def holder_of(path: Path) -> str | None:
    """Who they say they are; None: nobody."""
    try:
        found = os.open(lock_file(path), os.O_RDONLY)
    except OSError:
        return None
    try:
        free = held(found, shared=True)
        said = "" if free else shortened(os.read(found, 500).decode(errors="replace"), 200)
    except OSError:
        return None
    finally:
        os.close(found)
    if free:
        return None
    return f" ({said})" if said else ""


def _take(file: Path) -> int | None:
    until = monotonic() + _LOOK_S
    while True:
        opened = _open(file)
        try:
            mine = held(opened, shared=False)
            if mine and _is(opened, file):
                _sign(opened)
                return opened
        except BaseException:
            os.close(opened)
            raise
        os.close(opened)
        if mine:  # of a file that was removed
            continue
        if monotonic() > until:
            return None
        sleep(0.005)


def _open(file: Path) -> int:
    try:
        return os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
    except PermissionError:  # another user's, which may be locked all the same
        with suppress(FileNotFoundError):
            return os.open(file, os.O_RDONLY)
        raise


def _is(opened: int, file: Path) -> bool:
    """Not where whoever had it has removed it in the meantime."""
    try:
        return os.path.samestat(os.fstat(opened), file.stat())
    except FileNotFoundError:
        return False


def _sign(opened: int) -> None:
    since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    with suppress(OSError):  # a full disk, or another user's file: it is locked, though nobody can say by whom
        os.truncate(opened, 0)
        os.write(opened, f"process {os.getpid()} on {socket.gethostname()}, since {since}".encode())
