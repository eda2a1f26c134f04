"""One writer for a run. The lock lies beside the run file, so that whoever can write the one meets the other.

It is the system's own (`flock`) on a file `.NAME.lock`, freed when a process dies, so one that a kill left behind holds
nobody up. It is not on the run file itself: closing that would drop the locks that SQLite has on it in this process.
"""

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from errno import EAGAIN
from pathlib import Path
from time import monotonic, sleep

from trialkit.errors import InputError, TrialkitError
from trialkit.text.short import shortened

#: How long a lock waits for those that only look whether it is taken: each takes far less than a millisecond.
_LOOK_S = 0.5


def lock_file(path: Path) -> Path:
    whole = path.resolve()
    return whole.with_name(f".{whole.name}.lock")


@contextmanager
def run_lock(path: Path) -> Iterator[None]:
    file = lock_file(path)
    try:
        held = _take(file)
    except OSError as error:
        fix = "copy the run to a folder on a disk that can be written to"
        raise TrialkitError(f"{path}: cannot be locked by {file}: {error.strerror}; {fix}") from None
    if held is None:
        refuse_going_on(path)
        raise InputError(f"{path}: another process has just had this run open; try again")
    try:
        yield
    finally:
        with suppress(OSError):  # a folder may be gone, and a file may be somebody else's
            file.unlink()
        os.close(held)


def refuse_going_on(path: Path) -> None:
    """InputError where a process has this run file open for writing."""
    holder = _holder(path)
    if holder is not None:
        raise InputError(f"{path}: this run is going on in another process{holder}; wait for it or stop it first")


def is_going_on(path: Path) -> bool:
    """Many may look at once: looking shares the lock."""
    return _holder(path) is not None


def _holder(path: Path) -> str | None:
    """Who they say they are; None: nobody."""
    try:
        found = os.open(lock_file(path), os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(found, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno != EAGAIN:
            return None
        said = shortened(os.read(found, 500).decode(errors="replace"), 200)
        return f" ({said})" if said else ""
    else:
        return None
    finally:
        os.close(found)


def _take(file: Path) -> int | None:
    until = monotonic() + _LOOK_S
    while True:
        held = _open(file)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is(held, file):
                _sign(held)
                return held
        except BlockingIOError:
            if monotonic() > until:
                os.close(held)
                return None
            sleep(0.005)
        except BaseException:
            os.close(held)
            raise
        os.close(held)


def _open(file: Path) -> int:
    try:
        return os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
    except PermissionError:  # another user's, which may be locked all the same
        with suppress(FileNotFoundError):
            return os.open(file, os.O_RDONLY)
        raise


def _is(held: int, file: Path) -> bool:
    """Not where whoever had it has removed it in the meantime."""
    try:
        return os.path.samestat(os.fstat(held), file.stat())
    except FileNotFoundError:
        return False


def _sign(held: int) -> None:
    since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    with suppress(OSError):  # a full disk, or another user's file: it is locked, though nobody can say by whom
        os.truncate(held, 0)
        os.write(held, f"process {os.getpid()} on {socket.gethostname()}, since {since}".encode())
