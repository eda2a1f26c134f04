"""What trials that ended in error could make of a figure: an error is no verdict, so nobody knows what it hides."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from .compare import Difference, paired_difference
from .figure import Figure
from .rate import pass_rate
from .score import mean_score, score_difference

#: What each trial of each case is worth; None: it ended in error.
Worths = Sequence[Sequence[float | None]]


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorRates:
    """How often trials ended in error in two runs, and what these errors could make of the difference at the least and
    at the most; None: there is no telling, for the score has no end on that side.
    """

    before: Figure
    after: Figure
    difference: Difference
    least: Difference | None
    most: Difference | None


def known(cases: Worths) -> list[list[float]]:
    return [[worth for worth in worths if worth is not None] for worths in cases]


def error_bounds(cases: Worths, low: float | None, high: float | None) -> Figure | None:
    """The mean, with the worst and the best that errors could make of it; None: there are no errors.

    These ends hold for the cases as they are: they are no confidence interval.
    """
    if not any(None in worths for worths in cases):
        return None
    least, most = (None if end is None else _mean(_filled(cases, end)) for end in (low, high))
    return Figure(value=mean_score(known(cases), low, high).value, low=least, high=most, n=sum(map(len, cases)))


def error_rates(
    pairs: Sequence[tuple[Sequence[float | None], Sequence[float | None]]], low: float | None, high: float | None
) -> ErrorRates | None:
    """Over the cases that both runs have tried; None: neither has errors."""
    tried = [(before, after) for before, after in pairs if before and after]
    befores, afters = [before for before, _ in tried], [after for _, after in tried]
    if not any(None in worths for worths in (*befores, *afters)):
        return None
    failed = [[[worth is None for worth in worths] for worths in side] for side in (befores, afters)]

    def difference(one: float | None, other: float | None) -> Difference | None:
        if one is None or other is None:
            return None
        return score_difference(list(zip(_filled(befores, one), _filled(afters, other), strict=True)), low, high)

    return ErrorRates(
        before=pass_rate(failed[0]),
        after=pass_rate(failed[1]),
        difference=paired_difference(list(zip(*failed, strict=True))),
        least=difference(high, low),
        most=difference(low, high),
    )


def _filled(cases: Worths, end: float) -> list[list[float]]:
    return [[end if worth is None else worth for worth in worths] for worths in cases]


def _mean(cases: Sequence[Sequence[float]]) -> float | None:
    means = [fsum(worths) / len(worths) for worths in cases if worths]
    return fsum(means) / len(means) if means else None
