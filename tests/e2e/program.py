"""trialkit as a user runs it: a program with arguments, a working directory and an exit status."""

import atexit
import functools
import os
import selectors
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.loaded import ANEW, ask

#: Bytecode is kept between the programs that a test run starts, wherever the tests' own Python keeps none.
_BYTECODE = {
    "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / f"trialkit-tests-bytecode-{os.getuid()}"),
    "PYTHONDONTWRITEBYTECODE": "",
}
_LOADED = Path(__file__).with_name("loaded.py")
_PATIENCE_S = 120


@functools.cache
def _door() -> str:
    """Where a process that has loaded trialkit is asked for one more: see `loaded.py`."""
    folder = tempfile.mkdtemp(prefix="trialkit-")
    server = subprocess.Popen(
        [sys.executable, _LOADED, "serve", f"{folder}/door"],
        env={**os.environ, **_BYTECODE},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    atexit.register(shutil.rmtree, folder)
    atexit.register(server.communicate)
    assert server.stdout is not None
    assert server.stdout.readline()
    return f"{folder}/door"


def loaded() -> list[str]:
    """What to write before the arguments of trialkit for a program that does not load it first."""
    return [sys.executable, "-I", "-S", str(_LOADED), "run", _door()]


@dataclass(frozen=True, slots=True)
class Result:
    status: int
    out: str
    err: str

    @property
    def text(self) -> str:
        return self.out + self.err


class Program:
    """Runs in a folder of its own, with a cache of its own and no keys but those given."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.results = folder / "eval_results"
        self.env: dict[str, str] = {
            **{name: value for name, value in os.environ.items() if not name.endswith(("_API_KEY", "_BASE_URL"))},
            "TRIALKIT_CACHE_DIR": str(folder / "cache"),
            **_BYTECODE,
            "COLUMNS": "120",
            "NO_COLOR": "1",
        }

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "trialkit", *arguments]

    def __call__(self, *arguments: str, env: Mapping[str, str] | None = None) -> Result:
        variables = {**self.env, **(env or {})}
        done = _asked(arguments, self.folder, variables) or subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=variables,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Result(done.returncode, done.stdout, done.stderr)

    def start(self, *arguments: str, alone: bool = False) -> "subprocess.Popen[str]":
        """`alone`: with no process in between, so that its number is trialkit's."""
        return subprocess.Popen(
            self.command(*arguments) if alone else [*loaded(), *arguments],
            cwd=self.folder,
            env=self.env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run_files(self) -> list[Path]:
        return sorted(self.results.glob("*.trial"))

    def last_run(self) -> Path:
        return self.run_files()[-1]


def _asked(
    arguments: tuple[str, ...], folder: Path, variables: Mapping[str, str]
) -> "subprocess.CompletedProcess[str] | None":
    """As `subprocess.run` of `loaded()`, without the process in between; None: a new Python has to start for it."""
    (out, its_out), (err, its_err), nothing = os.pipe(), os.pipe(), os.open(os.devnull, os.O_RDONLY)
    try:
        with ask(_door(), arguments, str(folder), variables, [nothing, its_out, its_err]) as link:
            for one in (nothing, its_out, its_err):
                os.close(one)
            told, *said = _whole([link.fileno(), out, err], arguments)
    finally:
        os.close(out)
        os.close(err)
    if told == ANEW:
        return None
    texts = (one.decode().replace("\r\n", "\n").replace("\r", "\n") for one in said)
    return subprocess.CompletedProcess(arguments, int(told.split()[1]), *texts)


def _whole(streams: list[int], arguments: tuple[str, ...]) -> list[bytes]:
    """What comes out of each, to its end."""
    said = dict.fromkeys(streams, b"")
    deadline = time.monotonic() + _PATIENCE_S
    with selectors.DefaultSelector() as waiting:
        for one in streams:
            waiting.register(one, selectors.EVENT_READ)
        while waiting.get_map():
            ready = waiting.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                raise subprocess.TimeoutExpired(arguments, _PATIENCE_S, *(said[one] for one in streams[1:]))
            for key, _ in ready:
                part = os.read(key.fd, 1 << 16)
                said[key.fd] += part
                if not part:
                    waiting.unregister(key.fd)
    return [said[one] for one in streams]
