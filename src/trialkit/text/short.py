"""Short forms of strangers' text, for messages."""

import json
from collections.abc import Callable, Iterable
from difflib import get_close_matches


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


def near_or(
    name: str, known: Iterable[str], otherwise: str, form: Callable[[str], str] = shown, cutoff: float = 0.6
) -> str:
    """`did you mean "A"? Otherwise`; without the question, and so in small letters, where none of them comes near."""
    near = get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return f"did you mean {form(near[0])}? {otherwise[:1].upper()}{otherwise[1:]}" if near else otherwise
