"""The user names an id, an amount or a name that neither its scenario nor anybody in the conversation gave it."""

import re
from bisect import bisect
from collections import deque
from collections.abc import Iterator
from itertools import product
from math import isclose, isnan
from string import ascii_lowercase

from .talk import Turn, UserFault, UserTalk

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,63}){1,4}")
#: `#W2378156`, `JG7FMM`, `yusuf_rossi_9620`, `3821016478`, `94105`: digits and what hangs on them.
_ID = re.compile(r"#?\b[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*\b")
_AMOUNT = re.compile(r"\$\s?(\d[\d,]*(?:\.\d+)?)")
_NAME = re.compile(r"\b(?:[Mm]y (?:full |first and last )?name is|[Nn]ame:) ((?:[A-Z][a-z]+ ){1,2}[A-Z][a-z]+)\b")
#: `17-inch`, `1000-piece`, `256GB`: no id.
_MEASURE = re.compile(r"\d+-?[A-Za-z]+(?:-[A-Za-z]+)*")
_LONGEST_MEASURE = 5
_RECKONED = 24  # of the numbers named last, from which the user may have made its own
_SHORTEST = 4  # digits in an id of digits alone: years, quantities and times of day are none


def invented(talk: UserTalk) -> Iterator[UserFault]:
    if not talk.scenario:
        return
    known = _Known()
    known.hear(talk.scenario)
    told: set[str] = set()
    for turn in talk.turns:
        if turn.by == "user" and turn.said:
            for what, found in _claims(turn):
                if not known.has(what, found) and found not in told:
                    told.add(found)
                    why = f"the user gives the {what} {found}, which nobody gave it"
                    yield UserFault(kind="invented", place=turn.place, why=why, quote=found)
        if turn.said or turn.by == "user":
            known.hear(turn.text)
        if turn.by == "user":
            for text in turn.seen:
                known.hear(text)


class _Known:
    """All words and numbers that the user may know."""

    def __init__(self) -> None:
        self._words: set[str] = set()
        self._addresses: set[str] = set()
        self._ends: set[str] = set()
        self._numbers: set[float] = set()
        self._recent: deque[float] = deque(maxlen=_RECKONED)
        self._reckoned: list[float] | None = None  # in order; None: to be made of the recent ones

    def hear(self, text: str) -> None:
        for word in _WORD.findall(text.casefold()):
            self._words.add(word)
            self._ends.add(word[-_SHORTEST:])
        self._addresses.update(map(str.casefold, _EMAIL.findall(text)))
        numbers = [float(one.replace(",", "")) for one in _NUMBER.findall(text)]
        self._numbers.update(numbers)
        self._recent.extend(numbers)
        self._reckoned = None

    def has(self, what: str, found: str) -> bool:
        if what == "amount":
            return self._adds_up(float(found.strip("$ ").replace(",", "")))
        if what == "address":
            return found.casefold() in self._addresses
        parts = _WORD.findall(found.casefold())
        return all(
            part in self._words or part in self._ends or part.lstrip(ascii_lowercase) in self._words for part in parts
        )

    def _adds_up(self, amount: float) -> bool:
        """Whether it was named, or can be reckoned from two numbers that were."""
        if amount in self._numbers:
            return True
        if self._reckoned is None:
            pairs = product(self._recent, repeat=2)
            self._reckoned = sorted(made for a, b in pairs for made in (a + b, a - b, a * b) if not isnan(made))
        place = bisect(self._reckoned, amount)
        return any(isclose(amount, made, abs_tol=0.005) for made in self._reckoned[max(place - 1, 0) : place + 1])


def _claims(turn: Turn) -> Iterator[tuple[str, str]]:
    text = turn.text
    for found in _EMAIL.findall(text):
        yield "address", found
    text = _EMAIL.sub(" ", text)
    for amount in _AMOUNT.finditer(text):
        yield "amount", amount[0]
    text = _AMOUNT.sub(" ", text)
    for found in _ID.findall(text):
        if _is_id(found):
            yield "id", found
    for name in _NAME.findall(text):
        yield "name", name


def _is_id(word: str) -> bool:
    digits = sum(map(str.isdigit, word))
    if digits == len(word.lstrip("#")):
        return digits > _SHORTEST
    return digits > 0 and len(word) > _LONGEST_MEASURE and not _MEASURE.fullmatch(word)
