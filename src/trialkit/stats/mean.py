"""Means of amounts: cost, tokens, seconds, steps."""

from collections.abc import Sequence
from math import sqrt

from .distributions import t_quantile
from .figure import Figure, unknown


def mean_by_case(amounts: Sequence[Sequence[float | None]]) -> Figure:
    """The mean over trials, given each case's: trials of one case resemble each other, so cases are what is counted.

    The interval is Student's t at the spread between cases; one case alone has none. Unknown as soon as one amount is:
    a part is not the whole.
    """
    cases = [[value for value in values if value is not None] for values in amounts if values]
    n = sum(map(len, amounts))
    if not n or sum(map(len, cases)) < n:
        return unknown(n)
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
