"""Means of amounts: cost, tokens, seconds, steps."""

from collections.abc import Sequence
from math import sqrt

from .distributions import t_quantile
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
