"""The normal distribution, without scipy."""

from math import erfc, sqrt
from statistics import NormalDist

Z95 = 1.959963984540054  # the quantile of a 95% interval
Z80 = 0.8416212335729143  # the quantile of 80% power


def two_sided(z: float) -> float:
    """How likely a standard normal value is at least this far from zero."""
    return erfc(abs(z) / sqrt(2))


def below(z: float) -> float:
    return NormalDist().cdf(z)
