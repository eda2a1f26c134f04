"""JSON as strangers write it: every value may be of any type."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

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
