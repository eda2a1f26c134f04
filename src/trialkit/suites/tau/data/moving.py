"""Content is fetched within bounds, and moved in whole."""

import resource
from collections.abc import Callable, Iterable
from pathlib import Path

#: All of the content is less than a tenth of it; what is more is meant to fill the disk.
MOST_BYTES = 500_000_000


def bounded() -> None:
    """For a program before it starts: none of its files grows larger, whatever a server sends and however it is packed.

    What it writes beyond fails as on a full disk, with a word of its own: Python has it ignore the signal.
    """
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_BYTES, MOST_BYTES))


def move_in(fresh: Path, target: Path, old: Path, faults: Callable[[Path], Iterable[str]]) -> None:
    """In one step. What stands there is damaged or another version or, if another process was quicker, as good."""
    try:
        if target.exists():
            target.rename(old)
        fresh.rename(target)
    except OSError:
        if any(faults(target)):
            raise
