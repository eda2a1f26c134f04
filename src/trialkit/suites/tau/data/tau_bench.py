"""Bringing tau-bench's content into the cache: a pinned commit of its repository by git, checked, moved in whole."""

import hashlib
import json
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from trialkit.errors import InputError
from trialkit.paths import cache_dir
from trialkit.suites import Progress, Source
from trialkit.suites.tau.suite import tau_suites
from trialkit.suites.tau.v1.source import HOME_VARIABLE, detect, find

from .git import Commit, check_out
from .moving import move_in

REPOSITORY = "https://github.com/sierra-research/tau-bench"
COMMIT = "59a200c6d575d595120f1cb70fea53cef0632f6b"

_REVISION = ".commit"
#: Recorded runs, which the repository carries and nobody here reads.
_RUNS = "historical_trajectories"
_OTHERWISE = f"or name a checkout of your own with --data-dir or {HOME_VARIABLE}"


def cached_tau_bench() -> Path:
    return cache_dir() / "data" / "tau-bench"


def checksums() -> dict[str, str]:
    """Each table by the SHA-256 of its content, as JSON with sorted keys and no blanks: how a file is laid out, or how
    its lines end on this system, is not content. The rest of the repository is pinned by the commit itself.
    """
    return {
        f"{suite.domain}/{table}": checksum
        for suite in tau_suites("tau-bench")
        for table, checksum in suite.checksums.items()
    }


def fetch_tau_bench(progress: Progress, url: str | None = None, commit: str | None = None) -> Path:
    """The folder in the cache, filled if it was not yet. InputError if it cannot be had or is another content."""
    url, commit = url or REPOSITORY, commit or COMMIT
    wanted = Commit(name="tau-bench", url=url, commit=commit, otherwise=_OTHERWISE, left_out=(_RUNS,))
    target = cached_tau_bench()
    if _revision(target) == commit and not any(faults(target)):
        progress(f"tau-bench {commit[:12]} is already in {target}")
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".tau-bench-", dir=target.parent) as scratch:
        fresh = Path(scratch) / "fresh"
        check_out(Path(scratch) / "git", fresh, wanted, progress)
        progress("checking the files")
        if found := list(faults(fresh)):
            raise InputError(
                f"{url} at {commit} is not the tau-bench that trialkit knows: {'; '.join(found)}; "
                f"nothing was kept. Try again without --url and --commit, {_OTHERWISE}"
            )
        (fresh / _REVISION).write_text(f"{commit}\n", encoding="utf-8")
        move_in(fresh, target, Path(scratch) / "old", faults)
    progress(f"tau-bench {commit[:12]} is in {target}")
    return target


def faults(folder: Path) -> Iterator[str]:
    """What of the pinned content is missing in a checkout, or is another."""
    for name, expected in checksums().items():
        domain, table = name.split("/")
        layout = detect(domain, folder)
        if layout is None:
            yield f"the domain {domain} is missing"
            continue
        try:
            rows = layout.table(table)
        except InputError as error:
            yield str(error)
            continue
        found = hashlib.sha256(json.dumps(rows, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
        if found != expected:
            yield f"the content of {name} has the SHA-256 {found} instead of {expected}"


def _revision(folder: Path) -> str | None:
    path = folder / _REVISION
    return path.read_text(encoding="utf-8").strip() if path.is_file() else None


def _locate(data_dir: Path | None) -> Path:
    """A folder with one of its domains will do."""
    *others, last = tau_suites("tau-bench")
    for suite in others:
        with suppress(InputError):
            return find(suite.domain, data_dir).folder.parent
    return find(last.domain, data_dir).folder.parent


SOURCE = Source(
    name="tau-bench",
    title="tau-bench: retail and airline",
    version=f"commit {COMMIT}",
    licence="MIT (Sierra)",
    size="8 MB",
    checksums=checksums,
    origin=REPOSITORY,
    variable=HOME_VARIABLE,
    locate=_locate,
    faults=lambda: faults(cached_tau_bench()),
    fetch=fetch_tau_bench,
)
