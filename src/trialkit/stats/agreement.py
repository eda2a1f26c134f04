"""How far annotators agree with each other, and a judge with itself."""

from collections import Counter
from collections.abc import Sequence
from math import fsum

from .draws import RESAMPLES, generator, middle
from .figure import Figure, unknown
from .score import mean_score

#: How much of one further case stands at the far end when an end of alpha's interval is sought. Without it 95%
#: intervals held the truth in 67-94% where annotators rarely disagree, with half of one in 91% and more, with this in
#: 93% and more (benchmarks/labels.py).
_FURTHER = 0.75


def krippendorff_alpha(cases: Sequence[Sequence[tuple[int, int]]]) -> Figure:
    """Krippendorff's alpha for pass and fail, any number of annotators, missing labels allowed.

    Given each case's trials: how many annotators passed it and how many failed it. Trials with one label tell nothing
    of agreement and are left out; `n` is the number of the others. The interval is the middle 95% of alphas under
    random weights of the cases (the Bayesian bootstrap), with a bit of one further case: for the low end one in which
    the annotators are split, for the high end one in which they agree.
    """
    import numpy as np  # noqa: PLC0415 - 0.1 s to import

    told = [paired for one in cases if (paired := [(p, f) for p, f in one if p + f > 1])]
    n = sum(map(len, told))
    rows = Counter(_sums(paired) for paired in told)
    passed, failed, split = (fsum(row[place] * count for row, count in rows.items()) for place in range(3))
    if not passed or not failed:
        return unknown(n)
    value = 1 - split * (passed + failed - 1) / (passed * failed)
    if len(told) == 1:
        return Figure(value=value, low=-1.0, high=1.0, n=n)  # one case alone says nothing of others
    trials, labels = n / len(told), (passed + failed) / n
    half = trials * labels / 2
    divided = [(half, half, half * labels / 2 / (labels - 1))]
    agreed = [(2 * half, 0.0, 0.0), (0.0, 2 * half, 0.0)]
    random, ends = generator(), []
    for further, end in ((divided, 0), (agreed, 1)):
        share = [*rows.values(), *[_FURTHER / len(further)] * len(further)]
        weights = random.dirichlet(share, size=RESAMPLES)
        p, f, s = (weights @ np.array([*rows, *further]) * len(told)).T
        ends.append(middle(1 - s * (p + f - 1) / np.maximum(p * f, 1e-12))[end])
    return Figure(value=value, low=max(-1.0, min(ends[0], value)), high=min(1.0, max(ends[1], value)), n=n)


def _sums(trials: Sequence[tuple[int, int]]) -> tuple[float, float, float]:
    """Of a case's trials: passes, fails, and how far the annotators are split."""
    return (
        float(sum(p for p, _ in trials)),
        float(sum(f for _, f in trials)),
        fsum(p * f / (p + f - 1) for p, f in trials),
    )


def self_agreement(cases: Sequence[Sequence[tuple[int, int]]]) -> Figure:
    """How often a judge says the same when asked twice: the mean over trials of the share of pairs that agree.

    Given each case's trials: how often the judge passed it and how often it failed it. Only those count that it was
    asked about twice or more.
    """
    return mean_score([[1 - 2 * p * f / ((p + f) * (p + f - 1)) for p, f in one if p + f > 1] for one in cases], 0, 1)
