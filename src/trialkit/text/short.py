"""Short forms of strangers' text, for messages."""

import json


def shown(value: object, limit: int = 60) -> str:
    """A JSON value for a message: on one line, shortened."""
    try:
        written = json.dumps(value, ensure_ascii=False, default=repr)
    except RecursionError:  # what could just be read cannot always be written
        written = "what is nested too deeply to show"
    return shortened(written, limit)


def shortened(text: str, limit: int = 60) -> str:
    """Any text for a message: on one line, no control characters, at most `limit` characters."""
    flat = " ".join(text[: limit * 4].split())
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in flat)
    return safe if len(safe) <= limit and len(text) <= limit * 4 else safe[: limit - 1] + "…"
