"""CSV as spreadsheets keep it: rows with the line they start on, and cells that no spreadsheet runs as a formula.

Files are UTF-8 (a byte order mark is skipped); lines end in CR LF, as RFC 4180 and Python's csv module have it.
A cell that a spreadsheet could take for a formula is written with one ' in front, which reading takes away again.
Empty cells to the right of the named columns, which spreadsheets like to add, are not part of the table.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from trialkit.errors import InputError

from .files import as_text, read_file

#: Every table here has it.
KEY_COLUMN = "Scenario ID"
# A cell that already has quotes in front of a dangerous character gets one more: else reading would take one too many.
_DANGEROUS = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")  # noqa: RUF001 - spreadsheets read the full-width signs as formulas too
_OTHER_DELIMITERS = {";": "semicolons", "\t": "tabs"}
_NEUTRALISED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")  # noqa: RUF001 - as above


@dataclass(frozen=True, kw_only=True, slots=True)
class CsvRow:
    line: int  # the physical line that it starts on; quoted cells may span several
    cells: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CsvTable:
    columns: tuple[str, ...]
    rows: tuple[CsvRow, ...]
    broken: str | None  # why reading stopped before the end of the file, as `FILE:LINE: …`


def read_table(path: Path) -> CsvTable:
    """The rows of a file; InputError where there is no header to be had. Rows may be shorter or longer than it."""
    text = as_text(read_file(path, "give the path of a CSV file"), path, "save the file as UTF-8 CSV")
    _refuse_other_delimiters(path, text)
    return table_of(text, path)


def table_of(text: str, path: Path, delimiter: str = ",") -> CsvTable:
    """As `read_table`, of a text whose cells are separated by whatever it is."""
    # The limit is the process's own and guards against nothing here: the whole text is in memory already.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter)
    rows: list[CsvRow] = []
    broken = None
    while broken is None:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            broken = f'{path}:{line}: this row cannot be read: {error}; close every quoted cell and write " in it as ""'
            continue
        if cells is None:
            break
        if cells:
            rows.append(CsvRow(line=line, cells=tuple(map(_restored, cells))))
    if not rows:
        raise InputError(broken or f"{path}: the file is empty; its first line must name the columns")
    columns = _without_empty_end(rows[0].cells, 0)
    trimmed = (CsvRow(line=row.line, cells=_without_empty_end(row.cells, len(columns))) for row in rows[1:])
    return CsvTable(columns=columns, rows=tuple(trimmed), broken=broken)


def _without_empty_end(cells: tuple[str, ...], least: int) -> tuple[str, ...]:
    size = len(cells)
    while size > least and not cells[size - 1].strip():
        size -= 1
    return cells[:size]


def _refuse_other_delimiters(path: Path, text: str) -> None:
    header = text.lstrip("\r\n").partition("\n")[0]
    for mark, name in _OTHER_DELIMITERS.items():
        if KEY_COLUMN in [cell.strip(' "\r') for cell in header.split(mark)] and mark in header:
            fix = "save it with commas between the cells, or replace them in an editor that knows CSV"
            raise InputError(f"{path}:1: the cells are separated by {name}, not by commas; {fix}")


def write_rows(columns: Sequence[str], rows: Iterable[Sequence[str | float]]) -> str:
    """The text of a CSV file; to be encoded as UTF-8 and written with its line ends as they are.

    No formula can be made of a number, so one below 0 stays one.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(map(_neutralised, columns))
    writer.writerows([cell and _neutralised(cell) for cell in row] for row in rows)
    return out.getvalue()


def _neutralised(cell: str | float) -> str | float:
    if not isinstance(cell, str) or cell[:1].isalnum():  # as most do
        return cell
    return f"'{cell}" if _DANGEROUS.match(cell) else cell


def _restored(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _NEUTRALISED.match(cell) else cell
