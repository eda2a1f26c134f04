"""Means of scores, and the difference of two runs in one.

A score's spread shrinks towards an end of its range: where nearly all cases score 5 of 5, Student's t takes the little
spread that it sees for the truth, and is far too sure of itself. So the spread is taken as it would be at the mean that
is asked about, as Wilson's and Tango's intervals do for rates, with the quantile of Student's t. Of a score without an
end on either side that is Student's t itself. Coverage measured by benchmarks/scores.py.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from math import fsum, inf, sqrt

from .compare import NOTHING, Difference, change_of, deviation_of, paired_amounts, paired_difference, tango
from .distributions import t_quantile, two_sided_t
from .figure import Figure, unknown
from .rate import effective_size, pass_rate, wilson_at

Scores = Sequence[Sequence[float]]
Ends = tuple[float | None, float | None]


def mean_score(cases: Scores, low: float | None = None, high: float | None = None) -> Figure:
    """The mean over cases of their trials' mean, of a score from `low` to `high`; None: there is no end on that side.

    `n` is the number of trials. Scores that are all at an end of the range are passes and fails: see `pass_rate`.
    """
    cases = [scores for scores in cases if scores]
    n = sum(map(len, cases))
    if not n:
        return unknown(0)
    low, high = _ends(cases, low, high)
    if low is not None and high is not None and (passes := _passes(cases, low, high)) is not None:
        rate, span = pass_rate(passes), high - low
        value, least, most = (low + span * (part or 0.0) for part in (rate.value, rate.low, rate.high))
        return Figure(value=value, low=least, high=most, n=n)
    means = list(map(_mean, cases))
    value = _mean(means)
    interval = _interval(means, value, low, high)
    if interval is None:
        return Figure(value=value, low=None, high=None, n=n)
    return Figure(value=value, low=min(interval[0], value), high=max(interval[1], value), n=n)


def score_difference(
    pairs: Sequence[tuple[Sequence[float], Sequence[float]]], low: float | None = None, high: float | None = None
) -> Difference:
    """The difference between two runs' mean scores, given each case's scores before and after.

    The interval holds 0 exactly when the test is not significant. Scores that are all at an end of their range are
    passes and fails: see `paired_difference`.
    """
    pairs = [(before, after) for before, after in pairs if before and after]
    if not pairs:
        return NOTHING
    before, after = zip(*pairs, strict=True)
    low, high = _ends([*before, *after], low, high)
    if low is None or high is None:
        return paired_amounts([(_mean(one), _mean(other)) for one, other in pairs])
    one, other = _passes(before, low, high), _passes(after, low, high)
    if one is not None and other is not None:
        return _scaled(paired_difference(list(zip(one, other, strict=True))), high - low)
    return _scaled(_between([change_of(_mean(a), _mean(b)) / (high - low) for a, b in pairs]), high - low)


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _ends(cases: Scores, low: float | None, high: float | None) -> Ends:
    """A score beyond an end shows that it is none."""
    least, most = min(map(min, cases)), max(map(max, cases))
    return (None if low is None or least < low else low), (None if high is None or most > high else high)


def _passes(cases: Scores, low: float, high: float) -> list[list[bool]] | None:
    """None: a score is neither of both ends."""
    if not set(chain.from_iterable(cases)) <= {low, high}:
        return None
    return [[score == high for score in scores] for scores in cases]


def _interval(
    means: Sequence[float], value: float, low: float | None, high: float | None
) -> tuple[float, float] | None:
    """None: without any spread there is none to be told, unless both ends of the range are known."""
    n = len(means)
    return interval_of_mean(value, deviation_of(means) / sqrt(n), n, low, high, least=n)


def interval_of_mean(
    value: float, error: float, cases: int, low: float | None, high: float | None, *, least: float
) -> tuple[float, float] | None:
    """Around a mean of so many cases with this standard error; it is worth `least` passes and fails, or more."""
    t = t_quantile(max(1, cases - 1))
    if low is not None and high is not None:
        rate = (value - low) / (high - low)
        size = effective_size(rate, (error / (high - low)) ** 2, least=least, most=inf)
        bottom, top = wilson_at(rate, size, t)
        return low + (high - low) * bottom, low + (high - low) * top
    if not error:
        return None
    end = low if low is not None else high
    if end is None:
        return value - t * error, value + t * error
    # the variance shrinks with the distance from the end: (value - mean)² = (t error)² (mean - end) / (value - end)
    shift = (t * error) ** 2 / (value - end) / 2
    half = sqrt((t * error) ** 2 + shift**2)
    return value + shift - half, value + shift + half


def _between(changes: Sequence[float]) -> Difference:
    """Of changes from -1 to 1: Tango's interval and test at the number of pairs that the spread is worth, with t."""
    n, degrees = len(changes), max(1, len(changes) - 1)
    up = fsum(change for change in changes if change > 0) / n
    down = -fsum(change for change in changes if change < 0) / n
    deviation = deviation_of(changes)
    size = max(float(n), (up + down - (up - down) ** 2) * n / deviation**2) if deviation else float(n)
    low, high = tango(up * size, down * size, size, t_quantile(degrees))
    return Difference(
        value=up - down,
        low=low,
        high=high,
        n=n,
        p=two_sided_t((up - down) * sqrt(size / (up + down)), degrees) if up + down else 1.0,
        method="paired score test",
        deviation=deviation,
    )


def _scaled(found: Difference, span: float) -> Difference:
    value, low, high, deviation = (
        None if part is None else part * span for part in (found.value, found.low, found.high, found.deviation)
    )
    return replace(found, value=value, low=low, high=high, deviation=deviation)
