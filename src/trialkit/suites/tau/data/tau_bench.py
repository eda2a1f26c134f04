"""Bringing tau-bench's content into the cache: a pinned commit of its repository by git, checked, moved in whole."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from trialkit.errors import InputError
from trialkit.paths import cache_dir
from trialkit.suites import Progress, Source
from trialkit.suites.tau.suite import tau_suites
from trialkit.suites.tau.v1.source import HOME_VARIABLE, detect, find

from .moving import BOUNDED, excess, move_in

REPOSITORY = "https://github.com/sierra-research/tau-bench"
COMMIT = "59a200c6d575d595120f1cb70fea53cef0632f6b"

_REVISION = ".commit"
#: Recorded runs, which the repository carries and nobody here reads.
_RUNS = "historical_trajectories"
_NOT_THE_RUNS = f":(exclude){_RUNS}"
#: A full name of a commit: git then checks that it got this and nothing else.
_FULL = re.compile("[0-9a-f]{40}([0-9a-f]{24})?")
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
    if not _FULL.fullmatch(commit):
        raise InputError(f"--commit {commit}: give all 40 digits of the commit, by which what is fetched is checked")
    target = cached_tau_bench()
    if _revision(target) == commit and not any(faults(target)):
        progress(f"tau-bench {commit[:12]} is already in {target}")
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".tau-bench-", dir=target.parent) as scratch:
        fresh = Path(scratch) / "fresh"
        _check_out(Path(scratch) / "git", fresh, url, commit, progress)
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


def _check_out(store: Path, folder: Path, url: str, commit: str, progress: Progress) -> None:
    """The files of one commit, without its history and without the recorded runs that the repository carries."""
    git = shutil.which("git")
    if git is None:
        raise InputError(f"git is needed to fetch tau-bench and is not on the PATH: install it, {_OTHERWISE}")
    folder.mkdir()
    # A link would lead out of the folder: it is written as the text that it is.
    base = [git, "-c", "core.autocrlf=false", "-c", "core.symlinks=false", "-c", "transfer.fsckObjects=true"]
    base += [f"--git-dir={store}", f"--work-tree={folder}"]
    progress(f"fetching {commit[:12]} of {url} with git")
    for step in (
        ("init", "--quiet"),
        ("fetch", "--progress", "--depth=1", "--", url, commit),
        ("checkout", "--quiet", commit, "--", ".", _NOT_THE_RUNS),
    ):
        wrong = (_too_much(base, commit) if step[0] == "checkout" else "") or _run([*base, *step], progress)
        if wrong is not None:
            raise InputError(
                f"`git {' '.join(step)}` failed:\n{wrong}\ncheck the network and the address, {_OTHERWISE}"
            )


def _too_much(base: list[str], commit: str) -> str:
    """Whether the files, which are packed until now, would fill the disk."""
    listed = subprocess.run(  # noqa: S603 - no shell
        [*base, "ls-tree", "-r", "--long", commit], capture_output=True, text=True, check=False
    ).stdout.splitlines()
    wanted = [line for line in listed if f"\t{_RUNS}/" not in line]
    size = sum(int(found) for line in wanted if (found := line.split()[3]).isdigit())
    return excess(len(wanted), size)


def _run(command: list[str], progress: Progress) -> str | None:
    """Run git and pass on how far it is. What it said, if it failed; it must not stop to ask for a password."""
    output: list[str] = []
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    with subprocess.Popen(  # noqa: S603 - no shell
        command,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        restore_signals=False,
        preexec_fn=BOUNDED,  # noqa: PLW1509 - it makes one system call, and no thread of ours holds a lock here
    ) as process:
        for line in process.stderr or ():  # universal newlines: a bar that redraws itself is a line each time
            if "%" in line:
                progress(line.strip())
            else:
                output.append(line.strip())
    return "\n".join(output) if process.returncode != 0 else None


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
