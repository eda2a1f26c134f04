"""Means of amounts: cost, tokens, seconds."""

from collections.abc import Sequence
from statistics import fmean, stdev

from ._figure import Figure


def mean(values: Sequence[float]) -> Figure:
    """The mean with a 95% interval by Student's t; one value has no interval."""
    n = len(values)
    if not n:
        return Figure(value=None, low=None, high=None, n=0)
    centre = fmean(values)
    if n == 1:
        return Figure(value=centre, low=None, high=None, n=1)
    half = _t_quantile(n - 1) * stdev(values) / n**0.5
    low = centre - half
    return Figure(value=centre, low=max(low, 0.0) if min(values) >= 0 else low, high=centre + half, n=n)


def _t_quantile(degrees: int) -> float:
    """The 97.5% quantile of Student's t: a table where it curves, then the Cornish-Fisher series (error under 1e-4)."""
    table = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)
    if degrees <= len(table):
        return table[degrees - 1]
    z = 1.959963984540054
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3
