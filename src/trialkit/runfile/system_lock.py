"""The system's own lock on an open file, freed when its process dies: `flock`, and on Windows that of a byte.

What is open cannot be removed on Windows, and what is locked not be read: there the byte lies far behind the text.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30

    def held(file: int, *, shared: bool) -> bool:  # noqa: ARG001 - there is but one kind
        """Whether it is locked now, and not by somebody else before. Nobody is waited for."""
        os.lseek(file, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        finally:
            os.lseek(file, 0, os.SEEK_SET)
        return True

    def remove_held(file: int, path: Path) -> None:
        os.close(file)
        with suppress(OSError):  # whoever opened it in the meantime keeps it
            path.unlink()

else:
    import fcntl

    def held(file: int, *, shared: bool) -> bool:
        """Whether it is locked now, and not by somebody else before. Nobody is waited for."""
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def remove_held(file: int, path: Path) -> None:
        with suppress(OSError):  # a folder may be gone, and a file may be somebody else's
            path.unlink()
        os.close(file)
