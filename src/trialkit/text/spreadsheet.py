"""Tables and texts as programs of any country write them: in whatever encoding, whatever stands between cells."""

import csv
import io
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from trialkit.errors import InputError

from .csvfile import CsvTable, table_of
from .files import read_file

_SEPARATORS = ",;\t|"
_SAMPLE = 100
_LATIN = "cp1252"  # what Windows writes in Western Europe and America where it does not write Unicode
_FIX = "save the file as UTF-8"


class Spreadsheet(NamedTuple):
    table: CsvTable
    notice: str  # what was guessed; empty: nothing


def read_spreadsheet(path: Path) -> Spreadsheet:
    """Raises `InputError`."""
    text, notice = decoded(read_file(path, "give the path of a CSV file"), path)
    first, _, rest = text.partition("\n")
    if first.lower().startswith("sep=") and len(first.rstrip("\r")) == len("sep=;"):  # as Excel marks it
        return Spreadsheet(table_of(f"\n{rest}", path, first[4]), notice)
    return Spreadsheet(table_of(text, path, _separator(text)), notice)


def read_any_text(path: Path) -> tuple[str, str]:
    """A text with its lines ending in `\\n`, and what was guessed; empty: nothing. Raises `InputError`."""
    text, notice = decoded(read_file(path), path)
    return text.replace("\r\n", "\n").replace("\r", "\n"), notice


def decoded(data: bytes, path: Path) -> tuple[str, str]:
    for mark, name in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return _as(data[len(mark) :], name, path), ""
    if b"\0" in data[:1000]:
        return _as(data, "utf-16-le" if data[1:2] == b"\0" else "utf-16-be", path), ""
    try:
        return data.decode(), ""
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
    text = _as(data, _LATIN, path)
    return text, f"{path}:{line}: not UTF-8; read as Windows-1252. If letters look wrong, {_FIX}"


def _as(data: bytes, encoding: str, path: Path) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wrong = f"byte {error.start + 1} ({data[error.start]:#04x}) is neither UTF-8 nor {encoding}"
        raise InputError(f"{path}:{line}: {wrong}; {_FIX}") from None


def _separator(text: str) -> str:
    """The one by which most rows have as many cells as the header, and the more cells the better."""
    found = max(_SEPARATORS, key=lambda mark: _fit(text, mark))
    return found if _fit(text, found) > (0, 0) else ","


def _fit(text: str, separator: str) -> tuple[float, int]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        rows = [len(row) for row in islice(reader, _SAMPLE) if row]
    except csv.Error:
        return 0, 0
    if not rows or rows[0] < 2:
        return 0, 0
    return sum(size == rows[0] for size in rows) / len(rows), rows[0]
