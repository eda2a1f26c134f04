"""What quality costs: an amount for each pass, and who gives as much for less."""

from collections.abc import Sequence
from math import fsum, sqrt

from .draws import RESAMPLES, resampled_sums
from .figure import Figure, unknown
from .mean import mean_by_case
from .rate import pass_rate

#: Amounts differ from case to case, so that 10,000 cases are 10,000 kinds: 500 resamples of these take 0.25 s,
#: and tell a share within 2 points.
_MOST_DRAWN = 5_000_000


def amount_per_pass(amounts: Sequence[Sequence[float]], passes: Sequence[Sequence[bool]]) -> Figure:
    """The mean amount of a trial over the share of trials that pass, given each case's trials; `n` is their number.

    The interval follows from those of the two (MOVER-R, Donner and Zou 2012), with the correlation that the cases show:
    what costs more often passes less. So where all trials cost the same it is that cost over the ends of the pass rate.
    Simulated coverage 93-99% (10 to 115 cases, rates from 8% to 92%); of the bootstrap over cases 84-99%, and it knows
    no upper end where a tenth of the resamples of few cases holds no pass.
    """
    amount, rate = mean_by_case(amounts), pass_rate(passes)
    if amount.value is None or not rate.value:
        return unknown(amount.n)
    value = amount.value / rate.value
    if amount.low is None or amount.high is None or rate.low is None or rate.high is None:
        return Figure(value=value, low=None, high=None, n=amount.n)
    alike = _correlation(list(map(_mean, amounts)), list(map(_mean, passes)))
    low = _end(amount.value, rate.value, amount.low, rate.high, alike, side=-1)
    high = _end(amount.value, rate.value, amount.high, rate.low, alike, side=1) if rate.low else None
    return Figure(value=value, low=low, high=high, n=amount.n)


def _end(amount: float, rate: float, amount_end: float, rate_end: float, alike: float, *, side: int) -> float:
    """The low end (side -1) from the low end of the amount and the high end of the rate; the high one the other way."""
    centre = amount * rate - alike * abs(amount_end - amount) * abs(rate_end - rate)
    above, below = amount_end * (2 * amount - amount_end), rate_end * (2 * rate - rate_end)
    root = sqrt(max(0.0, centre**2 - above * below))
    if side > 0:
        return (centre + root) / below
    # the other root, so written that it holds where the rate's high end is twice the rate, and `below` nothing
    return above / (centre + root) if above else 0.0


def _correlation(one: Sequence[float], other: Sequence[float]) -> float:
    centre, other_centre = _mean(one), _mean(other)
    both = fsum((a - centre) * (b - other_centre) for a, b in zip(one, other, strict=True))
    spreads = fsum((a - centre) ** 2 for a in one) * fsum((b - other_centre) ** 2 for b in other)
    return both / sqrt(spreads) if spreads > 0 else 0.0


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def dominates(gain: float, saving: float) -> bool:
    """Whether who is better by so much and cheaper by so much leaves nothing to be said for the other."""
    return gain >= 0 and saving >= 0 and (gain > 0 or saving > 0)


def dominance(qualities: Sequence[Sequence[float]], costs: Sequence[Sequence[float]]) -> list[list[float]]:
    """In what share of resamples of the cases each run dominates each other one, given what its cases are worth (more
    is better) and what they cost.
    """
    cases, runs = len(qualities[0]), len(qualities)
    rows = list(zip(*qualities, *costs, strict=True))
    drawn = resampled_sums(rows, [1] * cases, max(1, min(RESAMPLES, _MOST_DRAWN // cases))) / cases
    drawn = drawn.round(12)  # what is summed in another order is no better
    worth, cost = drawn[:, :runs], drawn[:, runs:]
    shares = []
    for run in range(runs):
        gains, savings = worth[:, [run]] - worth, cost - cost[:, [run]]
        shares.append(((gains >= 0) & (savings >= 0) & ((gains > 0) | (savings > 0))).mean(axis=0).tolist())
    return shares
