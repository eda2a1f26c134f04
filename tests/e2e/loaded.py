"""A process that has loaded trialkit and forks for each command, so that a test pays for the command, not for imports.

`loaded.py serve SOCKET` loads all, says so, and answers there until its standard input ends. `loaded.py run SOCKET
ARGUMENTS` is `python -m trialkit ARGUMENTS` with the standard streams, the folder and the variables that it is given,
and ends with it, whoever of the two is killed; who is Python already may `ask` by itself.
"""

import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress

#: Variables that Python heeds when it starts; where they differ, a new one has to.
_AT_START = ("LANG", "LC_", "PYTHON", "TZ")
#: What an extra brings is loaded only by a command that uses it.
_EXTRAS = ("fastworkflow", "litellm", "mcp", "pyarrow", "xllamacpp")
#: What many commands load late.
_LATE = ("encodings.utf_8_sig", "numpy", "rich.table", "runpy")
_PASSED_ON = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
#: What is answered instead of a process's number.
ANEW = b"start it anew\n"


def ask(
    door: str, arguments: Sequence[str], folder: str, variables: Mapping[str, str], streams: list[int]
) -> socket.socket:
    """Two lines come back: the number of the process, or `ANEW`, and how it ended, a signal being less than 0."""
    link = socket.socket(socket.AF_UNIX)
    link.connect(door)
    socket.send_fds(link, [b"!"], streams)
    named = [f"{name}={value}" for name, value in variables.items()]
    asked = os.fsencode("\0".join([folder, str(len(arguments)), *arguments, *named]))
    link.sendall(len(asked).to_bytes(8, "big") + asked)
    return link


def _run(door: str, arguments: list[str]) -> None:
    link = ask(door, arguments, os.getcwd(), os.environ, [0, 1, 2])  # noqa: PTH109 - `pathlib` takes longer to load
    told = link.makefile("rb")
    if (pid := told.readline()) == ANEW:
        os.execv(sys.executable, [sys.executable, "-m", "trialkit", *arguments])  # noqa: S606 - no shell

    def pass_on(number: int, _: object) -> None:
        with suppress(ProcessLookupError):  # it has just ended
            os.kill(int(pid), number)

    for number in _PASSED_ON:
        signal.signal(number, pass_on)
    status = int(told.readline())
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)  # Python's own end would not hear of signals any more, and die of them


def _serve(path: str) -> None:
    """Returns in a child for each command, which is all set to be trialkit."""
    import select  # noqa: PLC0415 - `_run` is to start quickly

    _load()
    door = socket.socket(socket.AF_UNIX)
    door.bind(path)
    door.listen()
    woken, waking = socket.socketpair()
    waking.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waking.fileno())
    running: dict[int, tuple[socket.socket, list[int]]] = {}
    print("ready", flush=True)
    while True:
        links = {link: pid for pid, (link, _) in running.items() if link.fileno() >= 0}
        ready = select.select([door, woken, sys.stdin, *links], [], [])[0]
        if sys.stdin in ready:
            os._exit(0)
        for link in links.keys() & set(ready):  # who asked has gone, as by a kill
            os.kill(links[link], signal.SIGKILL)
            link.close()
        if woken in ready:
            woken.recv(1000)
            _tell_ends(running)
        if door in ready:
            link = door.accept()[0]
            streams = socket.recv_fds(link, 1, 3)[1]
            asked = _Asked(link)
            if not asked.whole or _at_start(asked.variables) != _at_start(os.environ):
                _let_go(link, streams, ANEW)
            elif pid := os.fork():
                _tell(link, b"%d\n" % pid)
                running[pid] = link, streams
            else:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for other in running.values():
                    _let_go(*other)
                for one in (door, woken, waking, link):
                    one.close()
                return asked.become(streams)


def _tell(link: socket.socket, line: bytes) -> None:
    with suppress(OSError):  # who asked may have gone
        link.sendall(line)


