"""Before spending: the smallest difference that a comparison of two runs would detect, and the size it takes.

Two subjects try the same cases, each `trials` times. A case has its own chance to pass, the same up to the difference
for both subjects; `between_cases` is the share of the variance between trials that lies between cases (0: none of it,
the cautious choice).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from math import ceil, comb, fsum, inf, sqrt

from .compare import SIGNIFICANT, mcnemar
from .distributions import LIKELY_SEEN, Z80, below, t_quantile

POWER = 0.8
#: Up to here the power of McNemar's test is summed exactly; above, the normal approximation is within 0.01.
_EXACT_UP_TO = 150


@dataclass(frozen=True, kw_only=True, slots=True)
class Design:
    cases: int
    trials: int
    rate: float = 0.5
    between_cases: float = 0.0
    deviation: float | None = None  # of a trial's score; None: trials pass or fail
    room: float = inf  # the largest difference that the range of the score has room for


def power(design: Design, difference: float) -> float:
    """How likely a true difference of this size comes out significant (p < 0.05, two-sided)."""
    if design.cases < 2:
        return 0.0
    if design.deviation is not None:
        error = _error(design, design.deviation)
        return below(abs(difference) / error - t_quantile(design.cases - 1)) if error else float(difference != 0)
    before, after = design.rate, min(1.0, max(0.0, design.rate + difference))
    if design.trials == 1 and design.cases <= _EXACT_UP_TO:
        return _exact_power(design, before, after)
    error = sqrt(_variance(design, before, after) / design.cases)
    if not error:
        return float(after != before)
    critical = t_quantile(design.cases - 1)
    return below(abs(after - before) / error - critical)


def detectable(design: Design) -> float | None:
    """The smallest gain or loss, whichever has more room, detected with 80% power; None: not even the largest is."""
    if design.deviation is not None and design.cases > 1:
        found = (t_quantile(design.cases - 1) + Z80) * _error(design, design.deviation)
        return found if found <= design.room else None
    room = max(design.rate, 1 - design.rate)
    sign = 1 if design.rate <= 0.5 else -1
    if power(design, sign * room) < POWER:
        return None
    low, high = 0.0, room
    for _ in range(30):
        centre = (low + high) / 2
        low, high = (low, centre) if power(design, sign * centre) >= POWER else (centre, high)
    return high


def trials_needed(design: Design, difference: float, most: int = 1000) -> int | None:
    """Trials of each case that detect this difference with 80% power; None: more than `most`."""
    return _smallest(lambda trials: replace(design, trials=trials), difference, most)


def cases_needed(design: Design, difference: float, most: int = 10_000_000) -> int | None:
    """Cases that detect this difference with 80% power, at the design's trials of each; None: more than `most`."""
    return _smallest(lambda cases: replace(design, cases=cases), difference, most)


def pairs_to_exclude(margin: float, deviation: float | None) -> int | None:
    """Cases whose interval leaves out a difference of the margin with 80% power if there is none at all, given the
    standard deviation of a case's difference; None: there is no spread to go by."""
    return ceil((LIKELY_SEEN * deviation / margin) ** 2) if deviation else None


def _smallest(at: Callable[[int], Design], difference: float, most: int) -> int | None:
    """Doubling, then halving: power grows with the size."""
    size = 1
    while power(at(size), _signed(at(size), difference)) < POWER:
        size *= 2
        if size > 2 * most:
            return None
    low, high = size // 2, size
    while high - low > 1:
        centre = (low + high) // 2
        low, high = (low, centre) if power(at(centre), _signed(at(centre), difference)) >= POWER else (centre, high)
    return high if high <= most else None


def _signed(design: Design, difference: float) -> float:
    """Towards the side that has room for it."""
    return abs(difference) if design.rate <= 0.5 else -abs(difference)


def _error(design: Design, deviation: float) -> float:
    """Of the difference of two mean scores."""
    return deviation * sqrt(2 * (1 - design.between_cases) / (design.trials * design.cases))


def _variance(design: Design, before: float, after: float) -> float:
    """Of one case's difference of shares."""
    one, other = sqrt(before * (1 - before)), sqrt(after * (1 - after))
    return design.between_cases * (one - other) ** 2 + (1 - design.between_cases) * (one**2 + other**2) / design.trials


def _exact_power(design: Design, before: float, after: float) -> float:
    together = before * after + design.between_cases * sqrt(before * (1 - before) * after * (1 - after))
    gained, lost = max(0.0, after - together), max(0.0, before - together)
    flips = gained + lost
    if flips <= 0:
        return 0.0
    share, n = min(1.0, gained / flips), design.cases
    return fsum(comb(n, m) * flips**m * max(0.0, 1 - flips) ** (n - m) * _rejected(m, share) for m in range(1, n + 1))


def _rejected(flips: int, share: float) -> float:
    """How likely the test is significant given this many flips."""
    return fsum(
        comb(flips, k) * (share**k * (1 - share) ** (flips - k) + share ** (flips - k) * (1 - share) ** k)
        for k in range(_most_against(flips) + 1)
    )


@cache
def _most_against(flips: int) -> int:
    """The most flips against the rest at which the test is still significant; -1: it never is."""
    limit = -1
    while limit + 1 <= flips // 2 and mcnemar(limit + 1, flips - limit - 1) < SIGNIFICANT:
        limit += 1
    return limit
