"""Means of amounts: cost, tokens, seconds, steps."""

from collections.abc import Sequence
from math import sqrt

from .figure import Figure, unknown


def mean(values: Sequence[float]) -> Figure:
    """The mean of independent values with a 95% interval by Student's t; one value has no interval."""
    return mean_by_case([(value,) for value in values])


def mean_by_case(cases: Sequence[Sequence[float]]) -> Figure:
    """The mean over trials, given each case's: trials of one case resemble each other, so cases are what is counted.

    The interval is Student's t at the spread between cases; one case alone has none.
    """
    cases = [values for values in cases if values]
    n = sum(map(len, cases))
    if not n:
        return unknown(0)
    centre = sum(map(sum, cases)) / n
    if len(cases) == 1:
        return Figure(value=centre, low=None, high=None, n=n)
    half = t_quantile(len(cases) - 1) * sqrt(variance_of_mean(cases, centre))
    low = centre - half
    return Figure(value=centre, low=max(low, 0.0) if min(map(min, cases)) >= 0 else low, high=centre + half, n=n)


def variance_of_mean(cases: Sequence[Sequence[float]], centre: float) -> float:
    """Of a ratio of sums over cases: cases are sampled, each with its trials. There must be two cases or more."""
    clusters, n = len(cases), sum(map(len, cases))
    spread = sum((sum(values) - centre * len(values)) ** 2 for values in cases)
    return clusters / (clusters - 1) * spread / n**2


def t_quantile(degrees: int) -> float:
    """The 97.5% quantile of Student's t: a table where it curves, then the Cornish-Fisher series (error under 1e-4)."""
    table = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)
    if degrees <= len(table):
        return table[degrees - 1]
    z = 1.959963984540054
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3
