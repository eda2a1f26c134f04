"""Runs one agent and sees to it that nothing of it is left: when it ends, when trialkit ends or says so.

A program of its own: `python supervisor.py LIFELINE LIMITS COMMAND…`. It closes the agent's pipes on its side,
tells over LIFELINE, a socket, how the start went, and ends as the agent ended. When the other side of LIFELINE is
closed, which even `kill -9` of trialkit does, the agent goes with all that it started, whatever group or session that
went into: on Linux orphans come to this process. Elsewhere it finds the agent's own process group only.
"""

import ctypes
import os
import resource
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
#: How often memory is looked at.
_LOOK_S = 0.25
#: By limit: what the system is told. Of memory twice as much, for what is asked for between two looks.
_RESOURCES = {
    "memory": (resource.RLIMIT_DATA, 2),
    "cpu": (resource.RLIMIT_CPU, 1),
    "files": (resource.RLIMIT_NOFILE, 1),
}
_PAGE = os.sysconf("SC_PAGE_SIZE")
#: How long the words about the start are, since those about the end may be there before anybody reads them.
START = 16
#: Said last, with the limit that was gone over, if one was: nothing is left.
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
    limits = {name: int(value) for name, _, value in (part.partition("=") for part in sys.argv[2].split(",") if part)}
    try:
        agent = _start(sys.argv[3:], limits)
    except OSError as error:
        lifeline.sendall(f"{-(error.errno or 1):{START}}".encode())
        return
    with suppress(OSError):  # trialkit has gone: there is nothing to wait for
        lifeline.sendall(f"{agent:{START}}".encode())
    _let_go_of_pipes()
    status, over = _wait(agent, lifeline, wake, limits)
    _end_all(agent)
    with suppress(OSError):
        lifeline.sendall(DONE + over.encode())
    _end_like(status)


def _start(command: list[str], limits: dict[str, int]) -> int:
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
            for name, value in limits.items():
                _limit(name, value)
            os.execvp(command[0], command)  # noqa: S606 - the user's own command
        except OSError as error:
            os.write(tell, f"{error.errno}".encode())
        finally:
            os._exit(127)
    os.close(tell)
    if said := os.read(failed, 16):
        raise OSError(int(said), os.strerror(int(said)))
    return agent


def _limit(name: str, value: int) -> None:
    kind, times = _RESOURCES[name]
    soft, most = value * times, value * times + (name == "cpu")  # a second more for whoever catches the signal
    above = resource.getrlimit(kind)[1]
    if above != resource.RLIM_INFINITY:  # ours may be lower already
        soft, most = min(soft, above), min(most, above)
    resource.setrlimit(kind, (soft, most))


def _let_go_of_pipes() -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)


def _wait(agent: int, lifeline: socket.socket, wake: int, limits: dict[str, int]) -> tuple[int | None, str]:
    """How the agent ended, None where it is to be ended, and the limit that it went over."""
    memory = limits.get("memory")
    while True:
        ready, _, _ = select.select([lifeline.fileno(), wake], [], [], _LOOK_S if memory else None)
        if lifeline.fileno() in ready:
            return None, ""
        if memory and _memory() > memory:
            return signal.SIGKILL, "memory"
        if wake not in ready:
            continue
        os.read(wake, 4096)
        for ended, status, seconds in _ended():
            if ended == agent:
                by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
                used_up = by == signal.SIGXCPU or (by == signal.SIGKILL and seconds >= limits.get("cpu", seconds + 1))
                return status, "cpu" if used_up and "cpu" in limits else ""


def _ended() -> Iterator[tuple[int, int, float]]:
    """Children that ended, and orphans of theirs, with their CPU time. `ChildProcessError`: nobody is left."""
    while True:
        ended, status, used = os.wait4(-1, os.WNOHANG)
        if ended == 0:
            return
        yield ended, status, used.ru_utime + used.ru_stime


def _memory() -> int:
    """What all of them hold, without what they share with others, in bytes."""
    pages = 0
    for one in _descendants():
        with suppress(OSError), open(f"/proc/{one}/statm", "rb") as told:  # noqa: PTH123 - pathlib takes long to load
            _, resident, shared, *_ = map(int, told.read().split())
            pages += resident - shared
    return pages * _PAGE


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
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the agent left one, if anybody wants it
    with suppress(OSError):  # some cannot be set
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    os._exit(1)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main()
