"""Keeps keys out of everything that is shown or stored."""

import os
import re
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from os.path import commonprefix

from trialkit.errors import InputError

from .secret_forms import Places, as_it_stands, forms, places_of_escapes, squeezed, unescaped
from .secret_values import counts, of_environment, of_variable, shows_secret

_HIDDEN = "[redacted]"
#: The piece of each form that a text is searched for.
_PIECE = 8
#: A piece begins, where it can, with what is rare in text: there the search may stop.
_RARITY = {char: place for place, char in enumerate('etaoinsrhldcumfpgwybv",:.{}[]()kxjqz/=_-+')}
#: A shorter form with a few spaces in it is words that stand side by side.
_SPACED = 12


class Secrets:
    """Values that must never be seen, and all shapes that a copy of them may have."""

    def __init__(self, values: Iterable[str | None] = ()) -> None:
        self._search = _search(frozenset(value for value in values if value and counts(value)))

    @classmethod
    def of_environment(cls, *more: str | None) -> "Secrets":
        """Every variable that is named like a secret or looks like one."""
        return cls.of_variables(os.environ, *more)

    @classmethod
    def of_variables(cls, variables: Mapping[str, str], *more: str | None) -> "Secrets":
        return cls([*(value for _, value in of_environment(variables)), *more])

    def hide(self, text: str) -> str:
        return self._search.hide(text)


def refuse_kept_secret(value: object, source: str) -> None:
    """InputError where some text of what a run file is to keep shows a key. `source` is who says it."""
    if isinstance(value, str) and (shows_secret(value) or Secrets.of_environment().hide(value) != value):
        fix = "export it, and leave it out here; --agent-env NAME gives a variable to an agent's program"
        raise InputError(f"{source} must not hold a secret: it would stand in the run file; {fix}")
    for part in value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ():
        refuse_kept_secret(part, source)


def showable(value: str) -> str:
    """A setting or a variable as it may be shown: without keys, and of an address what stands before its query."""
    told, _, query = value.partition("?") if "://" in value else (value, "", "")
    return Secrets.of_environment(*of_variable("", told)).hide(told) + ("?…" if query else "")


class _Search:
    """One regular expression for all forms says whether a text may hold one: linear, and mostly all that is done."""

    def __init__(self, values: Collection[str]) -> None:
        self._forms: dict[str, int] = {}
        for value in values:
            for form, enough in forms(value):
                self._forms[form] = min(enough, self._forms.get(form, enough))
        pieces = {_piece(form[:enough]) for form, enough in self._forms.items()}
        self._suspect = re.compile(_any_of(pieces)).search if pieces else None

    def hide(self, text: str) -> str:
        if self._suspect is None:
            return text
        spans = [*self._spans(text, text, as_it_stands)]
        if "\\" in text:
            spans += self._spans(text, unescaped(text), places_of_escapes)
        if not spans:
            return text
        kept, at = [], 0
        for start, stop in sorted(spans):
            if stop > at:
                if start >= at:
                    kept += [text[at : _before_escape(text, start, at)], _HIDDEN]
                at = stop
        return "".join([*kept, text[at:]])

    def _spans(self, text: str, read: str, places: Callable[[str], Places]) -> Iterator[tuple[int, int]]:
        """From where to where the text is to be hidden, by what was read of it."""
        flat = squeezed(read)
        if self._suspect is None or self._suspect(flat) is None:
            return
        starts, ends = places(text)
        kept = array("I", (place for place, char in enumerate(read) if not char.isspace()))
        for first, end, length in self._found(flat):
            start, stop = starts[kept[first]], ends[kept[end - 1]]
            spaces = (stop - start) - (end - first)
            if length >= _SPACED or not 0 < spaces < end - first - 1:
                yield start, stop

    def _found(self, flat: str) -> Iterator[tuple[int, int, int]]:
        for form, enough in self._forms.items():
            head, at = form[:enough], 0
            while (found := flat.find(head, at)) >= 0:
                there = flat[found : found + len(form)]
                same = form if there == form else commonprefix((form, there))  # noqa: RUF071 - characters are meant
                at = found + len(same)
                if len(same) < len(form):  # cut: what escapes the next character is not part of it
                    at = found + max(len(same.rstrip("\\")), 1)
                yield found, at, len(form)


@lru_cache(maxsize=32)
def _search(values: frozenset[str]) -> _Search:
    return _Search(values)


def _before_escape(text: str, start: int, at: int) -> int:
    """JSON stays JSON: where the first character hidden was escaped, the backslash goes with it."""
    slashes = start - len(text[at:start].rstrip("\\")) - at
    return start - slashes % 2


def _piece(head: str) -> str:
    last = max(len(head) - _PIECE, 0)
    start = max(range(last + 1), key=lambda place: (_RARITY.get(head[place], 50), -place))
    return head[start : start + _PIECE]


def _any_of(words: Collection[str]) -> str:
    """As a tree: each character of a text is looked at once for all words that begin alike."""
    if "" in words:
        return ""
    branches: dict[str, set[str]] = {}
    for word in words:
        branches.setdefault(word[0], set()).add(word[1:])
    parts = [re.escape(first) + _any_of(rest) for first, rest in sorted(branches.items())]
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"
