"""Where it comes from that trials are not worth the same: the case, the trial, the judge; and how far two subjects find
the same cases hard.

Sums of squares over cases, as an analysis of variance takes them. Cases are what is sampled, so the intervals are
Student's t at the jackknife's standard error, which leaves out some cases at a time with all that was tried of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum, isfinite, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from .compare import deviation_of
from .distributions import t_quantile
from .figure import Figure, unknown
from .power import ALIKE
from .rate import wilson
from .score import mean_score

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float64]]

_MOST_GROUPS = 100  # of cases that are left out together


@dataclass(frozen=True, kw_only=True, slots=True)
class Tried:
    """One case, by one subject."""

    values: Sequence[float]  # what each trial is worth
    judged: Sequence[Sequence[float]] = ()  # by trial, what its judge said each time that it was asked


#: Cases by name: the same name is the same case, whoever tries it.
Subject = Mapping[str, Tried]


@dataclass(frozen=True, kw_only=True, slots=True)
class Variance:
    """Of trials. `n` counts cases, of the judge's part answers; a `value` of None: nothing tells."""

    deviation: Figure  # the root of the whole
    alike: Figure  # the share that lies between cases
    judge: Figure  # the share that would differ if the same answers were judged again
    rest: Figure  # the share between trials of one case, but for what is known to be the judge's
    shared: Figure  # the correlation of what is hard for one subject and for another: no part of the whole


@dataclass(frozen=True, kw_only=True, slots=True)
class UserVariance:
    """Of trials of one subject that were led by several users, over the cases that all of them led; `n` counts cases.

    The shares are those with these users, each as often: of users that led none nothing is known.
    """

    alike: Figure  # between cases, whoever leads
    user: Figure  # between users of a case: some are harder, or harder on some cases
    rest: Figure  # between trials of a case with the same user


class _Grid(NamedTuple):
    """By case and subject, 0 where there is no such thing."""

    tried: "Array"  # 1 or 0
    mean: "Array"
    within: "Array"  # variance of these very trials
    several: "Array"  # 1 where there is more than one trial
    sampled: "Array"  # variance of trials as estimated from several
    of_mean: "Array"  # the part of it that is in the mean


def variance_of(subjects: Sequence[Subject], low: float | None = None, high: float | None = None) -> Variance:
    """Pooled over subjects; `low` and `high` are the ends of what a trial can be worth."""
    found = [kept for one in subjects if (kept := {name: tried for name, tried in one.items() if tried.values})]
    names = list(dict.fromkeys(name for subject in found for name in subject))
    nothing = unknown(0)
    if len(names) < 2:
        return Variance(deviation=nothing, alike=nothing, judge=nothing, rest=nothing, shared=nothing)
    grid = _grid(found, names)
    deviation = _jackknifed(grid, _deviation, grid.tried.any(axis=1).sum(), None)
    if not deviation.value or deviation.value <= 1e-12:
        return Variance(deviation=deviation, alike=nothing, judge=nothing, rest=nothing, shared=nothing)
    alike = _jackknifed(grid, _alike, grid.several.any(axis=1).sum(), 1.0)
    shared = _jackknifed(grid, _shared, (grid.tried.sum(axis=1) > 1).sum(), 1.0)
    judge = _judge(found, deviation.value**2, None if low is None or high is None else high - low)
    return Variance(deviation=deviation, alike=alike, judge=judge, rest=_rest(alike, judge), shared=shared)


def user_variance(users: Sequence[Subject]) -> UserVariance:
    """By user, the cases; unknown where no case was tried twice with the same user."""
    names = [name for name in users[0] if all(name in one and one[name].values for one in users)]
    if len(names) < 2 or len(users) < 2:
        return UserVariance(alike=unknown(0), user=unknown(0), rest=unknown(0))
    grid = _grid([{name: one[name] for name in names} for one in users], names)
    alike, user, rest = (_jackknifed(grid, part, len(names), 1.0) for part in (_between, _by_user, _by_trial))
    return UserVariance(alike=alike, user=user, rest=rest)


def _between(grid: _Grid) -> float:
    return _led(grid)[0]


def _by_user(grid: _Grid) -> float:
    return _led(grid)[1]


def _by_trial(grid: _Grid) -> float:
    return _led(grid)[2]


def _led(grid: _Grid) -> list[float]:
    """The shares of case, user and trial where every user has tried every case."""
    import numpy as np  # noqa: PLC0415 - likewise

    sampled = _mean(_means(grid.sampled, grid.several), grid.several.sum(axis=0))
    of_mean = np.where(grid.several > 0, grid.of_mean, sampled)
    user = float((grid.mean.var(axis=1, ddof=1) - of_mean.mean(axis=1)).mean())
    pairs = list(combinations(range(grid.mean.shape[1]), 2))
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    parts = (float(_covariance(grid.mean[:, one], grid.mean[:, other], grid.tried[:, one]).mean()), user, sampled)
    return [_ratio(part, sum(parts)) for part in parts]


