"""FastWorkflow's environments in the user's cache: it pins packages that we need in other versions."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from trialkit.errors import InputError
from trialkit.paths import cache_dir

#: What the worker's fixes were written for and tested with.
VERSION = "2.30.1"
_TESTED_WITH = {VERSION: ("dspy==3.4.1", "litellm==1.106.2")}
_VERSION = re.compile(r"\d+(?:\.\d+|\.?[a-z]+\d+)*")
#: Without these it runs untrained, in a tenth of the space; see worker/fixes.py for what stands in for them.
_HEAVY = ("torch", "transformers", "scikit-learn", "sentencepiece", "pyarrow", "setuptools")
#: Used by it and not declared.
_UNDECLARED = ("rich",)
#: The file that is written last: what lacks it is not whole.
DONE = "trialkit.json"

Say = Callable[[str], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Venv:
    version: str
    slim: bool

    @property
    def folder(self) -> Path:
        return _root() / f"fastworkflow-{self.version}-{'slim' if self.slim else 'full'}"

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def trained(self) -> Path:
        """The workflow with its trained models. FastWorkflow trains only half where its own name is in the path."""
        return _root() / f"fw-{self.version}-trained" / "retail_workflow"

    @property
    def is_installed(self) -> bool:
        return (self.folder / DONE).is_file() and self.python.exists()  # its Python may have gone since

    @property
    def is_trained(self) -> bool:
        return not self.slim and (self.trained.parent / DONE).is_file()


def find_environment() -> Venv:
    """The one to run with: trained before untrained, the tested version before others, slim before full."""
    found = [one for one in _all() if one.is_installed]
    if not found:
        raise InputError(
            "--agent fastworkflow: FastWorkflow is not installed; run `trialkit agents install fastworkflow --slim` "
            "(untrained, 300 MB), or without --slim (with torch, 6 GB, can be trained)"
        )
    return max(found, key=lambda one: (one.is_trained, one.version == VERSION, one.slim, one.version))


def install(version: str, *, slim: bool, say: Say) -> Venv:
    """Whole or not at all; safe to run again."""
    if sys.platform == "win32":
        raise InputError("FastWorkflow needs Linux or macOS, as all agents' programs do; run trialkit under WSL")
    if not _VERSION.fullmatch(version):
        raise InputError(f"--version {version}: not a version of FastWorkflow; write it like {VERSION}")
    environment = Venv(version=version, slim=slim)
    try:
        with _locked(environment, say) as lock:
            if environment.is_installed:
                say(f"FastWorkflow {version} is installed already: {environment.folder}")
                return environment
            say(f"making an environment for FastWorkflow {version} in {environment.folder}")
            _make(environment, _Uv(lock), say)
    except OSError as error:
        raise InputError(
            f"{error.filename or _root()}: cannot be written ({error.strerror or error}); TRIALKIT_CACHE_DIR names "
            "another folder"
        ) from None
    size = sum(path.stat().st_size for path in environment.folder.rglob("*") if path.is_file()) / 1e6
    say(f"installed: {size:,.0f} MB" + (", without torch: the intent router is untrained (mode stub)" if slim else ""))
    return environment


def _make(environment: Venv, uv: "_Uv", say: Say) -> None:
    part = environment.folder.with_name(f"{environment.folder.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        uv("venv", "--quiet", "--python", _python(), str(part))
        _install_packages(part, environment, uv, say)
        (part / DONE).write_text(
            json.dumps({"version": environment.version, "slim": environment.slim}), encoding="utf-8"
        )
        shutil.rmtree(environment.folder, ignore_errors=True)
        part.rename(environment.folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        say("nothing was installed")
        raise


def _install_packages(part: Path, environment: Venv, uv: "_Uv", say: Say) -> None:
    install = ["pip", "install", "--python", str(part / "bin" / "python")]
    tested = _TESTED_WITH.get(environment.version, ())
    if not environment.slim:
        say("installing it with torch and all it needs for training; this is 6 GB and takes minutes")
        uv(*install, f"fastworkflow[training]=={environment.version}", *_UNDECLARED, *tested)
        return
    say("installing it without torch")
    uv(*install, "--no-deps", f"fastworkflow=={environment.version}")
    uv(*install, *_requirements(part), *_UNDECLARED, *tested)


def _requirements(part: Path) -> list[str]:
    """What it declares to need, but for the heavy ones and the extras."""
    script = "import importlib.metadata as m, json; print(json.dumps(m.requires('fastworkflow') or []))"
    done = subprocess.run(  # noqa: S603 - the Python that was just made
        [part / "bin" / "python", "-c", script], capture_output=True, text=True, check=True
    )
    declared: list[str] = json.loads(done.stdout)
    plain = [one for one in declared if "extra ==" not in one]
    return [one for one in plain if not one.replace("(", " ").replace(">", " ").split()[0].startswith(_HEAVY)]


def _python() -> str:
    """Ours, if FastWorkflow takes it; else one that uv finds or fetches."""
    return sys.executable if (3, 11) <= sys.version_info[:2] <= (3, 13) else ">=3.11,<3.14"


class _Uv:
    """Runs uv. It holds the lock too: if we are killed it goes on by itself, and whoever comes next waits for it."""

    def __init__(self, lock: int) -> None:
        program = shutil.which("uv")
        if program is None:
            raise InputError("uv is not on the PATH: it makes FastWorkflow's environment; see docs.astral.sh/uv")
        self._program = program
        self._lock = lock

    def __call__(self, *arguments: str) -> None:
        done = subprocess.run(  # noqa: S603 - found above
            [self._program, *arguments], stdin=subprocess.DEVNULL, pass_fds=[self._lock], check=False
        )
        if done.returncode:
            raise InputError(f"`uv {' '.join(arguments[:2])}` failed with status {done.returncode}; it says why above")


def _root() -> Path:
    return cache_dir() / "agents"


def _all() -> Iterator[Venv]:
    for path in sorted(_root().glob("fastworkflow-*-*")):
        version, _, kind = path.name.removeprefix("fastworkflow-").rpartition("-")
        if kind in {"slim", "full"}:
            yield Venv(version=version, slim=kind == "slim")


@contextmanager
def _locked(environment: Venv, say: Say) -> Iterator[int]:
    """Whoever comes second waits, and finds it done."""
    import fcntl  # noqa: PLC0415 - there is none on Windows

    lock = environment.folder.with_name(f"{environment.folder.name}.lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another installation of it is under way; waiting for its end")
            fcntl.flock(held, fcntl.LOCK_EX)
        yield held.fileno()
