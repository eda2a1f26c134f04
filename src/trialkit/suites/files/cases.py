"""The cases of a suite: rows of a table, of JSON, of a folder of texts, or written into the suite itself."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from sys import getsizeof
from typing import Any

from trialkit.errors import InputError
from trialkit.text.csvfile import CsvTable
from trialkit.text.files import kind_of, read_file
from trialkit.text.json import JsonError, parse
from trialkit.text.short import shortened, shown
from trialkit.text.shown import file_size
from trialkit.text.spreadsheet import read_any_text, read_spreadsheet
from trialkit.text.template import written
from trialkit.vocabulary import Case

_TABLES, _TEXTS = (".csv", ".tsv", ".tab"), (".txt", ".md")
_KINDS = "CSV, TSV, JSON, JSONL, Parquet, or a folder of .txt files"
_TITLE = 80
#: Of a Parquet file, bytes in memory.
_MOST_UNPACKED = 500_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseRow:
    where: str  # for messages: `tickets.csv:3`
    cells: Mapping[str, Any]
    places: Mapping[str, str] = field(default_factory=dict)  # by column, where each cell has one

    def at(self, column: str | None) -> str:
        return self.places.get(column or "", self.where)


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseRows:
    rows: Sequence[CaseRow]
    columns: Sequence[str]  # all that any row has
    notices: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Naming:
    """Which columns say what a case is called; None: the one of that name, where there is one."""

    id: str | None = None
    group: str | None = None
    title: str | None = None
    tags: str | None = None

    def wishes(self) -> Iterable[tuple[str, str | None]]:
        return (("id", self.id), ("group", self.group), ("title", self.title), ("tags", self.tags))


def read_rows(path: Path) -> CaseRows:
    """InputError tells of all that is wrong."""
    try:
        folder = kind_of(path) == "a folder"
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; name a file with the cases: {_KINDS}") from None
    rows = _texts(path) if folder else _of_a_file(path)
    if not rows.rows:
        raise InputError(f"{path}: there are no cases; write a row for each")
    return rows


def _of_a_file(path: Path) -> CaseRows:
    match path.suffix.lower():
        case ".json":
            return _of_objects(_json(path))
        case ".jsonl" | ".ndjson":
            return _of_objects(_json_lines(path))
        case ".parquet":
            return _of_objects(_parquet(path))
        case ending if ending in (*_TABLES, ".txt"):
            return _table(path)
    raise InputError(f"{path}: cases are read from {_KINDS}; save it as one of these")


def inline_rows(found: Sequence[Mapping[str, Any]], places: Sequence[Mapping[str, str]]) -> CaseRows:
    """`places`: of each case, where it stands, by "", and where its cells do, by their columns."""
    rows = _of_objects((place[""], one) for place, one in zip(places, found, strict=True))
    return replace(rows, rows=[replace(row, places=at) for row, at in zip(rows.rows, places, strict=True)])


def cases_of(rows: CaseRows, naming: Naming) -> list[Case]:
    """A case for each row. InputError names each row that has no id, or one that stands there twice."""
    by_id, by_group, by_title, by_tags = (_column(rows, name, wish) for name, wish in naming.wishes())
    faults, seen, cases = list[str](), dict[str, str](), list[Case]()
    for number, row in enumerate(rows.rows, start=1):
        name = " ".join(written(row.cells.get(by_id)).split()) if by_id else str(number)
        if not name:
            faults.append(f"{row.at(by_id)}: column {shown(by_id)}: is empty; give the case an id")
        elif name in seen:
            wrong = f"value {shortened(name)}: stands at {seen[name]} already"
            faults.append(f"{row.at(by_id)}: column {shown(by_id)}: {wrong}; give each case an id of its own")
        else:
            seen[name] = row.at(by_id)
            title = written(row.cells.get(by_title)) if by_title else _title(row.cells, by_id)
            group = written(row.cells.get(by_group)) if by_group else ""
            tags = _tags(row.cells.get(by_tags)) if by_tags else ()
            title = shortened(title, _TITLE)
            cases.append(Case(id=name, title=title, group=group or "all", tags=tags, data=dict(row.cells)))
    if faults:
        raise InputError("\n".join(faults))
    return cases


def _column(rows: CaseRows, name: str, wish: str | None) -> str | None:
    """One that is not there was told of as any column that is named."""
    if wish is not None:
        return wish if wish in rows.columns else None
    return next((column for column in rows.columns if column.strip().casefold() == name), None)


def _tags(cell: Any) -> tuple[str, ...]:
    texts = map(written, cell) if isinstance(cell, list) else re.split(r"[,|]", written(cell))
    return tuple(dict.fromkeys(tag for text in texts if (tag := " ".join(text.split()))))


def _title(cells: Mapping[str, Any], by_id: str | None) -> str:
    """The longest text: most likely what it is about."""
    texts = [value for column, value in cells.items() if isinstance(value, str) and column != by_id]
    return max(texts, key=len, default="")


def _table(path: Path) -> CaseRows:
    table, notice = read_spreadsheet(path)
    faults = _header_faults(path, table)
    size = len(table.columns)
    filled = [row for row in table.rows if any(cell.strip() for cell in row.cells)]
    faults += [
        f"{path}:{row.line}: the row has {len(row.cells)} cells, the header names {size} columns; "
        "put cells that hold a separator or line break in quotes, and write empty ones too"
        for row in filled
        if len(row.cells) != size
    ]
    faults += [table.broken] if table.broken else []
    if faults:
        raise InputError("\n".join(faults))
    names = [name.strip() for name in table.columns]
    rows = [
        CaseRow(where=f"{path}:{row.line}", cells=dict(zip(names, map(_one_line_end, row.cells), strict=True)))
        for row in filled
    ]
    return CaseRows(rows=rows, columns=names, notices=[notice] if notice else [])


def _one_line_end(cell: str) -> str:
    """The same text is the same case, whichever system wrote the table."""
    return cell.replace("\r\n", "\n").replace("\r", "\n")


def _header_faults(path: Path, table: CsvTable) -> list[str]:
    names = [name.strip() for name in table.columns]
    nameless = [place for place, name in enumerate(names, start=1) if not name]
    twice = [name for name, times in Counter(names).items() if name and times > 1]
    faults = [f"{path}:1: column {place} of {len(names)} has no name; name or remove it" for place in nameless]
    return faults + [f"{path}:1: the column {shown(name)} stands there twice; rename or remove one" for name in twice]


def _json(path: Path) -> Iterable[tuple[str, Any]]:
    found = _parsed(read_any_text(path)[0], path)
    if not isinstance(found, list):
        raise InputError(f"{path}: holds {shown(found, 30)}, not a list of cases; write [{{…}}, {{…}}]")
    return [(f"{path}, case {number}", one) for number, one in enumerate(found, start=1)]


def _json_lines(path: Path) -> Iterable[tuple[str, Any]]:
    rows, faults = list[tuple[str, Any]](), list[str]()
    for number, line in enumerate(read_any_text(path)[0].split("\n"), start=1):
        try:
            rows += [(f"{path}:{number}", _parsed(line, path, number))] if line.strip() else []
        except InputError as error:
            faults.append(str(error))
    if faults:
        raise InputError("\n".join(faults))
    return rows


def _parsed(text: str, path: Path, line: int = 1) -> Any:
    """`line` of the file that the text begins on."""
    try:
        return parse(text, unique=True, finite=True)
    except JsonError as error:
        place = f":{line + error.line - 1}:{error.column}" if error.line else f":{line}" if line > 1 else ""
        fix = "write one JSON value, with keys and texts in double quotes"
        raise InputError(f"{path}{place}: is not JSON: {error.what}; {fix}") from None


def _parquet(path: Path) -> Iterable[tuple[str, Any]]:
    try:
        from pyarrow import ArrowException, parquet  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415
    except ImportError:
        raise InputError(
            f"{path}: reading Parquet needs pyarrow: pip install 'trialkit[parquet]'; or save it as CSV"
        ) from None
    data = read_file(path)
    try:
        found = _unpacked(parquet.ParquetFile(BytesIO(data)), path)
    except (ArrowException, OSError, ValueError, OverflowError) as error:
        raise InputError(f"{path}: cannot be read as Parquet: {shortened(str(error), 200)}; save it as CSV") from None
    return [
        (f"{path}, row {number}", {key: _plain(cell) for key, cell in row.items()})
        for number, row in enumerate(found, start=1)
    ]


def _unpacked(packed: Any, path: Path) -> list[dict[str, Any]]:
    """A part at a time: two megabytes may hold a long text twenty million times."""
    about, rows, size = packed.metadata, list[dict[str, Any]](), 0
    longest = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
    for batch in packed.iter_batches(batch_size=min(1000, max(1, _MOST_UNPACKED // max(longest, 1)))):
        part = batch.to_pylist()
        size += batch.nbytes + sum(getsizeof(one) for row in part for one in (row, *row.values()))
        if size > _MOST_UNPACKED:
            raise InputError(f"{path}: unpacks to more than {file_size(_MOST_UNPACKED)}; keep fewer cases in it")
        rows += part
    return rows


def _plain(value: Any) -> Any:
    """As JSON has it: dates and the like as text."""
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return value if value is None or isinstance(value, str | bool | int | float) else str(value)


def _texts(folder: Path) -> CaseRows:
    files = sorted(file for file in folder.iterdir() if file.suffix.lower() in _TEXTS)
    if not files:
        raise InputError(f"{folder}: a folder without .txt or .md files; put a text for each case there")
    texts = [read_any_text(file) for file in files]
    rows = [
        CaseRow(where=str(file), cells={"id": file.stem, "text": text, "file": file.name})
        for file, (text, _) in zip(files, texts, strict=True)
    ]
    return CaseRows(rows=rows, columns=("id", "text", "file"), notices=[notice for _, notice in texts if notice])


def _of_objects(found: Iterable[tuple[str, Any]]) -> CaseRows:
    rows, faults = list[CaseRow](), list[str]()
    for where, one in found:
        if isinstance(one, Mapping) and one:
            rows.append(CaseRow(where=where, cells=one))
        else:
            faults.append(f"{where}: {shown(one)} is no case; write an object, {{column: value, …}}")
    if faults:
        raise InputError("\n".join(faults))
    return CaseRows(rows=rows, columns=list(dict.fromkeys(column for row in rows for column in row.cells)))
