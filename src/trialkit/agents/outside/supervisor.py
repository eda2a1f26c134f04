"""Runs one agent and sees to it that nothing of it is left: when it ends, when trialkit ends or says so.

A program of its own, started as `python supervisor.py LIFELINE COMMAND…`. It closes the agent's pipes on its side,
tells over LIFELINE, a socket, how the start went, and ends as the agent ended. When the other side of LIFELINE is
closed, which even `kill -9` of trialkit does, the agent goes with all that it started, whatever group or session that
went into: on Linux orphans come to this process. Elsewhere it finds the agent's own process group only.
"""

import ctypes
import os
import select
import signal
import socket
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress

_SET_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36  # of prctl(2)
_IS_LINUX = sys.platform == "linux"
#: An interrupt from the terminal is trialkit's to deal with.
_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
#: For processes that cannot be killed: those of another user, and those that hang in the kernel.
_PATIENCE_S, _AGAIN_S = 5.0, 0.002
#: Said last: nothing is left.
DONE = b"done"


def main() -> None:
    lifeline = socket.socket(fileno=int(sys.argv[1]))
    lifeline.set_inheritable(False)
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    if _IS_LINUX:
        _prctl(_SET_CHILD_SUBREAPER, 1)
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    try:
        agent = _start(sys.argv[2:])
    except OSError as error:
        lifeline.sendall(f"{-(error.errno or 1)}".encode())
        return
    with suppress(OSError):  # trialkit has gone: there is nothing to wait for
        lifeline.sendall(f"{agent}".encode())
    _let_go_of_pipes()
    status = _wait(agent, lifeline, wake)
    _end_all(agent)
    with suppress(OSError):
        lifeline.sendall(DONE)
    _end_like(status)


def _start(command: list[str]) -> int:
    """The agent's id. Raises the `OSError` that kept it from being started."""
    failed, tell = os.pipe()  # closed where it starts
    parent = os.getpid()
    agent = os.fork()
    if agent == 0:
        try:
            os.setpgid(0, 0)  # it may kill its own group, and not us
            for number in (*_IGNORED, signal.SIGPIPE, signal.SIGXFSZ):  # the last two are ignored by Python
                signal.signal(number, signal.SIG_DFL)
            if _IS_LINUX:
                _prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
                if os.getppid() != parent:
                    os._exit(1)
            os.execvp(command[0], command)  # noqa: S606 - the user's own command
        except OSError as error:
            os.write(tell, f"{error.errno}".encode())
        finally:
            os._exit(127)
    os.close(tell)
    if said := os.read(failed, 16):
        raise OSError(int(said), os.strerror(int(said)))
    return agent


def _let_go_of_pipes() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)


def _wait(agent: int, lifeline: socket.socket, wake: int) -> int | None:
    """How the agent ended; None: it is to be ended."""
    while True:
        ready, _, _ = select.select([lifeline.fileno(), wake], [], [])
        if lifeline.fileno() in ready:
            return None
        os.read(wake, 4096)
        for ended, status in _ended():
            if ended == agent:
                return status


def _ended() -> Iterator[tuple[int, int]]:
    """Children that ended, and orphans of theirs. Raises `ChildProcessError` where nobody is left."""
    while True:
        ended, status = os.waitpid(-1, os.WNOHANG)
        if ended == 0:
            return
        yield ended, status


def _end_all(agent: int) -> None:
    """Again and again, since whoever is killed leaves its children to us."""
    deadline = time.monotonic() + _PATIENCE_S
    with suppress(ChildProcessError):
        while time.monotonic() < deadline:
            if _IS_LINUX:
                for one in _descendants():
                    with suppress(OSError):
                        os.kill(one, signal.SIGKILL)
            else:
                with suppress(OSError):
                    os.killpg(agent, signal.SIGKILL)
            for _ in _ended():
                pass
            time.sleep(_AGAIN_S)


def _descendants() -> Iterator[int]:
    children = defaultdict[int, list[int]](list)
    for name in filter(str.isdecimal, os.listdir("/proc")):  # noqa: PTH208 - pathlib takes longer to load than all else
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as stat:  # noqa: PTH123 - likewise
            children[int(stat.read().rpartition(b")")[2].split()[1])].append(int(name))
    left = [os.getpid()]
    while left:
        found = children.pop(left.pop(), [])
        yield from found
        left += found


def _end_like(status: int | None) -> None:
    """The same status, or the same signal."""
    code = 0 if status is None else os.waitstatus_to_exitcode(status)
    if code >= 0:
        os._exit(code)
    import resource  # noqa: PLC0415 - rarely needed

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the agent left one, if anybody wants it
    with suppress(OSError):  # some cannot be set
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    os._exit(1)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main()