def _tell_ends(running: dict[int, tuple[socket.socket, list[int]]]) -> None:
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            _let_go(*running.pop(ended[0]), b"%d\n" % os.waitstatus_to_exitcode(ended[1]))


def _let_go(link: socket.socket, streams: list[int], line: bytes = b"") -> None:
    """Its streams end only here: who has read them to the end may take it that the process is no more."""
    _tell(link, line)
    link.close()
    for stream in streams:
        os.close(stream)


def _load() -> None:
    import gc  # noqa: PLC0415
    import importlib  # noqa: PLC0415
    import pkgutil  # noqa: PLC0415

    import trialkit  # noqa: PLC0415

    sys.modules.update(dict.fromkeys(_EXTRAS))  # type: ignore[arg-type]  # None: it cannot be imported
    for module in pkgutil.walk_packages(trialkit.__path__, "trialkit."):
        if ".worker" not in module.name and not module.name.endswith((".__main__", ".supervisor")):
            with suppress(ImportError):
                importlib.import_module(module.name)
    for name in _EXTRAS:
        del sys.modules[name]
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a process of several threads does not fork well
    for name in _LATE:
        importlib.import_module(name)
    del os.environ["OPENBLAS_NUM_THREADS"]
    trialkit.models.prices.known_providers()  # and what is read but once
    for group in ("agents", "formats", "models", "suites"):
        trialkit.plugins.plugin_names(f"trialkit.{group}")
    gc.freeze()


class _Asked:
    """A command that was asked for."""

    def __init__(self, link: socket.socket) -> None:
        with link.makefile("rb") as told:
            size = int.from_bytes(told.read(8), "big")
            data = told.read(size)
        self.whole = 0 < size == len(data)
        if self.whole:
            self._folder, count, *rest = os.fsdecode(data).split("\0")
            self._arguments = rest[: int(count)]
            self.variables = dict(one.split("=", 1) for one in rest[int(count) :])

    def become(self, streams: list[int]) -> None:
        _take(streams)
        os.chdir(self._folder)
        before, after = (_search_path(one) for one in (os.environ, self.variables))
        sys.path[:] = [self._folder, *after, *(one for one in sys.path[1:] if one not in before)]
        os.environ.clear()
        os.environ.update(self.variables)
        sys.argv[1:] = self._arguments
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _at_start(variables: Mapping[str, str]) -> dict[str, str]:
    heeded = {name: value for name, value in variables.items() if name.startswith(_AT_START)}
    return {name: value for name, value in heeded.items() if name != "PYTHONPATH"}


def _search_path(variables: Mapping[str, str]) -> list[str]:
    return [os.path.realpath(one) for one in variables.get("PYTHONPATH", "").split(os.pathsep) if one]


def _take(streams: list[int]) -> None:
    for number, (given, name) in enumerate(zip(streams, ("stdin", "stdout", "stderr"), strict=True)):
        os.dup2(given, number)
        os.close(given)
        old = getattr(sys, name)
        new = open(number, old.mode, encoding=old.encoding, errors=old.errors, closefd=False)  # noqa: SIM115
        new.reconfigure(line_buffering=name == "stderr" or new.isatty())
        setattr(sys, name, new)


def _play() -> None:
    """Python's own way out touches all that was ever loaded, and so copies what is shared with the server."""
    import atexit  # noqa: PLC0415
    import gc  # noqa: PLC0415
    import runpy  # noqa: PLC0415
    import threading  # noqa: PLC0415

    try:
        runpy.run_module("trialkit", run_name="__main__", alter_sys=True)
    except SystemExit as leaving:
        if not isinstance(leaving.code, int | None):
            raise
        status = leaving.code or 0
    else:
        status = 0
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    gc.collect()  # what was not awaited or not closed says so
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


if __name__ == "__main__":
    verb, path, *arguments = sys.argv[1:]
    if verb == "run":
        _run(path, arguments)
    _serve(path)
    _play()
