"""pass^k: how likely all of k independent trials of a case succeed (the definition of the tau-bench paper)."""

from collections import Counter
from collections.abc import Sequence
from math import comb, fsum

from .figure import Figure, unknown
from .shares import mean_share


def pass_hat_all(cases: Sequence[Sequence[bool]]) -> tuple[Figure, ...]:
    """pass^1, pass^2 ... as far as every case has trials enough.

    pass^k is the mean over cases of C(passes, k) / C(trials, k), with a 95% interval over cases; `n` is their number.
    Cases without a trial are left out.
    """
    tallies = _tallies(cases)
    smallest = min((n for _, n in tallies), default=0)
    return tuple(_figure(tallies, (k,)) for k in range(1, smallest + 1))


def pass_hat_mean(cases: Sequence[Sequence[bool]], ks: Sequence[int]) -> Figure:
    """The mean of several pass^k as one figure.

    ValueError if a case has fewer than k trials: its pass^k cannot be known, and leaving it out would favour whatever
    made its trials fail to end in a verdict.
    """
    tallies = _tallies(cases)
    if not tallies:
        return unknown(0)
    smallest = min(n for _, n in tallies)
    if not ks or min(ks) < 1 or max(ks) > smallest:
        raise ValueError(f"pass^k for k in {list(ks)}: k must be from 1 to {smallest}, the fewest trials of a case")
    return _figure(tallies, ks)


def all_of(passes: int, n: int, k: int) -> float:
    """How likely k of the n trials, drawn at random, all pass."""
    return comb(passes, k) / comb(n, k)


def _tallies(cases: Sequence[Sequence[bool]]) -> Counter[tuple[int, int]]:
    """How many cases have so many passes of so many trials: of 10,000 cases only a few differ."""
    return Counter((sum(trials), len(trials)) for trials in cases if trials)


def _figure(tallies: Counter[tuple[int, int]], ks: Sequence[int]) -> Figure:
    """The mean of some pass^k."""
    shares = Counter[float]()
    for (passes, n), count in tallies.items():
        shares[fsum(all_of(passes, n, k) for k in ks) / len(ks)] += count
    trials = sum(n * count for (_, n), count in tallies.items())
    return mean_share(shares, trials=trials, n=tallies.total())
