"""A command of trialkit in a fork of this process: as quick as a call, and it can be killed, timed and measured."""

import contextlib
import ctypes
import importlib
import os
import pkgutil
import resource
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import trialkit
from trialkit.cli import main

#: No command may need more. It waits for nothing that takes as long: machines stall, which is no hang.
_LONGEST_S, _MEMORY = 60.0, 1024**3
_HANGS_AFTER_S = 100.0
_DIE_WITH_PARENT = 1


class Ended(NamedTuple):
    status: int  # below 0: the signal that ended it
    text: str
    seconds: float  # of CPU, without what the system took
    memory: int  # bytes, at the most
    hung: bool = False  # it had to be ended

    @property
    def fault(self) -> str:
        """What no hostile input may cause."""
        if "Traceback" in self.text:
            return f"traceback: {self.text[-300:]}"
        if self.hung:
            return f"hangs: {self.text[-300:]}"
        if self.status not in {0, 1, 2, 3, 4, 130}:
            return f"status {self.status}: {self.text[-300:]}"
        if self.seconds > 10:
            return f"{self.seconds:.0f} s of CPU"
        return f"{self.memory // 1024**2} MB" if self.memory > _MEMORY else ""


def load_all() -> None:
    """So that a fork has nothing left to import."""
    for found in pkgutil.walk_packages(trialkit.__path__, "trialkit."):
        if not found.name.endswith(("__main__", ".litellm")):  # which takes seconds, and no command here needs
            with contextlib.suppress(ImportError):
                importlib.import_module(found.name)


def start(
    folder: Path, *arguments: str, env: Mapping[str, str] | None = None, first: Callable[[], Sequence[str]] = list
) -> int:
    """The process id of `trialkit ARGUMENTS` in this folder; `first` is done in it before, and gives more arguments."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # pytest's workers have threads, none that a fork needs
        child = os.fork()
    if child:
        return child
    status = 70
    try:
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        os.chdir(folder)
        out = os.open(folder / "said", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(out, 1)
        os.dup2(out, 2)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - of this process, to its end
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        os.environ.update(
            {"TRIALKIT_CACHE_DIR": str(folder / "cache"), "COLUMNS": "100", "NO_COLOR": "1", **(env or {})}
        )
        resource.setrlimit(resource.RLIMIT_CPU, (int(_LONGEST_S), int(_LONGEST_S)))
        try:
            main([*arguments, *first()])
        except SystemExit as error:
            status = error.code if isinstance(error.code, int) else 0
        except BaseException:  # noqa: BLE001 - as Python itself would end
            sys.excepthook(*sys.exc_info())
            status = 1
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def ended(child: int, folder: Path, within_s: float = _HANGS_AFTER_S) -> Ended:
    """Its end; a process that waits takes no CPU, so it is ended by the clock."""
    handle = os.pidfd_open(child)
    hung = not select.select([handle], [], [], within_s)[0]
    os.close(handle)
    if hung:
        os.kill(child, signal.SIGKILL)
    _, status, used = os.wait4(child, 0)
    text = (folder / "said").read_text(errors="replace") if (folder / "said").exists() else ""
    return Ended(os.waitstatus_to_exitcode(status), text, used.ru_utime, used.ru_maxrss * 1024, hung)


def run(folder: Path, *arguments: str, first: Callable[[], Sequence[str]] = list) -> Ended:
    return ended(start(folder, *arguments, first=first), folder)


def killed(folder: Path, after_s: float, *arguments: str) -> Ended:
    """Killed with -9 after so long, if it has not ended by then."""
    child = start(folder, *arguments)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    return ended(child, folder)