def _grid(subjects: Sequence[Subject], names: Sequence[str]) -> _Grid:
    import numpy as np  # noqa: PLC0415 - 0.1 s to import

    cells = [[_cell(subject.get(name)) for subject in subjects] for name in names]
    return _Grid(*np.moveaxis(np.array(cells, dtype=float), -1, 0))


def _cell(tried: Tried | None) -> tuple[float, ...]:
    """A row of `_Grid`."""
    if tried is None:
        return (0.0,) * 6
    n, several = len(tried.values), float(len(tried.values) > 1)
    sampled = deviation_of(tried.values) ** 2
    return 1.0, fsum(tried.values) / n, sampled * (n - 1) / n, several, sampled, sampled / n


def _deviation(grid: _Grid) -> float:
    return sqrt(_mean(_totals(grid), grid.tried.sum(axis=0)))


def _totals(grid: _Grid) -> "Array":
    """The variance between trials, by subject."""
    return _covariance(grid.mean, grid.mean, grid.tried) + _means(grid.within, grid.tried)


def _alike(grid: _Grid) -> float:
    """Of what was tried more than once: the spread of means but for what the trials' own makes of it."""
    between = _covariance(grid.mean, grid.mean, grid.several) - _means(grid.of_mean, grid.several)
    n = grid.several.sum(axis=0)
    part = _mean(between, n)
    return _ratio(part, part + _mean(_means(grid.sampled, grid.several), n))


def _shared(grid: _Grid) -> float:
    """The covariance of case means, over what it would be if the same cases were hard for all."""
    import numpy as np  # noqa: PLC0415 - likewise

    pairs = list(combinations(range(grid.tried.shape[1]), 2))
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    both = grid.tried[:, one] * grid.tried[:, other]
    n, spread = both.sum(axis=0), np.sqrt(_totals(grid))
    alike = _alike(grid)
    most = _mean(spread[one] * spread[other], n) * (alike if isfinite(alike) else ALIKE)
    return _ratio(_mean(_covariance(grid.mean[:, one], grid.mean[:, other], both), n), most)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else float("nan")


def _means(values: "Array", told: "Array") -> "Array":
    """Of each column, as far as told."""
    found: Array = (values * told).sum(axis=0) / told.sum(axis=0)
    return found


def _covariance(one: "Array", other: "Array", told: "Array") -> "Array":
    products = (one - _means(one, told)) * (other - _means(other, told))
    found: Array = (products * told).sum(axis=0) / (told.sum(axis=0) - 1)
    return found


def _mean(values: "Array", weights: "Array") -> float:
    """Of those that two cases or more tell of; where none is it is no number."""
    known = weights > 1
    return float((values[known] * weights[known]).sum() / weights[known].sum())


def _jackknifed(grid: _Grid, of: Callable[[_Grid], float], n: int, most: float | None) -> Figure:
    """From 0 to `most`."""
    import numpy as np  # noqa: PLC0415 - likewise

    cases = len(grid.tried)
    groups = np.array_split(np.arange(cases), min(cases, _MOST_GROUPS))
    with np.errstate(all="ignore"):
        value = of(grid)
        left = np.array([of(_Grid(*(np.delete(column, group, axis=0) for column in grid))) for group in groups])
    if not isfinite(value):
        return unknown(int(n))
    value = max(0.0, value if most is None else min(most, value))
    if not np.isfinite(left).all():
        return Figure(value=value, low=None if most is None else 0.0, high=most, n=int(n))
    half = t_quantile(len(groups) - 1) * sqrt((len(groups) - 1) * float(left.var()))
    low, high = max(0.0, value - half), value + half
    if most is not None:
        # where no spread is to be seen, a case more might still show one
        least, highest = wilson(value / most * n, n) if not half else (1.0, 0.0)
        low, high = min(low, least * most), min(most, max(high, highest * most))
    return Figure(value=value, low=low, high=high, n=int(n))


def _judge(subjects: Sequence[Subject], whole: float, span: float | None) -> Figure:
    """Half of the squared difference of two judgings of an answer; the whole is taken as known."""
    again = [
        [deviation_of(said) ** 2 for said in tried.judged if len(said) > 1]
        for subject in subjects
        for tried in subject.values()
    ]
    found = mean_score(again, 0.0, None if span is None else span**2 / 2)
    if found.value is None:
        return found
    low, high = 0.0 if found.low is None else found.low / whole, 1.0 if found.high is None else found.high / whole
    return Figure(value=min(1.0, found.value / whole), low=min(1.0, max(0.0, low)), high=min(1.0, high), n=found.n)


def _rest(alike: Figure, judge: Figure) -> Figure:
    """What the other two leave; its interval is as wide as both of theirs."""
    if alike.value is None or alike.low is None or alike.high is None:
        return alike
    value, low, high = judge.value or 0.0, judge.low or 0.0, judge.high or 0.0
    rest = (1 - alike.value - value, 1 - alike.high - high, 1 - alike.low - low)
    part, least, most = (max(0.0, one) for one in rest)
    return Figure(value=part, low=least, high=most, n=alike.n)
