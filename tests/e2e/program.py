"""trialkit as a user runs it: a program with arguments, a working directory and an exit status."""

import atexit
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

#: Bytecode is kept between the programs that a test run starts, wherever the tests' own Python keeps none.
_BYTECODE = {
    "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / f"trialkit-tests-bytecode-{os.getuid()}"),
    "PYTHONDONTWRITEBYTECODE": "",
}
_LOADED = Path(__file__).with_name("loaded.py")


@functools.cache
def loaded() -> list[str]:
    """What to write before the arguments of trialkit for a program that does not load it first: see `loaded.py`."""
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
    return [sys.executable, "-I", "-S", str(_LOADED), "run", f"{folder}/door"]


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
        done = subprocess.run(
            [*loaded(), *arguments],
            cwd=self.folder,
            env={**self.env, **(env or {})},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Result(done.returncode, done.stdout, done.stderr)

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            self.command(*arguments),
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
