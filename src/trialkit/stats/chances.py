"""The chance to pass from one state: its trials are independent of each other, unlike those of a case in general."""

from math import sqrt

from .figure import Figure, unknown
from .rate import wilson


def chance(passed: int, n: int) -> Figure:
    """With Wilson's interval."""
    if not n:
        return unknown(0)
    low, high = wilson(passed, n)
    return Figure(value=passed / n, low=low, high=high, n=n)


def chance_difference(before: Figure, after: Figure) -> Figure:
    """`after` - `before`, with Newcombe's interval: made of the two of Wilson's (his method 10)."""
    ends = (before.value, before.low, before.high, after.value, after.low, after.high)
    n = before.n + after.n
    if None in ends:
        return unknown(n)
    b, b_low, b_high, a, a_low, a_high = (end or 0.0 for end in ends)
    return Figure(
        value=a - b,
        low=max(-1.0, a - b - sqrt((a - a_low) ** 2 + (b_high - b) ** 2)),
        high=min(1.0, a - b + sqrt((a_high - a) ** 2 + (b - b_low) ** 2)),
        n=n,
    )
