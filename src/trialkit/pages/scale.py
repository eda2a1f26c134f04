"""The scale of a chart: where it begins and ends, and what is written along it."""

import re
from collections.abc import Sequence
from math import ceil, floor, log10

from .amounts import Amount, Change

_NICE = (1, 2, 2.5, 5, 10)
_ZEROS = re.compile(r"(\.\d*?)0+(?=\D*$)")


def ends_of(amounts: Sequence[Amount], low: float | None, high: float | None) -> tuple[float, float]:
    """As they are given; else round ones, around all that is shown, and around 0 where differences are."""
    shown = [end for one in amounts if one.value is not None for end in (one.value, *(one.ends or ()))] or [0.0, 1.0]
    shown += [0.0] * any(isinstance(one, Change) for one in amounts)
    least, most = (min(shown) if low is None else low), (max(shown) if high is None else high)
    if least == most:
        least, most = (least if low is not None else least - 1), (most if high is not None else most + 1)
    step = nice_step((most - least) / 5)
    return floor(least / step) * step if low is None else low, ceil(most / step) * step if high is None else high


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    step = nice_step((high - low) / about)
    return [place * step for place in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def whole_ticks(most: int, about: int = 4) -> range:
    """From 0, for counts."""
    return range(0, most + 1, int(nice_step(most / about, at_least=1)))


def nice_step(size: float, at_least: float = 0) -> float:
    """The next 1, 2, 2.5 or 5 times a power of ten; with `at_least` 1 a whole number."""
    if size <= at_least:
        return at_least or 1
    power = 10.0 ** floor(log10(size))
    found = next(nice * power for nice in _NICE if nice * power >= size * (1 - 1e-9))
    return ceil(found) if at_least else found


def tick_text(shown: str) -> str:
    """Without the zeros that a tick does not need: `20%`, `$0.05`, `1 min`."""
    return _ZEROS.sub(r"\1", shown).replace(". ", " ").replace(".%", "%").removesuffix(".").removesuffix(" 00 s")
