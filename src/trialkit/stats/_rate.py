"""How often trials pass."""

from collections.abc import Sequence
from math import sqrt

from ._figure import Figure

_Z = 1.959963984540054  # the normal quantile of a 95% interval


def wilson(passes: float, n: float) -> tuple[float, float]:
    """Wilson's score interval. `passes` and `n` may be fractions: an effective sample size."""
    if n <= 0:
        return 0.0, 1.0
    rate = passes / n
    centre = (rate + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    half = _Z * sqrt(rate * (1 - rate) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
    # at the ends the formula gives the end itself up to rounding
    return (0.0 if passes <= 0 else max(0.0, centre - half)), (1.0 if passes >= n else min(1.0, centre + half))


def pass_rate(cases: Sequence[Sequence[bool]]) -> Figure:
    """The share of trials that pass, given each case's trials.

    One trial per case: Wilson's interval. More: trials of one case resemble each other, so Wilson's interval is
    taken at the effective sample size that the spread between cases implies, never above the number of trials.
    """
    cases = [trials for trials in cases if trials]
    n = sum(len(trials) for trials in cases)
    if not n:
        return Figure(value=None, low=None, high=None, n=0)
    rate = sum(map(sum, cases)) / n
    low, high = wilson(rate * (size := _effective_size(cases, rate, n)), size)
    return Figure(value=rate, low=min(low, rate), high=max(high, rate), n=n)


def _effective_size(cases: Sequence[Sequence[bool]], rate: float, n: int) -> float:
    clusters = len(cases)
    if clusters == n:
        return n
    if clusters == 1 or rate in {0.0, 1.0}:
        return clusters  # no spread to be seen: as if a case's trials were all the same one
    # variance of a ratio of sums over cases (sampling cases, each with its trials)
    spread = sum((sum(trials) - rate * len(trials)) ** 2 for trials in cases)
    variance = clusters / (clusters - 1) * spread / n**2
    if variance <= 0:
        return n
    return min(float(n), max(1.0, rate * (1 - rate) / variance))
