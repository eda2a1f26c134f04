"""Two runs of the same cases: what differs, by how much, and whether it is noise."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import exp, fsum, isclose, lgamma, log, sqrt
from typing import Any

from .distributions import Z95, crossing, t_quantile, two_sided, two_sided_t
from .draws import RESAMPLES, middle, resampled_sums
from .pass_hat import all_of

SIGNIFICANT = 0.05


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """After minus before, over paired cases, with a 95% interval. `p` is two-sided; None: there is nothing to test."""

    value: float | None
    low: float | None
    high: float | None
    n: int  # pairs of cases
    p: float | None
    method: str
    deviation: float | None = None  # standard deviation of one case's difference: what planning goes by

    @property
    def significant(self) -> bool:
        return self.p is not None and self.p < SIGNIFICANT

    def to_data(self) -> dict[str, Any]:
        data = asdict(self)
        del data["deviation"]
        return data


NOTHING = Difference(value=None, low=None, high=None, n=0, p=None, method="none")
Pairs = Sequence[tuple[Sequence[bool], Sequence[bool]]]
#: A case's passes and trials before, then after; of 10,000 cases only a few differ in it.
CaseCounts = tuple[int, int, int, int]


def paired_difference(pairs: Pairs) -> Difference:
    """The difference between two pass rates, given each case's trials before and after.

    A case counts the same however many of its trials have a verdict: else trials that ended in error, which are none,
    would shift the weights, and the rates would differ although no case does.
    One trial each: McNemar's mid-p test. Its interval is the hull of Tango's score interval and of the mid-p one given
    the number of flips, so that it holds 0 if and only if the test is not significant. More trials: see `_resampled`.
    """
    counts = _counts(pairs)
    if not counts:
        return NOTHING
    if any(count[1] > 1 or count[3] > 1 for count in counts):
        return _resampled(counts, (1,))[0]
    n, gained, lost = counts.total(), counts[0, 1, 1, 1], counts[1, 1, 0, 1]
    low, high = tango(gained, lost, n)
    given_low, given_high = _given_flips(gained, lost, n)
    return Difference(
        value=(gained - lost) / n,
        low=min(low, given_low),
        high=max(high, given_high),
        n=n,
        p=mcnemar(gained, lost),
        method="McNemar mid-p",
        deviation=deviation_of((1.0, -1.0, 0.0), (gained, lost, n - gained - lost)),
    )


def paired_pass_hat_all(pairs: Pairs) -> tuple[Difference, ...]:
    """The differences between two runs' pass^1, pass^2 … as far as every case has trials enough in both.

    The first is `paired_difference`.
    """
    counts = _counts(pairs)
    smallest = min((min(count[1], count[3]) for count in counts), default=0)
    if smallest > 1:
        return _resampled(counts, range(1, smallest + 1))
    return (paired_difference(pairs),) if smallest else ()


def paired_amounts(pairs: Sequence[tuple[float, float]]) -> Difference:
    """The mean difference of an amount (dollars, seconds) that each case has before and after: Student's t.

    Where every case changes by the same there is no spread to go by: the sign test tells, and no interval.
    """
    if not pairs:
        return NOTHING
    n, changes = len(pairs), [change_of(before, after) for before, after in pairs]
    value, deviation = fsum(changes) / n, deviation_of(changes)
    if n == 1:
        return Difference(value=value, low=None, high=None, n=1, p=None, method="none")
    if deviation:
        error = deviation / sqrt(n)
        half, p = t_quantile(n - 1) * error, two_sided_t(value / error, n - 1)
        low, high = value - half, value + half
    else:
        p, low, high = mcnemar(n, 0) if value else 1.0, None, None
    return Difference(value=value, low=low, high=high, n=n, p=p, method="paired t", deviation=deviation)


def mcnemar(gained: int, lost: int) -> float:
    """How likely flips are this uneven if each went either way with the same chance: the mid-p test, where the flips
    as they are seen count half, and so no more than the normal approximation has it.

    The exact test is too careful: at 50 pairs of which 20% flip it finds a gain of 10 points in 24% where mid-p finds
    it in 33%, and raises a false alarm in 2.2% instead of 4.1%. Of mid-p it is more than 5.1% only where nearly every
    case flips (7.0% at most).
    """
    if gained == lost:
        return 1.0
    middle = 2 * _mid_tail(max(gained, lost), gained + lost, 0.5)
    return min(1.0, max(middle, two_sided((gained - lost) / sqrt(gained + lost))))


def holm(values: Sequence[float]) -> list[float]:
    """Holm's corrected p-values, in the order given: as many tests were made as there are values."""
    corrected, highest = [0.0] * len(values), 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = highest
    return corrected


def holm_of_known(values: Sequence[float | None]) -> list[float | None]:
    """Where there was nothing to test no test was made."""
    corrected = iter(holm([value for value in values if value is not None]))
    return [None if value is None else next(corrected) for value in values]


def tango(gained: float, lost: float, n: float, z: float = Z95) -> tuple[float, float]:
    """Tango's score interval (1998) for the difference of two paired rates. The counts may be fractions."""

    def score(difference: float) -> float:
        """Falls as the difference grows; z and -z at the ends of the interval."""
        a = 2 * n
        b = -gained - lost + (2 * n - gained + lost) * difference
        c = -lost * difference * (1 - difference)
        q = (sqrt(max(0.0, b * b - 4 * a * c)) - b) / (2 * a)
        variance = n * (2 * q + difference * (1 - difference))
        distance = gained - lost - n * difference
        if variance <= 0:
            return 0.0 if distance == 0 else distance * float("inf")
        return distance / sqrt(variance)

    value = (gained - lost) / n
    low = -1.0 if value <= -1 else crossing(score, z, -1.0, value)
    high = 1.0 if value >= 1 else crossing(score, -z, value, 1.0)
    return low, high


