"""Planted secrets, the shapes that a hostile server gives their copies, and a search that finds what is left of any."""

import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

#: Name of a variable → its value. All of them can be told by their name or by what they look like.
PLANTED: Mapping[str, str] = {
    "OPENAI_API_KEY": "sk-proj-C4naryA1bQ7/Lm+Zx2WcR8vNdKq5",
    "OPENAI_API_KEY_2": "C4naryB2-tG9hJ3kL5pQ7rS1uV",
    "MY_PAT": "C4naryC3yH8jK2lP6qR4sT0vW9",
    "DATABASE_URL": "postgres://court:C4naryD4%40wX7zB3nM5vC1@db.example/cases",
    "AWS_SECRET_ACCESS_KEY": "C4naryE5/qW3eR5tY7uI9oP1aS+dF",
    "SENTRY_DSN": "https://C4naryF6fG2hJ4kL6zX8cV@sentry.example/7",
    "NOTES": "use ghp_C4naryG7bN5mQ1wE3rT5yU7iO9pA",
}
#: What must be seen nowhere: of each value the part that is all its own.
SECRETS = {name: re.search(r"(?:ghp_)?C4nary[^@]*", value) for name, value in PLANTED.items()}
CORES = [found[0] for found in SECRETS.values() if found]
#: So much of a copy in a row gives it away; a beginning of twelve characters is what hiding may leave.
_WINDOW = 13

Shape = Callable[[str], str]
SHAPES: Mapping[str, Shape] = {
    "plain": str,
    "capitals": str.upper,
    "cut": lambda value: value[: max(20, len(value) * 3 // 4)] + "…",
    "starred": lambda value: value[:30] + "*" * 8,
    "in an address": lambda value: quote(value, safe=""),
    "base64": lambda value: base64.b64encode(value.encode()).decode(),
    "base64, behind a user": lambda value: base64.b64encode(f"me:{value}".encode()).decode(),
    "base64 for addresses": lambda value: base64.urlsafe_b64encode(value.encode()).decode(),
    "spaced": " ".join,
    "in lines": lambda value: "\n".join(value[place : place + 8] for place in range(0, len(value), 8)),
    "JSON in JSON": lambda value: json.dumps(json.dumps(value)),
    "in code points": lambda value: "".join(f"\\u{ord(char):04x}" for char in value),
}


def copies(shape: str) -> str:
    """All values in this shape."""
    return " and ".join(map(SHAPES[shape], PLANTED.values()))


def leaks(data: bytes) -> list[str]:
    """The secrets of which a piece can be read in it, as it stands, decoded or with spaces taken out."""
    text = data.decode("latin-1")
    readings = {text, "".join(text.split()).lower(), *_decoded(text)}
    squeezed = ["".join(one.replace("\\n", "").replace("\\", "").split()).lower() for one in readings]
    return [name for name, pieces in _PIECES.items() if any(piece in one for piece in pieces for one in squeezed)]


def _decoded(text: str) -> Iterator[str]:
    """What stands in base64, and what in escapes."""
    for run in re.findall(r"[\w+/-]{16,}", text, re.ASCII):
        for start in range(4):
            part = run[start:].translate(str.maketrans("-_", "+/"))
            yield base64.b64decode(part[: len(part) // 4 * 4]).decode("latin-1")
    yield re.sub(r"%([0-9A-Fa-f]{2})", lambda found: chr(int(found[1], 16)), text)
    yield re.sub(r"\\+u00([0-9A-Fa-f]{2})", lambda found: chr(int(found[1], 16)), text)


def _pieces(core: str) -> set[str]:
    small = core.lower()
    return {small[place : place + _WINDOW] for place in range(len(small) - _WINDOW + 1)}


_PIECES = {name: _pieces(core) for name, core in zip(SECRETS, CORES, strict=True)}


def leaks_in(folder: Path) -> dict[str, list[str]]:
    """By file, whatever lies there: the raw bytes, free pages and journals with them."""
    found = {str(path.relative_to(folder)): leaks(path.read_bytes()) for path in folder.rglob("*") if path.is_file()}
    return {name: names for name, names in found.items() if names}
