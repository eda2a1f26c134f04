"""How often trials pass."""

from collections import Counter
from collections.abc import Sequence
from math import sqrt

from .distributions import Z95
from .figure import Figure, unknown
from .shares import mean_share


def wilson(passes: float, n: float, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval. `passes` and `n` may be fractions: an effective sample size."""
    if n <= 0:
        return 0.0, 1.0
    rate = passes / n
    centre = (rate + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * sqrt(max(0.0, rate * (1 - rate)) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    # at the ends the formula gives the end itself up to rounding
    return (0.0 if passes <= 0 else max(0.0, centre - half)), (1.0 if passes >= n else min(1.0, centre + half))


def pass_rate(cases: Sequence[Sequence[bool]]) -> Figure:
    """The mean over cases of the share of a case's trials that pass; `n` counts the trials.

    A case counts the same however many of its trials have a verdict, so that trials that ended in error shift no
    weights. It is pass^1. The interval: see `mean_share`.
    """
    kinds = Counter((sum(trials), len(trials)) for trials in cases if trials)
    n = sum(trials * count for (_, trials), count in kinds.items())
    shares = Counter[float]()
    for (passes, trials), count in kinds.items():
        shares[passes / trials] += count
    return mean_share(shares, trials=n, n=n) if n else unknown(0)


def wilson_at(rate: float, size: float, z: float = Z95) -> tuple[float, float]:
    """Wilson's interval around a rate at a sample size; it never leaves the rate itself out."""
    low, high = wilson(rate * size, size, z)
    return min(low, rate), max(high, rate)


def effective_size(rate: float, variance: float, *, least: float, most: float) -> float:
    """How many independent trials would give the rate this variance.

    Where there is no spread to be seen it is as if a case's trials were all the same one: the least that they can
    be worth.
    """
    if variance <= 0 or rate <= 0 or rate >= 1:
        return least
    return min(most, max(least, rate * (1 - rate) / variance))
