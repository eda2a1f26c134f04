"""Words in transcripts: which trials have them. Letters of ASCII may be large or small."""

import json
import sqlite3
import zlib

#: Of an event, what was said and done; its other fields say who and when.
_EVENT = ("text", "calls", "tool", "rule", "detail", "error", "traceback")
_REPLY = ("text", "tool_calls")
_MOST = 256 * 1024 * 1024  # bytes of a long text, as in `texts`


def trials_that_say(db: sqlite3.Connection, words: str) -> frozenset[int]:
    """In what was said or done; where a trial's transcript came in its output alone, in that."""
    needle = _lowered(json.dumps(words, ensure_ascii=False)[1:-1])
    hashes = _long_texts(db, _lowered(words))
    found = _in_column(db, "events", "trial_id", "data", _EVENT, needle, hashes)
    found |= _in_column(db, "calls", "trial_id", "reply", _REPLY, needle, hashes)
    told = "SELECT 1 FROM events WHERE trial_id = trials.id AND kind IN ('reply', 'message', 'tool calls')"
    rows = db.execute(f"SELECT id FROM trials WHERE NOT EXISTS ({told}) AND instr(lower(output), ?)", (needle,))
    return frozenset(found | {trial_id for (trial_id,) in rows})


def _in_column(
    db: sqlite3.Connection,
    table: str,
    trial: str,
    column: str,
    fields: tuple[str, ...],
    needle: str,
    hashes: list[str],
) -> set[int]:
    """Whether it stands in one of the fields is asked only where it stands in the row at all."""
    told = ", ".join(f"'$.{field}'" for field in fields)
    # of several paths it makes an array, in which texts are written as JSON again
    inside = f"instr(lower(json_extract({column}, {told})), ?)"
    query = (
        f"SELECT DISTINCT {trial} FROM {table} WHERE instr(lower({column}), ?) AND json_valid({column}) AND {inside}"
    )
    found = {trial_id for (trial_id,) in db.execute(query, (needle, needle))}
    for hashed in hashes:
        rows = db.execute(f"SELECT DISTINCT {trial} FROM {table} WHERE instr({column}, ?)", (hashed,))
        found |= {trial_id for (trial_id,) in rows}
    return found


def _long_texts(db: sqlite3.Connection, words: str) -> list[str]:
    """The hashes of those that have the words."""
    found = []
    for hashed, packed in db.execute("SELECT hash, zlib FROM texts"):
        try:
            text = zlib.decompressobj().decompress(packed, _MOST).decode()
        except (zlib.error, UnicodeError):
            continue
        if words in _lowered(text):
            found.append(hashed)
    return found


def _lowered(text: str) -> str:
    """As SQLite does it."""
    return "".join(char.lower() if char.isascii() else char for char in text)
