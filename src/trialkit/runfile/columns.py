"""Records as rows: a field stands in the column of its name, and what is no plain value stands there as JSON.

A new column of a table is one migration, and one field of the table's record.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from functools import partial
from types import NoneType, UnionType
from typing import Any, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from trialkit.models import Reply
from trialkit.text.json import dump
from trialkit.text.plain import plain, values_of
from trialkit.text.whole import whole_text
from trialkit.vocabulary import LARGEST

from .texts import is_long, thinned

R = TypeVar("R")
_Write = Callable[[Any], str]
_Read = Callable[[Any], object]

#: No column can have the name of a keyword of SQL.
_RENAMED = {"group": "grp"}
#: Table → its column in which answers stand.
_ANSWERS = {"calls": "reply", "events": "data", "trials": "output"}


class Columns(Generic[R]):
    """Those that hold a record; its fields that are `elsewhere` have tables of their own."""

    def __init__(self, record: type[R], *, elsewhere: Collection[str] = ()) -> None:
        hints = {name: hint for name, hint in get_type_hints(record).items() if name not in elsewhere}
        self._record = record
        self._values = values_of(tuple(hints))
        self._writers = [(_RENAMED.get(name, name), _codec(hint)[0]) for name, hint in hints.items()]
        self._readers = [(name, *_reader(hint)) for name, hint in hints.items()]
        self.names = ", ".join(column for column, _ in self._writers)

    def of(self, record: R, **more: object) -> dict[str, object]:
        """The row of this record, by column; `more` are columns that no field stands in."""
        row = more
        for (column, write), value in zip(self._writers, self._values(record), strict=True):
            row[column] = value if write is None or value is None else write(value)
        return row

    def read(self, row: Sequence[object], **more: object) -> R:
        """The record of a row that was asked for by `names`; `more` are the fields that are elsewhere."""
        fields = {
            name: value if type(value) is as_it_is else read(value)
            for (name, as_it_is, read), value in zip(self._readers, row, strict=True)
        }
        return self._record(**fields, **more)


def insert(db: sqlite3.Connection, table: str, rows: Iterable[Mapping[str, object]], *, how: str = "INSERT") -> None:
    """Rows that all have the same columns in the same order."""
    listed = [with_texts_away(db, table, row) for row in rows] if table in _ANSWERS else list(rows)
    if listed:
        names = listed[0].keys()
        places = ", ".join("?" * len(names))
        insertion = f"{how} INTO {table} ({', '.join(names)}) VALUES ({places})"
        db.executemany(insertion, [tuple(row.values()) for row in listed])


def with_texts_away(db: sqlite3.Connection, table: str, row: Mapping[str, object]) -> Mapping[str, object]:
    """The row as it is kept: without its long texts."""
    column = _ANSWERS[table]
    written = row[column]
    return {**row, column: thinned(db, written)} if isinstance(written, str) and is_long(written) else row


def read_object(text: str) -> Mapping[str, Any]:
    found = {} if text == "{}" else json.loads(text)
    if not isinstance(found, dict):
        raise TypeError(f"{text[:40]!r} is no JSON object")
    return found


def _codec(hint: object) -> tuple[_Write | None, _Read]:
    """How a value of this type becomes a column's, where it does not stay as it is, and how it is read."""
    parts = [part for part in get_args(hint) if part is not NoneType] if get_origin(hint) is UnionType else [hint]
    kind = get_origin(parts[0]) or parts[0]
    if kind is tuple:
        item = get_args(parts[0])[0]
        return (_write_texts, _read_texts) if item is str else (_write_items, partial(_read_items, item))
    if kind is Mapping:
        return dump, read_amounts if get_args(parts[0])[1] is float else read_object
    if isinstance(kind, type) and is_dataclass(kind):
        return (_write_reply, _read_reply) if kind is Reply else (_write_record, partial(_read_record, kind))
    if kind is str:
        return whole_text, _text
    if kind is Literal:
        return None, partial(_one_of, get_args(parts[0]))
    return None, bool if kind is bool else amount


def _reader(hint: object) -> tuple[type | None, _Read]:
    """Of which type a value is taken as it is, and how any other is read."""
    read = _codec(hint)[1]
    if NoneType in get_args(hint):
        return NoneType, read
    return (str if hint is str else None), read


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(f"{value!r:.40} is no text")


def _one_of(known: Collection[object], value: object) -> object:
    if value in known:
        return value
    raise ValueError(f"{value!r:.40} is none of {', '.join(map(str, known))}")


def amount(value: object) -> float:
    """SQLite keeps any value in any column: a text, or an endless number, would spoil each sum that it comes into."""
    if isinstance(value, int | float) and -LARGEST <= value <= LARGEST:
        return value
    raise TypeError(f"{value!r:.40} is no number that can be counted with")


def known_amount(value: object) -> float | None:
    """None: it is not known."""
    return None if value is None else amount(value)


def read_amounts(text: str) -> Mapping[str, float]:
    return {} if text == "{}" else {name: amount(value) for name, value in read_object(text).items()}


def _write_items(items: Iterable[object]) -> str:
    return dump([plain(item) for item in items])


def _read_items(kind: Callable[..., object], text: str) -> tuple[object, ...]:
    return () if text == "[]" else tuple(kind(**item) for item in json.loads(text))


def _write_record(record: object) -> str:
    return dump(plain(record))


def _read_record(kind: Callable[..., object], text: str) -> object:
    return kind(**read_object(text))


def _write_texts(texts: Iterable[str]) -> str:
    return dump([whole_text(text) for text in texts])


def _read_texts(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(map(_text, json.loads(text)))


def _write_reply(reply: Reply) -> str:
    return dump(reply.to_data())


def _read_reply(text: str) -> Reply:
    return Reply.from_data(json.loads(text))
