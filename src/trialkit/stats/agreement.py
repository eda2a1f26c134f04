"""How far two who judged the same agree: confusion, kappa, alpha. `pass` is the positive class."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from .draws import RESAMPLES, generator, middle, resampled_sums
from .figure import Figure, unknown
from .rate import pass_rate, size_of_cases, wilson
from .score import mean_score

#: A trial's human outcome and the judge's, passed or not.
LabelledTrial = tuple[bool, bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class Confusion:
    """How many trials both judged so."""

    both_pass: int
    people_pass_judge_fail: int
    people_fail_judge_pass: int
    both_fail: int

    @property
    def n(self) -> int:
        return self.both_pass + self.people_pass_judge_fail + self.people_fail_judge_pass + self.both_fail

    @property
    def kappa(self) -> float | None:
        """Cohen's; None where all is of one class, so that there is no chance agreement to beat."""
        if not self.n:
            return None
        human, judge = (
            (self.both_pass + self.people_pass_judge_fail) / self.n,
            (self.both_pass + self.people_fail_judge_pass) / self.n,
        )
        expected = human * judge + (1 - human) * (1 - judge)
        return (
            None
            if expected >= 1
            else 1 - (self.people_pass_judge_fail + self.people_fail_judge_pass) / self.n / (1 - expected)
        )


def confusion(pairs: Sequence[LabelledTrial]) -> Confusion:
    return Confusion(
        both_pass=sum(human and judge for human, judge in pairs),
        people_pass_judge_fail=sum(human and not judge for human, judge in pairs),
        people_fail_judge_pass=sum(judge and not human for human, judge in pairs),
        both_fail=sum(not human and not judge for human, judge in pairs),
    )


def agreement(cases: Sequence[Sequence[LabelledTrial]]) -> Figure:
    """The share of trials on which both say the same, given each case's labelled trials."""
    return pass_rate([[human == judge for human, judge in pairs] for pairs in cases])


def true_pass_rate(cases: Sequence[Sequence[LabelledTrial]]) -> Figure:
    """TPR: of what people passed, the share that the judge passed."""
    return pass_rate([[judge for human, judge in pairs if human] for pairs in cases])


def true_fail_rate(cases: Sequence[Sequence[LabelledTrial]]) -> Figure:
    """TNR: of what people failed, the share that the judge failed."""
    return pass_rate([[not judge for human, judge in pairs if not human] for pairs in cases])


def cohens_kappa(cases: Sequence[Sequence[LabelledTrial]]) -> Figure:
    """Cohen's kappa, given each case's labelled trials.

    The interval is the middle 95% of kappas drawn from the Dirichlet posterior of the four cells (prior: a quarter of
    an observation in each), at the effective number of observations. The usual formula has no width where all agree.
    """
    import numpy as np  # noqa: PLC0415 - 0.1 s to import

    pairs = [pair for one in cases for pair in one]
    counts = confusion(pairs)
    value = counts.kappa
    if value is None:
        return unknown(len(pairs))
    cells = np.array(
        [counts.both_pass, counts.people_pass_judge_fail, counts.people_fail_judge_pass, counts.both_fail], dtype=float
    )
    draws = generator().dirichlet(cells * _weight(cases) + 0.25, size=RESAMPLES)
    p, q = draws[:, 0] + draws[:, 1], draws[:, 0] + draws[:, 2]
    expected = p * q + (1 - p) * (1 - q)
    low, high = middle(1 - (draws[:, 1] + draws[:, 2]) / np.maximum(1 - expected, 1e-12))
    return Figure(value=value, low=max(-1.0, min(low, value)), high=min(1.0, max(high, value)), n=len(pairs))


def _weight(cases: Sequence[Sequence[LabelledTrial]]) -> float:
    """What a trial counts for: trials of one case resemble each other, so several weigh less than as many cases."""
    agreed = [[float(human == judge) for human, judge in pairs] for pairs in cases if pairs]
    n = sum(map(len, agreed))
    return size_of_cases(agreed, fsum(map(fsum, agreed)) / n) / n


def krippendorff_alpha(cases: Sequence[Sequence[tuple[int, int]]]) -> Figure:
    """Krippendorff's alpha for pass and fail, any number of annotators, missing labels allowed.

    Given each case's trials: how many annotators passed it and how many failed it. Trials with one label tell nothing
    of agreement and are left out; `n` is the number of the others. The interval is a bootstrap over cases; where
    nobody ever disagrees, its low end is what Wilson's interval leaves open.
    """
    import numpy as np  # noqa: PLC0415 - 0.1 s to import

    told = [paired for one in cases if (paired := [(p, f) for p, f in one if p + f > 1])]
    n = sum(map(len, told))
    rows = Counter(_sums(paired) for paired in told)
    passed, failed, split = (fsum(row[place] * count for row, count in rows.items()) for place in range(3))
    if not passed or not failed:
        return unknown(n)
    expected = passed * failed / (passed + failed - 1)
    value = 1 - split / expected
    if not split:
        open_to = 1 - wilson(len(told), len(told))[0]
        return Figure(value=1.0, low=max(-1.0, 1 - open_to * n / expected), high=1.0, n=n)
    if len(told) == 1:
        return Figure(value=value, low=-1.0, high=1.0, n=n)  # one case alone says nothing of others
    distinct = sorted(rows)
    sums = resampled_sums(distinct, [rows[row] for row in distinct])
    drawn = sums[sums[:, 0] * sums[:, 1] > 0]
    total = drawn[:, 0] + drawn[:, 1]
    low, high = middle(1 - drawn[:, 2] * (total - 1) / (drawn[:, 0] * drawn[:, 1])) if len(drawn) else (value, value)
    return Figure(value=value, low=float(np.clip(low, -1, value)), high=float(np.clip(high, value, 1)), n=n)


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
