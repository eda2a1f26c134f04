"""Before spending: the smallest difference that a comparison of two runs would detect, and the size it takes.

Two subjects try the same cases, each `trials` times. What varies between trials is made of three parts. `alike` is the
share that lies between cases: some are hard, some easy. `shared` is the correlation between what is hard for one
subject and for the other: only so much of it cancels where a case's trials are compared, and what does not cancel is
left however many trials there are. `judge` is the share that would differ if the same answers were judged again.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from math import ceil, comb, exp, fsum, inf, pi, sqrt

from .compare import SIGNIFICANT, mcnemar
from .distributions import LIKELY_SEEN, Z95, below, t_quantile

POWER = 0.8
#: What is assumed where no run tells. gpt-4o's four trials of tau-bench airline are .40 alike. Verdicts of pairs of
#: models on tau-bench retail correlate by -.04, .23 and .31, which is `alike` times `shared`.
ALIKE, SHARED = 0.45, 0.3
#: Up to here the power of McNemar's test is summed exactly; above, the normal approximation is within 0.01.
_EXACT_UP_TO = 150
_ENDLESS = 10**9  # trials


@dataclass(frozen=True, kw_only=True, slots=True)
class Design:
    cases: int
    trials: int
    rate: float = 0.5
    alike: float = ALIKE
    shared: float = SHARED
    judge: float = 0.0
    judgings: int = 1  # verdicts on each answer, of which the mean is taken
    deviation: float | None = None  # of a trial's score; None: trials pass or fail
    room: float = inf  # the largest difference that the range of the score has room for


def power(design: Design, difference: float) -> float:
    """How likely a true difference of this size comes out significant (p < 0.05, two-sided)."""
    if design.cases < 2:
        return 0.0
    before, after = design.rate, min(1.0, max(0.0, design.rate + difference))
    passes = design.deviation is None
    if passes and design.trials * design.judgings == 1 and design.cases <= _EXACT_UP_TO:
        return _exact_power(design, before, after)
    size = abs(after - before) if passes else abs(difference)
    deviation = sqrt(_variance(design, _spread(design, before), _spread(design, after)))
    if not deviation or not size:
        return float(size > 0)
    error, t, degrees = deviation / sqrt(design.cases), t_quantile(design.cases - 1), design.cases - 1
    room = (1.0 if passes else design.room) * _mean_change(size, deviation)
    critical = max(t if passes else 0.0, _significant((Z95 if passes else t) * error, room) / error)
    # the spread that is found varies as well
    return below((size / error - critical * (1 - 0.25 / degrees)) / sqrt(1 + critical**2 / (2 * degrees)))


def detectable(design: Design) -> float | None:
    """The smallest gain or loss, whichever has more room, detected with 80% power; None: not even the largest is."""
    high = design.room if design.deviation is not None else max(design.rate, 1 - design.rate)
    if high == inf:
        high = design.deviation or 0.0
        while design.cases > 1 and power(design, high) < POWER:
            high *= 2
    if power(design, _signed(design, high)) < POWER:
        return None
    low = 0.0
    for _ in range(40):
        centre = (low + high) / 2
        low, high = (low, centre) if power(design, _signed(design, centre)) >= POWER else (centre, high)
    return high


def floor(design: Design) -> float | None:
    """The smallest difference that these cases detect however often each is tried; None: not even the largest."""
    return detectable(replace(design, trials=_ENDLESS))


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


def _spread(design: Design, rate: float) -> float:
    """The standard deviation of what a trial is worth."""
    return sqrt(rate * (1 - rate)) if design.deviation is None else design.deviation


def _variance(design: Design, one: float, other: float) -> float:
    """Of one case's difference between its means, given the spread of trials before and after."""
    between = (one - other) ** 2 + 2 * (1 - design.shared) * one * other
    within = 1 - design.alike - design.judge + design.judge / design.judgings
    return design.alike * between + within * (one**2 + other**2) / design.trials


def _mean_change(difference: float, deviation: float) -> float:
    """The mean size of normal changes around a difference."""
    ratio = difference / deviation
    return deviation * (sqrt(2 / pi) * exp(-(ratio**2) / 2) + ratio * (2 * below(ratio) - 1))


def _significant(usual: float, room: float) -> float:
    """The smallest difference that comes out significant, where it would be the usual one if scores had no range.

    Tests take the spread as it would be if there were no difference (see Tango's interval): found / sqrt(1 - found² /
    room), which is larger the closer the difference is to the end of the range.
    """
    if room == inf:
        return usual
    return sqrt(room * (1 - sqrt(max(0.0, 1 - 4 * usual**2 / room))) / 2)


def _exact_power(design: Design, before: float, after: float) -> float:
    together = before * after + design.alike * design.shared * _spread(design, before) * _spread(design, after)
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
