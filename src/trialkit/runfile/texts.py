"""Long texts are kept once in a run file, compressed, in however many replies, events and answers they stand.

In the JSON there stands a place instead, `{"$text":"HASH"}`. Both ways it is text that is replaced, not what it means:
JSON may be nested deeper than Python can follow.
"""

import hashlib
import json
import re
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from trialkit.text.json import dump

#: Characters as JSON writes them. Shorter ones are worth more where they are: any program can read them there.
_LONG = 64 * 1024
#: Bytes. Longer ones stay where they are, so that what inflates to more is a bomb; answers have 32 MB.
_MOST = 256 * 1024 * 1024
#: A colon follows the names in objects. They are matched too: else their last quote would be taken for a first one.
_LITERAL = re.compile(r'"(?:[^"\\]++|\\.)*+":?')
_PLACE = re.compile(r'\{"\$text":"([0-9a-f]{64})"\}')


def is_long(written: str) -> bool:
    """Whether there may be a long text in the JSON."""
    return len(written) >= _LONG


def thinned(db: sqlite3.Connection, written: str) -> str:
    """The JSON with its long texts put away."""
    return _LITERAL.sub(partial(_put, db), written) if is_long(written) else written


def whole_rows(db: sqlite3.Connection, rows: Iterable[Sequence[Any]]) -> Iterable[Sequence[Any]]:
    """Rows with their long texts back in their places; of most runs none was put away."""
    if db.execute("SELECT 1 FROM texts").fetchone() is None:
        return rows
    return (_whole(db, row) for row in rows)


def _whole(db: sqlite3.Connection, row: Sequence[Any]) -> list[Any]:
    return [_filled(db, cell) if isinstance(cell, str) and '{"$text":"' in cell else cell for cell in row]


def _put(db: sqlite3.Connection, literal: re.Match[str]) -> str:
    if len(literal[0]) < _LONG or literal[0].endswith(":"):
        return literal[0]
    text = json.loads(literal[0]).encode()
    if len(text) > _MOST:
        return literal[0]
    key = hashlib.sha256(text).hexdigest()
    if db.execute("SELECT 1 FROM texts WHERE hash = ?", (key,)).fetchone() is None:
        db.execute("INSERT INTO texts (hash, zlib) VALUES (?, ?)", (key, zlib.compress(text)))
    return f'{{"$text":"{key}"}}'


def _filled(db: sqlite3.Connection, written: str) -> str:
    return _PLACE.sub(partial(_text, db), written)


def _text(db: sqlite3.Connection, place: re.Match[str]) -> str:
    found = db.execute("SELECT zlib FROM texts WHERE hash = ?", (place[1],)).fetchone()
    if found is None:
        return place[0]
    inflating = zlib.decompressobj()
    try:
        text = inflating.decompress(found[0], _MOST)
    except zlib.error as error:
        raise ValueError(f"a long text: {error}") from None
    if not inflating.eof:
        raise ValueError(f"a long text is cut short, or longer than {_MOST} bytes")
    return dump(text.decode())
