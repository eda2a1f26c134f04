"""A program: as much of Windows as can be had elsewhere. It lacks what Windows lacks, then imports and runs trialkit.

`python -m tests.on_windows FOLDER`
"""

import fcntl
import importlib
import os
import pkgutil
import signal
import sys
import types
from contextlib import suppress

MODULES = ("curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
FUNCTIONS = ("fork", "getpgid", "getuid", "killpg", "mkfifo", "setpgid", "setsid", "sysconf", "wait4")
SIGNALS = ("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGSTOP", "SIGXCPU", "SIGXFSZ")
#: Programs of their own, which are started on other systems only.
PROGRAMS = ("trialkit.agents.outside.supervisor", "trialkit.agents.fastworkflow.worker", "trialkit.__main__")


def all_modules() -> list[str]:
    top = importlib.import_module("trialkit")
    names = [found.name for found in pkgutil.walk_packages(top.__path__, "trialkit.", onerror=lambda _: None)]
    return [name for name in names if not name.startswith(PROGRAMS)]


def leave_unix() -> None:
    lock = fcntl.flock

    def locking(file: int, _mode: int, _bytes: int) -> None:
        try:
            lock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PermissionError from None

    stand_in = types.ModuleType("msvcrt")
    vars(stand_in).update(locking=locking, LK_NBLCK=2)
    sys.modules["msvcrt"] = stand_in
    sys.modules.update(dict.fromkeys(MODULES))  # type: ignore[arg-type]  # None: there is no such module
    for module, names in ((os, FUNCTIONS), (signal, SIGNALS)):
        for name in names:
            with suppress(AttributeError):
                delattr(module, name)
    sys.platform = "win32"


def main(folder: str) -> None:
    names = all_modules()
    for name in names:  # with what they import of others: that has parts for Windows which only Windows can load
        importlib.import_module(name)
    for name in [name for name in sys.modules if name.partition(".")[0] == "trialkit"]:
        del sys.modules[name]
    leave_unix()
    for name in names:
        importlib.import_module(name)
    cli = importlib.import_module("trialkit.cli")
    for words in (
        ["agents"],
        ["run", "commodity", "--model", "baseline", "--output-dir", folder],
        ["agents", "check", "stdio:true"],
        ["agents", "install", "fastworkflow"],
    ):
        try:
            cli.main(words)
        except SystemExit as end:
            sys.stdout.write(f"{words[:2]}: {end.code}\n")


if __name__ == "__main__":
    main(sys.argv[1])
