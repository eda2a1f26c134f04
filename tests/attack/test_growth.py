"""The work on a text grows with its length and not with its square: a model that loops on one sign stalls no run."""

import functools
import re
from collections.abc import Callable, Iterable
from time import process_time

import pytest

from tests.attack.patterns import COMMON, MADE, Use, all_uses, hostile_texts
from tests.attack.readers import READERS

#: Characters, and the seconds that no linear work takes for as many; a square of them does.
Steps = tuple[tuple[int, float], ...]
_STEPS: Steps = ((24, 0.5), (300, 0.02), (2500, 0.02), (10_000, 0.02))


def seconds(work: Callable[[str], object], text: str) -> float:
    """The better of two, so that a busy machine is not blamed on the text."""
    best = 1e9
    for _ in range(2):
        began = process_time()
        work(text)
        best = min(best, process_time() - began)
        if best < _STEPS[-1][1]:
            break
    return best


def slow(work: Callable[[str], object], texts: Callable[[int], Iterable[str]], steps: Steps = _STEPS) -> str:
    """Of the first text that takes more than three times as long at twice its length; shorter ones tell of worse."""
    for size, most in steps:
        for number, text in enumerate(texts(size)):
            if (first := seconds(work, text)) < most:
                continue
            if size < steps[-1][0]:
                return f"{text[:60]!r}…: {size} characters take {first:.2f} s"
            second = seconds(work, list(texts(2 * size))[number])
            if second > 3 * first:
                return f"{text[:60]!r}…: {size} characters take {first:.2f} s, twice as many {second:.2f} s"
    return ""


def test_every_regular_expression_is_linear() -> None:
    uses = all_uses()
    assert {text for texts in MADE.values() for text in texts} <= {use.pattern.pattern for use in uses.values()}
    found = {told: slow(use, functools.partial(hostile_texts, use.pattern)) for told, use in uses.items()}
    assert {told: why for told, why in found.items() if why} == {}


@pytest.mark.parametrize("pattern", ["(a+)+b", r"\d+(?:\.\d+)*\.x", r"[.!?][^\w\s]* |;", r"_+(?!\w)x", r"(?m)^\s*a"])
def test_a_bad_one_is_seen(pattern: str) -> None:
    bad = Use(re.compile(pattern), "search")
    assert slow(bad, lambda size: hostile_texts(bad.pattern, size)) != ""


#: What a text is made of that is to be hard to read.
_PIECES = [
    *COMMON,
    "{}",
    '{"a":',
    '{"a":1}',
    '{"findings":',
    "[1,",
    "a.",
    "1.",
    "1,",
    "((",
    "**a",
    "a b ",
    '""',
    "\\u0000",
]


def pieces(size: int) -> list[str]:
    return [begin + piece * (size // len(piece)) + "a" for piece in _PIECES for begin in ("", '{"findings": "')]


@pytest.mark.parametrize("name", READERS)
def test_what_reads_strangers_texts_is_bounded(name: str) -> None:
    assert slow(READERS[name].__call__, pieces, ((2000, 0.3), (20_000, 0.3))) == ""
