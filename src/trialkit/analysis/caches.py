"""What lies in the user's cache: how large it is, and what of it nobody needs."""

import shutil
from pathlib import Path
from time import time

from trialkit.paths import cache_dir

#: What fetching or installing takes at the very most; what it left longer ago it does not come back for.
_OLD_S = 24 * 3600


def caches() -> dict[str, int]:
    """Each part that there is, in bytes: stored replies, data, agents."""
    parts = {name: sum(map(_size, files)) for name, files in _parts().items()}
    return {name: size for name, size in parts.items() if size}


def scraps() -> list[Path]:
    """Fetches and installations that were killed, and the locks of earlier versions, which lie beside the runs now."""
    cache = cache_dir()
    begun = [*cache.glob("data/.*"), *cache.glob("agents/*.part")]
    return [*(path for path in begun if time() - path.stat().st_mtime > _OLD_S), *cache.glob("locks")]


def clean(part: str) -> list[Path]:
    """Removes a part of the cache, and says what."""
    gone = _parts()[part]
    for path in gone:
        remove(path)
    return gone


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _parts() -> dict[str, list[Path]]:
    cache = cache_dir()
    return {
        "replies": [*cache.glob("replies.sqlite*")],
        "data": [*cache.glob("data")],
        "agents": [*cache.glob("agents")],
    }


def _size(path: Path) -> int:
    return sum(one.lstat().st_size for one in (path, *path.rglob("*")) if not one.is_dir())
