"""JSON as strangers write it: every value may be of any type."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from .short import shown

#: A value that was read from JSON; what is in it is told apart by `isinstance`, or by the functions below.
Json = Mapping[str, "Json"] | Sequence["Json"] | str | int | float | bool | None

#: As short as it can be, in any alphabet.
dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def load(text: str) -> Any:
    """The JSON value, or None where the text is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def items(value: object) -> list[dict[str, Any]]:
    """The objects in a list; nothing where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def word(value: object) -> str:
    """A text; empty where it is none: lists and objects cannot be looked up."""
    return value if isinstance(value, str) else ""


def parse(text: str) -> Any:
    """The value of a JSON text; ValueError says what is wrong and where. A key may not stand twice in one object."""
    try:
        value = json.loads(text, object_pairs_hook=_unique)
        return _cleaned(value) if "\\u" in text else value
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg} (line {error.lineno}, character {error.colno})") from None
    except RecursionError:
        raise ValueError("is not JSON that can be read: nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"is not JSON that can be read: {error}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {shown(twice)} stands twice in one object")
    return found


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(part) for part in value]
    if isinstance(value, dict):
        return {clean(key): _cleaned(part) for key, part in value.items()}
    return value


def clean(text: str) -> str:
    """Without NULs and lone surrogates: a model can write them (as escapes), but no CSV or UTF-8 file can hold them."""
    return "".join("\N{REPLACEMENT CHARACTER}" if c == "\0" or "\ud800" <= c <= "\udfff" else c for c in text)
