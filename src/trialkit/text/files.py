"""The one way to read a file that a user named: whole, if it is a file at all, and not beyond all measure."""

import stat
from errno import ENOENT
from pathlib import Path

from trialkit.errors import InputError

from .shown import file_size

#: No table, prompt or result of anybody's is larger; what is takes all of the machine's memory instead.
MOST_BYTES = 1_000_000_000

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def kind_of(path: Path) -> str:
    """`a folder`, `a pipe`; empty: it is a file. OSError where nothing is there."""
    if "\0" in str(path):
        raise FileNotFoundError(ENOENT, "no file has such a name")
    return _KINDS.get(stat.S_IFMT(path.stat().st_mode), "")


def read_file(path: Path, fix: str = "", most: int = MOST_BYTES) -> bytes:
    """Raises `InputError`; `fix` is what to do about it, in a clause of its own.

    Nothing is opened that might keep its reader waiting, or never end.
    """
    try:
        wrong = _wrong(path, most)
        if not wrong:
            return path.read_bytes()
    except OSError as error:
        wrong = f"cannot be read: {error.strerror}"
    raise InputError(f"{path}: {wrong}{fix and '; '}{fix}")


def _wrong(path: Path, most: int) -> str:
    kind, size = kind_of(path), path.stat().st_size
    if kind:
        return f"{kind}, not a file" + ("" if kind == "a folder" else "; save what it gives to a file, and name that")
    told = f"too large ({file_size(size)}; files of up to {file_size(most)} are read)"
    return told if size > most else ""


def read_text(path: Path, fix: str = "", most: int = MOST_BYTES) -> str:
    """The text of a file in UTF-8, lines ending in `\\n`. Raises `InputError`."""
    return as_text(read_file(path, fix, most), path, fix).replace("\r\n", "\n").replace("\r", "\n")


def as_text(data: bytes, source: object, fix: str = "") -> str:
    """What a file holds, without the mark that some editors put at its beginning. Raises `InputError`."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # error.object lacks the byte order mark, if there was one.
        start = error.start + len(data) - len(error.object)
        line = data.count(b"\n", 0, start) + 1
        wrong = f"byte {start + 1} ({data[start]:#04x}) is not UTF-8"
        raise InputError(f"{source}:{line}: {wrong}; {fix or 'save the file as UTF-8'}") from None
