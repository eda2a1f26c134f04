"""Bringing the content of tau2 1.0.1 into the cache: its repository at one commit, by git; or its tasks, which are all
that differs, from a folder, laid over the files of the wheel.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from trialkit.errors import InputError
from trialkit.suites import Progress, Source
from trialkit.suites.tau.suite import tau_suites
from trialkit.suites.tau.v2.source import LATER, cached_tau2, locate_tau2
from trialkit.suites.tau.v2.suite import Tau2Suite
from trialkit.text.files import read_file

from .git import Commit, check_out
from .moving import move_in
from .tau2 import checksums as of_the_wheel
from .tau2 import fetch_tau2

REPOSITORY = "https://github.com/sierra-research/tau2-bench"
#: The tag v1.0.1.
COMMIT = "fc0055dc4e0a316c3f83133267fbd6faaa770992"
NAME = f"tau2@{LATER}"

#: What the repository has otherwise than the wheel: code with another head, and lines that end otherwise.
_IN_GIT = {
    "airline/tools.py": "3987f21c286314cb48764f97052934ff4fd60e27a0b2e4a43423911adf8eaa26",
    "airline/data_model.py": "a8083e2f590e4b9b66a65d7cd50b7a0247e4fa33d6961aaeb02e4d92488b3cff",
    "retail/tools.py": "34f4fe9702d36f0dd4697700fbcd63d0cf5386e6eb8e7499aaa336243bad8750",
    "retail/data_model.py": "f5ad09590953855cc49d2ab2ad5c0594be408cae74d1500fb278e5a6bf2c50d6",
    "telecom/tools.py": "388552434d1b8225e33e7958bdb6efccfe92b49e11d1838568d9b559514e9d01",
    "telecom/user_tools.py": "03fa751eeea3734313a3f5274223d42750fd5c1a28f2624265a678f271ac309d",
    "telecom/data_model.py": "f868cbbd344cadf6c376f21976edfa38b8cfe199922748e31eee666f791a0628",
    "telecom/user_data_model.py": "27be0006694e9a740dd378f42099d6d1afecbd445f7906aedcd1f800087377c2",
    "simulation_guidelines.md": "740a29dfa64d7bc08eea3bf7493575b914a63f744acbaf7f199ee07eddaf72d3",
    "simulation_guidelines_tools.md": "cbf3d8a4d8642fd04e559862f1afef55d7dd4e6a7e727ca49e239023c599de0c",
}
_OTHERWISE = (
    "or give a folder that has airline/tasks.json and retail/tasks.json of 1.0.1 as --url: they are laid over the "
    "files of tau2@26.3"
)
#: Of the repository, what is read.
_FOLDERS = ("data/tau2/domains", "data/tau2/user_simulator", "src/tau2/domains")
_DOMAINS = ("airline", "retail", "telecom")
_LISTED = (*(f"{folder}/{one}" for folder in (_FOLDERS[0], _FOLDERS[2]) for one in _DOMAINS), _FOLDERS[1], "LICENSE")


def checksums() -> dict[str, str]:
    """Of the data. How the tools are described differs in nothing but a head that git and the wheel have otherwise."""
    return {name: next(iter(known)) for name, known in _accepted().items() if not name.endswith(".py")}


def fetch_later(progress: Progress, url: str | None = None, commit: str | None = None) -> Path:
    """The folder in the cache, filled if it was not yet. InputError if it cannot be had or is another content."""
    target = cached_tau2(LATER)
    if target.is_dir() and not any(faults(target)):
        progress(f"{NAME} is already in {target}")
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".tau2-", dir=target.parent) as scratch:
        fresh = Path(scratch) / "fresh"
        if url and Path(url).is_dir() and not (Path(url) / ".git").exists() and not (Path(url) / "HEAD").exists():
            _lay_over(fresh, Path(url), progress)
        else:
            wanted = Commit(
                name=NAME, url=url or REPOSITORY, commit=commit or COMMIT, otherwise=_OTHERWISE, listed=_LISTED
            )
            check_out(Path(scratch) / "git", fresh, wanted, progress)
        progress("checking the files")
        if found := list(faults(fresh)):
            raise InputError(
                f"{url or REPOSITORY} is not the {NAME} that trialkit knows: {'; '.join(found)}; nothing was kept"
            )
        move_in(fresh, target, Path(scratch) / "old", faults)
    progress(f"{NAME} is in {target}")
    return target


def _lay_over(fresh: Path, folder: Path, progress: Progress) -> None:
    shutil.copytree(fetch_tau2(progress), fresh)
    for domain in ("airline", "retail"):
        tasks = folder / domain / "tasks.json"
        if not tasks.is_file():
            raise InputError(f"{folder}: no {domain}/tasks.json there; {_OTHERWISE}")
        progress(f"laying {tasks} over the files of tau2@26.3")
        shutil.copyfile(tasks, fresh / "tau2/data/tau2/domains" / domain / "tasks.json")


def faults(folder: Path) -> Iterator[str]:
    """What is missing, or is another, whether it came by git or was laid over the wheel."""
    for name, known in _accepted().items():
        file = next((one for one in _places(folder, name) if one.is_file()), None)
        if file is None:
            yield f"{name} is missing"
        elif (found := hashlib.sha256(read_file(file)).hexdigest()) not in known:
            yield f"{name} has the SHA-256 {found} instead of {' or '.join(known)}"


def _accepted() -> dict[str, tuple[str, ...]]:
    """`domain/file` → its checksum: of this version, else those of the wheel and of the repository."""
    found: dict[str, tuple[str, ...]] = {}
    for suite in tau_suites("tau2"):
        if isinstance(suite, Tau2Suite):
            tasks = next((one for one, version in suite.versions.items() if version == LATER), "")
            for name, checksum in suite.checksums.items():
                known = f"{suite.content_domain}/{name}"
                own = tasks if name == "tasks.json" and tasks else checksum
                found[known] = tuple(filter(None, (own, _IN_GIT.get(known))))
    guides = {name.rpartition("/")[2]: one for name, one in of_the_wheel().items() if "/user_simulator/" in name}
    return found | {name: tuple(filter(None, (one, _IN_GIT.get(name)))) for name, one in guides.items()}


def _places(folder: Path, name: str) -> Iterator[Path]:
    """Where a file lies in a checkout, and in the wheel."""
    if "/" not in name:
        yield from (folder / root / "tau2/user_simulator" / name for root in ("data", "tau2/data"))
    elif name.endswith(".py"):
        yield from (folder / root / "domains" / name for root in ("src/tau2", "tau2"))
    else:
        yield from (folder / root / "tau2/domains" / name for root in ("data", "tau2/data"))


SOURCE = Source(
    name=NAME,
    title="tau2-bench 1.0.1: the tasks that published results are of",
    version=LATER,
    licence="MIT (Sierra Research)",
    size="12 MB to download, 40 MB on disk",
    checksums=checksums,
    origin=f"{REPOSITORY}, commit {COMMIT}",
    variable="",  # it is asked for by its name: --data-dir tau2@1.0.1
    locate=lambda data_dir: locate_tau2(data_dir or Path(NAME)),
    faults=lambda: faults(cached_tau2(LATER)),
    fetch=fetch_later,
)
