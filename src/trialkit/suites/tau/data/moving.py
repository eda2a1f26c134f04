"""Content is fetched within bounds, and moved in whole."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

from trialkit.text.shown import file_size

#: All of the content, and once more in an installer's cache, is less than half of it; what is more is meant to fill the
#: disk.
MOST_BYTES = 200_000_000
MOST_FILES = 2_000
_LOOK_S = 0.2
_MOST_SAID = 10_000


def _bound() -> None:
    """For a program before it starts: none of its files grows larger, whatever a server sends and however it is packed.

    What it writes beyond fails as on a full disk, with a word of its own: Python has it ignore the signal.
    """
    import resource  # noqa: PLC0415 - there is none on Windows

    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))


#: What a program calls before it starts; Windows has no such call, and no such limit.
BOUNDED = None if sys.platform == "win32" else _bound


def excess(files: int, size: int) -> str:
    """What to say of so many files of that size in all; empty: they are no more than the content may be."""
    told = f"{files:,} files of {file_size(size)} in all are more than the content has"
    return told if files > MOST_FILES or size > MOST_BYTES else ""


def run_within(folder: Path, command: Sequence[str]) -> str:
    """What went wrong, or nothing. The program's temporary files lie in the folder; it is ended if it fills that."""
    with (
        TemporaryFile(dir=folder) as said,
        subprocess.Popen(  # noqa: S603 - no shell
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            env={**os.environ, "TMPDIR": str(folder)},
            restore_signals=False,
            preexec_fn=BOUNDED,  # noqa: PLW1509 - it makes one system call, and no thread of ours holds a lock here
        ) as process,
    ):
        while True:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_LOOK_S)
                break
            if told := excess(*_filled(folder)):
                process.kill()
                return told
        said.seek(0)
        told = said.read(_MOST_SAID).decode(errors="replace").strip()
    return f"it failed with exit status {process.returncode}:\n{told}" if process.returncode else ""


def _filled(folder: Path) -> tuple[int, int]:
    """Files and bytes, while they come and go."""
    files = size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                size += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118 - of thousands, again and again
                files += 1
    return files, size


def move_in(fresh: Path, target: Path, old: Path, faults: Callable[[Path], Iterable[str]]) -> None:
    """In one step. What stands there is damaged or another version or, if another process was quicker, as good."""
    try:
        if target.exists():
            target.rename(old)
        fresh.rename(target)
    except OSError:
        if any(faults(target)):
            raise
