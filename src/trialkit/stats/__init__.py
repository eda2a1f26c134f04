"""Figures with intervals: pure functions, no I/O."""

from ._figure import Figure, exact
from ._mean import mean
from ._rate import pass_rate, wilson

__all__ = ["Figure", "exact", "mean", "pass_rate", "wilson"]