def _given_flips(gained: int, lost: int, n: int) -> tuple[float, float]:
    """The mid-p interval for the share of flips that went up, as a difference."""
    flips = gained + lost
    if not flips:
        return 0.0, 0.0
    seen = gained / flips
    low = 0.0 if not gained else crossing(lambda share: -_mid_tail(gained, flips, share), -0.025, 0.0, seen)
    high = 1.0 if not lost else crossing(lambda share: _mid_tail(lost, flips, 1 - share), 0.025, seen, 1.0)
    return (2 * low - 1) * flips / n, (2 * high - 1) * flips / n


def _mid_tail(least: int, n: int, share: float) -> float:
    """How likely more than `least` of n come up, and half of how likely just so many do."""
    if share <= 0 or share >= 1:
        return 0.0 if share <= 0 else 1.0 - (least == n) / 2
    up, down = log(share), log(1 - share)
    base = lgamma(n + 1)
    chances = [exp(base - lgamma(k + 1) - lgamma(n - k + 1) + k * up + (n - k) * down) for k in range(least, n + 1)]
    return fsum(chances) - chances[0] / 2


def _counts(pairs: Pairs) -> Counter[CaseCounts]:
    return Counter((sum(a), len(a), sum(b), len(b)) for a, b in pairs if a and b)


def _resampled(counts: Counter[CaseCounts], ks: Sequence[int]) -> tuple[Difference, ...]:
    """Of each pass^k: a paired bootstrap over cases, the same for all of them."""
    kinds = sorted(counts)
    times = [counts[kind] for kind in kinds]
    rows = [[all_of(c, d, k) - all_of(a, b, k) for k in ks] for a, b, c, d in kinds]
    # pairs of single trials that would tell as much, if the trials of a case had nothing to do with each other
    most = fsum(2 * count / (1 / kind[1] + 1 / kind[3]) for kind, count in counts.items())
    sums = resampled_sums(rows, times)
    columns = zip(zip(*rows, strict=True), sums.T, strict=True)
    return tuple(_widened(changes, times, drawn, most=most) for changes, drawn in columns)


def _widened(changes: Sequence[float], times: Sequence[int], sums: Any, *, most: float) -> Difference:
    """The bootstrap, widened as Student's t is for few cases.

    Where few cases differ from the rest a bootstrap is too sure of itself, so it is never narrower than Tango's
    interval at the effective number of pairs, or than Student's t; p is the largest of the three tests', so that it
    agrees with the interval. Without Student's t false alarms were up to 5.7%, at 20 cases of eight trials. Measured by
    benchmarks/coverage.py and benchmarks/false_alarms.py.
    """
    n = sum(times)
    counted = list(zip(changes, times, strict=True))
    value = fsum(change * count for change, count in counted) / n
    deviation = deviation_of(changes, times)
    up = fsum(change * count for change, count in counted if change > 0) / n
    down = -fsum(change * count for change, count in counted if change < 0) / n
    spread = up + down - (up - down) ** 2
    size = min(most, max(float(n), spread * n / deviation**2)) if deviation > 0 else float(n)
    low, high = tango(up * size, down * size, size)
    p = two_sided((up - down) * sqrt(size) / sqrt(up + down)) if up + down > 0 else 1.0
    if deviation > 0:
        stretch = t_quantile(n - 1) / Z95 * sqrt(n / (n - 1))
        draws = value + stretch * (sums / n - value)
        resampled_low, resampled_high = middle(draws)
        error = deviation / sqrt(n)
        half = t_quantile(n - 1) * error
        low, high = min(low, resampled_low, value - half), max(high, resampled_high, value + half)
        fewer = min(int((draws <= 0).sum()), int((draws >= 0).sum()))
        # what is beyond the resamples is Student's t's: else no difference would outlive Holm's correction
        counted_p = min(1.0, 2 * (fewer + 1) / (RESAMPLES + 1)) if fewer else 0.0
        p = max(p, counted_p, two_sided_t(value / error, n - 1))
    return Difference(
        value=value,
        low=max(-1.0, min(low, value)),
        high=min(1.0, max(high, value)),
        n=n,
        p=min(1.0, p),
        method="paired bootstrap over cases",
        deviation=deviation,
    )


def change_of(before: float, after: float) -> float:
    """What is rounded differently has not changed."""
    return 0.0 if isclose(before, after, rel_tol=1e-12) else after - before


def deviation_of(values: Sequence[float], times: Sequence[int] | None = None) -> float:
    """Of a sample in which each value stands so many times, or once; 0 where no spread is to be seen but rounding."""
    times = times or [1] * len(values)
    n = sum(times)
    if n < 2:
        return 0.0
    centre = fsum(value * count for value, count in zip(values, times, strict=True)) / n
    found = sqrt(fsum(count * (value - centre) ** 2 for value, count in zip(values, times, strict=True)) / (n - 1))
    return found if found > 1e-12 * max(map(abs, values)) else 0.0
