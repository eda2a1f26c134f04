"""The process that has a run open for writing: who it is, and how it is asked to stop."""

import os
import re
import signal
import socket
import sys
from pathlib import Path

from trialkit.errors import InputError

from .lock import holder_of, lock_file

_SIGNED = re.compile(r"process (\d+) on (.{1,255}), since ")
_PROCESSES = Path("/proc")  # where the system tells what files they have open


def holding_process(path: Path) -> int | None:
    """By whom the run is written on this machine; None: by nobody, or elsewhere."""
    signed = _SIGNED.search(holder_of(path) or "")
    return int(signed[1]) if signed and signed[2] == socket.gethostname() else None


def stop_holder(path: Path) -> None:
    """Asks it to stop, as `kill` does: the first time it waits for the calls on their way, the second it does not.

    InputError where nobody has the run open, or who has is not ours to stop.
    """
    holder = holder_of(path)
    if holder is None:
        raise InputError(f"{path}: this run is not going on; there is nothing to stop")
    process = holding_process(path)
    if process is None:
        raise InputError(f"{path}: the run is going on elsewhere{holder}; stop it there")
    if process == os.getpid():
        raise InputError(f"{path}: this process itself is writing to it just now; try again")
    if sys.platform == "win32":  # a kill there leaves no time to end
        raise InputError(f"{path}: press ctrl-C in the window in which it runs{holder}")
    try:
        if not _has_open(process, lock_file(path)):
            raise InputError(f"{path}: it says that{holder} has it open, which is not so; stop it where it was started")
        os.kill(process, signal.SIGTERM)
    except PermissionError:
        raise InputError(f"{path}: the run belongs to another user{holder}, who can stop it") from None
    except ProcessLookupError:
        """It has just ended."""


def _has_open(process: int, file: Path) -> bool:
    """Where the system does not tell, it is believed."""
    folder = _PROCESSES / str(process) / "fd"
    if not _PROCESSES.joinpath("self", "fd").is_dir():
        return True
    try:
        wanted = file.stat()
        return any(_is(opened, wanted) for opened in folder.iterdir())
    except FileNotFoundError:
        raise ProcessLookupError(process) from None


def _is(opened: Path, wanted: os.stat_result) -> bool:
    try:
        return os.path.samestat(opened.stat(), wanted)
    except OSError:  # it was closed meanwhile, or is no file
        return False
