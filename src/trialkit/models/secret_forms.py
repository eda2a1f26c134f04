"""The shapes that a copy of a secret has: escaped, encoded, cut."""

import base64
import html
import json
import re
from array import array
from collections.abc import Iterator, Sequence
from urllib.parse import quote, quote_plus

#: A copy may be cut after so many characters.
_CUT = 12
#: What many keys begin with; it gives nothing away.
_PUBLIC = re.compile(r"sk-(?:proj-|ant-(?:\w+-)?|or-v\d-)?|gh._|github_pat_|glpat-|hf_|gsk_|xox.-|pypi-|npm_")
_AFTER_PUBLIC = 4
_SHORTEST_ENCODED = 8
_AT_ONCE = 2**16
_ESCAPE = re.compile(r"\\+(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_WHITE = dict.fromkeys("nrtfb", " ")
#: Of each character that was read: where it begins and ends in the text.
Places = tuple[Sequence[int], Sequence[int]]


def forms(value: str) -> Iterator[tuple[str, int]]:
    """Each as `squeezed` gives it, with how much of its beginning is enough to be hidden."""
    whole = "://" in value or any(map(str.isspace, value))
    for form in map(squeezed, _written(value)):
        yield form, len(form) if whole else _enough(value, form)
    for form in map(squeezed, _encoded(value.encode("utf-8", "surrogatepass"))):
        yield form, len(form) if whole else min(_CUT, len(form))


def unescaped(text: str) -> str:
    """As it is after JSON was read of it, once or several times: each escape is the one character that it is for."""
    return _ESCAPE.sub(_meant, text)


def _meant(escape: re.Match[str]) -> str:
    return chr(int(escape[1], 16)) if escape[1] else _WHITE.get(escape[2], escape[2])


def as_it_stands(text: str) -> Places:
    return range(len(text)), range(1, len(text) + 1)


def places_of_escapes(text: str) -> Places:
    """Where in the text each character of it, unescaped, begins and ends."""
    starts, ends, at = array("I"), array("I"), 0
    for escape in _ESCAPE.finditer(text):
        begin, end = escape.span()
        starts.extend(range(at, begin + 1))
        ends.extend(range(at + 1, begin + 1))
        ends.append(end)
        at = end
    starts.extend(range(at, len(text)))
    ends.extend(range(at + 1, len(text) + 1))
    return starts, ends


def squeezed(text: str) -> str:
    """Without spaces and capitals, which copies differ in; as many characters as the text has without spaces.

    By pieces, for the memory: each character is changed by itself.
    """
    return "".join(_squeezed(text[at : at + _AT_ONCE]) for at in range(0, len(text), _AT_ONCE))


def _squeezed(text: str) -> str:
    text = "".join(text.split())
    if not text.isascii():
        text = text.replace("\u0130", "i").replace("\u03a3", "\u03c3")  # the two whose small form is not one letter
    return text.lower()


def _enough(value: str, form: str) -> int:
    """A beginning of letters alone would hide words, so it goes as far as the first sign of a key."""
    public = _PUBLIC.match(value)
    least = max(_CUT, public.end() + _AFTER_PUBLIC if public else 0)
    sign = re.search(r"\d|[a-z][A-Z]", value[public.end() :] if public else value)
    if sign is None and public is None:
        return len(form)
    if sign is not None and public is None:
        least = max(least, sign.end())
    return min(least, len(form))


def _written(value: str) -> set[str]:
    found = {value}
    for _ in range(2):  # a tool's arguments are JSON in JSON
        found |= {json.dumps(one, ensure_ascii=ascii_)[1:-1] for one in found for ascii_ in (True, False)}
    found |= {one.replace("/", "\\/") for one in found}  # as some servers write it
    found |= {html.escape(value), quote_plus(value, errors="replace")}
    found |= {quote(value, safe=safe, errors="replace") for safe in ("", "/", "/:@")}
    data = value.encode("utf-8", "replace")
    found |= {"".join(f"%{byte:02x}" for byte in data), "".join(f"\\u{ord(char):04x}" for char in value)}
    return found | {unescaped(value)}


def _encoded(data: bytes) -> Iterator[str]:
    """In base64, at each of the three places that it can have in a longer text: the characters that are all its own."""
    for before in range(3):
        text = base64.b64encode(bytes(before) + data).decode().rstrip("=")
        first = (before * 8 + 5) // 6
        last = (before + len(data)) * 8 // 6
        own = text[first:last]
        if len(own) >= _SHORTEST_ENCODED:
            yield from {own, own.replace("+", "-").replace("/", "_")}
