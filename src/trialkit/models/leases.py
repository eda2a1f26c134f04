"""Which trialkit processes of this machine use an endpoint now: a file for each, touched as long as it does."""

import hashlib
import os
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

#: Who has not touched its file for so long has ended, however it did, or asks nothing.
_EXPIRES_S = 10.0
RENEW_S = 2.0


class Leases:
    def __init__(self, folder: Path, endpoint: str, clock: Callable[[], float] = time.time) -> None:
        self._folder = folder / hashlib.sha256(endpoint.encode()).hexdigest()[:32]
        self._own = self._folder / uuid.uuid4().hex
        self._clock = clock
        self._renewed = -RENEW_S
        self._count = 1

    def count(self) -> int:
        """How many there are, this one included, which is renewed. What cannot be written is shared with nobody."""
        now = self._clock()
        if not 0 <= now - self._renewed < RENEW_S:
            self._renewed = now
            with suppress(OSError):
                self._renew(now)
        return self._count

    def _renew(self, now: float) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._own.touch()
        os.utime(self._own, (now, now))
        live = 0
        for other in self._folder.iterdir():
            with suppress(FileNotFoundError):
                if abs(now - other.stat().st_mtime) <= _EXPIRES_S:
                    live += 1
                else:
                    other.unlink()
        self._count = max(1, live)

    def end(self) -> None:
        self._renewed = -RENEW_S
        with suppress(OSError):
            self._own.unlink(missing_ok=True)
