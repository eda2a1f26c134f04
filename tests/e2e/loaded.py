"""A process that has loaded trialkit and forks for each command, so that a test pays for the command, not for imports.

`loaded.py serve SOCKET` loads all, says so, and answers there until its standard input ends. `loaded.py run SOCKET
ARGUMENTS` is `python -m trialkit ARGUMENTS` with the standard streams, the folder and the variables that it is given.
"""

import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

#: Variables that Python heeds when it starts; where they differ, a new one has to.
_AT_START = ("LANG", "LC_", "PYTHON", "TZ")
#: What an extra brings is loaded only by a command that uses it.
_EXTRAS = ("fastworkflow", "litellm", "mcp", "pyarrow", "xllamacpp")
_PASSED_ON = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
_ANEW = b"start it anew\n"


def _run(door: str, arguments: list[str]) -> int:
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(door)
        socket.send_fds(link, [b"!"], [0, 1, 2])
        variables = [f"{name}={value}" for name, value in os.environ.items()]
        asked = os.fsencode("\0".join([str(Path.cwd()), str(len(arguments)), *arguments, *variables]))
        link.sendall(len(asked).to_bytes(8, "big") + asked)
        told = link.makefile("rb")
        if (pid := told.readline()) == _ANEW:
            os.execv(sys.executable, [sys.executable, "-m", "trialkit", *arguments])  # noqa: S606 - no shell
        for number in _PASSED_ON:
            signal.signal(number, lambda number, _: os.kill(int(pid), number))
        status = int(told.readline())
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


def _serve(path: str) -> None:
    """Returns in a child for each command, which is all set to be trialkit."""
    import select  # noqa: PLC0415 - `_run` is to start quickly

    _load()
    door = socket.socket(socket.AF_UNIX)
    door.bind(path)
    door.listen()
    print("ready", flush=True)
    while True:
        if sys.stdin in select.select([door, sys.stdin], [], [])[0]:
            os._exit(0)
        link = door.accept()[0]
        if not os.fork():
            door.close()
            return _become(link)
        link.close()
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


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
    gc.freeze()


def _become(link: socket.socket) -> None:
    streams = socket.recv_fds(link, 1, 3)[1]
    told = link.makefile("rwb", buffering=0)
    asked = link.makefile("rb")
    folder, count, *rest = os.fsdecode(asked.read(int.from_bytes(asked.read(8), "big"))).split("\0")
    variables = dict(one.split("=", 1) for one in rest[int(count) :])
    if _at_start(variables) != _at_start(os.environ):
        told.write(_ANEW)
        os._exit(0)
    if pid := os.fork():
        told.write(b"%d\n" % pid)
        told.write(b"%d\n" % os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        os._exit(0)
    for one in (asked, told, link):
        one.close()
    _take(streams)
    os.chdir(folder)
    before, after = (_search_path(one) for one in (os.environ, variables))
    sys.path[:] = [folder, *after, *(one for one in sys.path[1:] if one not in before)]
    os.environ.clear()
    os.environ.update(variables)
    sys.argv[1:] = rest[: int(count)]
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _at_start(variables: "os._Environ[str] | dict[str, str]") -> dict[str, str]:
    heeded = {name: value for name, value in variables.items() if name.startswith(_AT_START)}
    return {name: value for name, value in heeded.items() if name != "PYTHONPATH"}


def _search_path(variables: "os._Environ[str] | dict[str, str]") -> list[str]:
    return [str(Path(one).resolve()) for one in variables.get("PYTHONPATH", "").split(os.pathsep) if one]


def _take(streams: list[int]) -> None:
    for number, (given, name) in enumerate(zip(streams, ("stdin", "stdout", "stderr"), strict=True)):
        os.dup2(given, number)
        os.close(given)
        old = getattr(sys, name)
        new = open(number, old.mode, encoding=old.encoding, errors=old.errors, closefd=False)  # noqa: SIM115
        new.reconfigure(line_buffering=name == "stderr" or new.isatty())
        setattr(sys, name, new)


if __name__ == "__main__":
    verb, path, *arguments = sys.argv[1:]
    if verb == "run":
        sys.exit(_run(path, arguments))
    import runpy

    _serve(path)
    runpy.run_module("trialkit", run_name="__main__", alter_sys=True)
