"""Content that was fetched is moved in whole."""

from collections.abc import Callable, Iterable
from pathlib import Path


def move_in(fresh: Path, target: Path, old: Path, faults: Callable[[Path], Iterable[str]]) -> None:
    """In one step. What stands there is damaged or another version or, if another process was quicker, as good."""
    try:
        if target.exists():
            target.rename(old)
        fresh.rename(target)
    except OSError:
        if any(faults(target)):
            raise
