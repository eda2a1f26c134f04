"""The normal distribution, Student's t and the beta distribution, without scipy."""

from collections.abc import Callable
from functools import cache
from math import erfc, exp, lgamma, log1p, sqrt
from statistics import NormalDist

Z95 = 1.959963984540054  # the quantile of a 95% interval
Z80 = 0.8416212335729143  # the quantile of 80% power
#: How many standard errors a true difference must have to come out significant (p < 0.05) with 80% power.
LIKELY_SEEN = Z95 + Z80


def two_sided(z: float) -> float:
    """How likely a standard normal value is at least this far from zero."""
    return erfc(abs(z) / sqrt(2))


def below(z: float) -> float:
    return NormalDist().cdf(z)


def two_sided_t(t: float, degrees: int) -> float:
    """How likely a value of Student's t is at least this far from zero."""
    square = t * t
    if square in {0.0, float("inf")}:
        return float(not square)
    return beta_below(degrees / 2, 0.5, -log1p(square / degrees), -log1p(degrees / square))


def beta_below(a: float, b: float, log_x: float, log_rest: float) -> float:
    """How likely a value of the beta distribution is below x, given the logarithms of x and of 1 - x.

    Both, for near 0 and 1 one of them cannot be had from the other.
    """
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log_x + b * log_rest)
    if exp(log_x) < (a + 1) / (a + b + 2):
        return min(1.0, front * _continued_fraction(a, b, exp(log_x)) / a)
    return 1 - front * _continued_fraction(b, a, exp(log_rest)) / b


@cache
def t_quantile(degrees: int) -> float:
    """The 97.5% quantile of Student's t: farther from zero than this lie 5%."""
    return crossing(lambda t: two_sided_t(t, degrees), 0.05, 1.9, 13.0)


def crossing(falling: Callable[[float], float], level: float, low: float, high: float) -> float:
    """Where a falling function crosses a level."""
    for _ in range(60):
        centre = (low + high) / 2
        low, high = (centre, high) if falling(centre) > level else (low, centre)
    return (low + high) / 2


def _continued_fraction(a: float, b: float, x: float) -> float:
    """Of the incomplete beta function, by Lentz's method."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 100 + int(10 * sqrt(max(a, b)))):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / (1 + numerator * d)
            c = 1 + numerator / c
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return fraction
