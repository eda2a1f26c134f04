"""Reading JSON that a stranger wrote: every value may be of any type."""

import json
from typing import Any

dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def load(text: str) -> Any:
    """The JSON value, or None where the text is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


#: More tokens than any reply takes: beyond it a number is a mistake, which a run file could not even hold.
_MOST_TOKENS = 10**12


class NothingUsableError(Exception):
    """The answer is JSON, but holds nothing that could count as a reply."""


def count(value: Any) -> int | None:
    """A number of tokens, or None where it is no such thing."""
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else None


def items(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; nothing where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def word(value: Any) -> str:
    """A word of the protocol; empty where it is none: lists and objects cannot be looked up."""
    return value if isinstance(value, str) else ""


def text_of(content: Any) -> str:
    """What is said: a string, or the text parts of a list; reasoning and images are no text."""
    if isinstance(content, str):
        return content
    parts = (part.get("text") for part in items(content) if word(part.get("type")) in {"text", "output_text"})
    return "".join(part for part in parts if isinstance(part, str))
