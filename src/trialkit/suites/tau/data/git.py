"""The files of one commit of a repository, by git, within bounds."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from trialkit.errors import InputError
from trialkit.suites import Progress

from .moving import BOUNDED, excess

#: A full name of a commit: git then checks that it got this and nothing else.
_FULL = re.compile("[0-9a-f]{40}([0-9a-f]{24})?")


@dataclass(frozen=True, kw_only=True, slots=True)
class Commit:
    """What is to be had, and of whom. InputError where the commit is not named in full."""

    name: str
    url: str
    commit: str
    otherwise: str  # what to do without it, in a clause
    listed: tuple[str, ...] = ()  # folders; none: all
    left_out: tuple[str, ...] = ()  # folders

    def __post_init__(self) -> None:
        if not _FULL.fullmatch(self.commit):
            raise InputError(
                f"--commit {self.commit}: give all 40 digits of the commit, by which what is fetched is checked"
            )

    @property
    def paths(self) -> tuple[str, ...]:
        return (*(self.listed or (".",)), *(f":(exclude){folder}" for folder in self.left_out))


def check_out(store: Path, folder: Path, wanted: Commit, progress: Progress) -> None:
    """The files of one commit, without its history."""
    git = shutil.which("git")
    url, commit = wanted.url, wanted.commit
    if git is None:
        raise InputError(f"git is needed to fetch {wanted.name} and is not on the PATH: install it, {wanted.otherwise}")
    folder.mkdir()
    # A link would lead out of the folder: it is written as the text that it is.
    base = [git, "-c", "core.autocrlf=false", "-c", "core.symlinks=false", "-c", "transfer.fsckObjects=true"]
    base += [f"--git-dir={store}", f"--work-tree={folder}"]
    progress(f"fetching {commit[:12]} of {url} with git")
    for step in (
        ("init", "--quiet"),
        ("fetch", "--progress", "--depth=1", "--", url, commit),
        ("checkout", "--quiet", commit, "--", *wanted.paths),
    ):
        wrong = (_too_much(base, wanted) if step[0] == "checkout" else "") or _run([*base, *step], progress)
        if wrong is not None:
            raise InputError(
                f"`git {' '.join(step)}` failed:\n{wrong}\ncheck the network and the address, {wanted.otherwise}"
            )


def _too_much(base: list[str], wanted: Commit) -> str:
    """Whether the files, which are packed until now, would fill the disk."""
    listed = subprocess.run(  # noqa: S603 - no shell
        [*base, "ls-tree", "-r", "--long", wanted.commit, *wanted.listed], capture_output=True, text=True, check=False
    ).stdout.splitlines()
    lines = [line for line in listed if not any(f"\t{left_out}/" in line for left_out in wanted.left_out)]
    size = sum(int(found) for line in lines if (found := line.split()[3]).isdigit())
    return excess(len(lines), size)


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
