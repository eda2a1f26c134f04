"""The pass rate that people would have given, from a judge's verdicts on all trials and labels on some."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, fsum, sqrt
from typing import Any

from .agreement import LabelledTrial
from .distributions import Z95
from .draws import RESAMPLES, generator, middle
from .figure import Figure, unknown
from .rate import size_of_cases

#: A case: the judge's verdicts on its trials, and those of them that are labelled as (human, judge).
JudgedCase = tuple[Sequence[bool], Sequence[LabelledTrial]]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Share:
    """A rate and how many independent observations it is worth."""

    passed: float
    size: float

    @property
    def rate(self) -> float:
        return self.passed / self.size if self.size else 0.0

    @property
    def smoothed(self) -> float:
        """Never 0 nor 1: a few labels that agree do not rule disagreement out."""
        return (self.passed + 0.5) / (self.size + 1)

    def draws(self, random: Any) -> Any:
        """From the posterior under Jeffreys' prior, which stays wide where all observations are the same."""
        return random.beta(self.passed + 0.5, self.size - self.passed + 0.5, size=RESAMPLES)


def corrected_rate(cases: Sequence[JudgedCase]) -> Figure:
    """`n` is the number of labels.

    With q the judge's pass rate, and a and b the shares of the judge's passes and fails that people pass, the rate is
    q a + (1 - q) b. That is Rogan and Gladen's corrected rate at the maximum-likelihood TPR and TNR, valid where the
    labelled trials are a random sample of the run's. q is known from the whole run, a and b from the labels; the
    interval draws all three together, so that it counts both samples, and is as much wider as they err together.
    """
    parts = _parts(cases)
    n = sum(len(pairs) for _, pairs in cases)
    if parts is None or not n:
        return unknown(n)
    judged, of_passes, of_fails = parts
    random = generator()
    q, a, b = judged.draws(random), of_passes.draws(random), of_fails.draws(random)
    low, high = middle(q * a + (1 - q) * b)
    value = _value(judged, of_passes, of_fails)
    if value is None:
        return Figure(value=None, low=low, high=high, n=n)
    wider = _together(cases, judged.rate, of_passes.rate, of_fails.rate)
    low, high = value - wider * max(0.0, value - low), value + wider * max(0.0, high - value)
    return Figure(value=value, low=max(0.0, low), high=min(1.0, high), n=n)


def _together(cases: Sequence[JudgedCase], q: float, a: float, b: float) -> float:
    """How much larger the standard error is than if q, a and b erred independently of each other; at least 1.

    In a run of several trials per case they do not: cases that happen to be easy raise all three. What a case adds to
    the error is its own part of each, first summed up and then squared, against each of them squared. With 115 x 4
    trials and 230 labels the interval would otherwise hold the truth in 0.90-0.91 (benchmarks/intervals.py).
    """
    if all(len(verdicts) == 1 for verdicts, _ in cases if verdicts):
        return 1.0
    trials = sum(len(verdicts) for verdicts, _ in cases)
    passed = max(1, sum(judge for _, pairs in cases for _, judge in pairs))
    failed = max(1, sum(not judge for _, pairs in cases for _, judge in pairs))
    errors = [
        (
            (a - b) * (sum(verdicts) - q * len(verdicts)) / trials,
            q * fsum(human - a for human, judge in pairs if judge) / passed,
            (1 - q) * fsum(human - b for human, judge in pairs if not judge) / failed,
        )
        for verdicts, pairs in cases
    ]
    apart = fsum(part**2 for parts in errors for part in parts)
    return sqrt(max(1.0, fsum(fsum(parts) ** 2 for parts in errors) / apart)) if apart > 0 else 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelsNeeded:
    """Further labels for an interval of plus or minus `half_width`; None: no number of labels narrows it that far."""

    half_width: float
    judge_passed: int | None
    judge_failed: int | None


def labels_needed(cases: Sequence[JudgedCase], half: float) -> LabelsNeeded | None:
    """How many more labels, and of which kind, bring the corrected rate's interval down to plus or minus `half`.

    None where there is no verdict to correct. Labels are shared out so that the fewest do (Neyman's allocation).
    """
    parts = _parts(cases)
    if parts is None:
        return None
    judged, of_passes, of_fails = parts
    q, a, b = judged.smoothed, of_passes.smoothed, of_fails.smoothed
    passed = sum(sum(verdicts) for verdicts, _ in cases)
    failed = sum(len(verdicts) for verdicts, _ in cases) - passed
    left = (half / Z95 / _together(cases, q, a, b)) ** 2 - (a - b) ** 2 * q * (1 - q) / judged.size
    if left <= 0:
        return LabelsNeeded(half_width=half, judge_passed=None, judge_failed=None)
    # a verdict that the judge never gives needs no label
    spread_a = q * sqrt(a * (1 - a)) if passed else 0.0
    spread_b = (1 - q) * sqrt(b * (1 - b)) if failed else 0.0
    wanted_a, wanted_b = (spread * (spread_a + spread_b) / left for spread in (spread_a, spread_b))
    # where one kind has more labels than its share already, the other needs fewer
    if wanted_a < of_passes.size:
        wanted_b = _alone(spread_b, left - spread_a**2 / of_passes.size)
    elif wanted_b < of_fails.size:
        wanted_a = _alone(spread_a, left - spread_b**2 / of_fails.size)
    if wanted_a > passed or wanted_b > failed:
        return LabelsNeeded(half_width=half, judge_passed=None, judge_failed=None)
    return LabelsNeeded(
        half_width=half,
        judge_passed=max(0, ceil(wanted_a - of_passes.size)),
        judge_failed=max(0, ceil(wanted_b - of_fails.size)),
    )


def _alone(spread: float, left: float) -> float:
    return spread**2 / left if left > 0 else 0.0


def _value(judged: _Share, of_passes: _Share, of_fails: _Share) -> float | None:
    """None where a verdict that the judge gave has no label at all."""
    q = judged.rate
    if (q > 0 and not of_passes.size) or (q < 1 and not of_fails.size):
        return None
    return q * of_passes.rate + (1 - q) * of_fails.rate


def _parts(cases: Sequence[JudgedCase]) -> tuple[_Share, _Share, _Share] | None:
    if not any(verdicts for verdicts, _ in cases):
        return None
    return (
        _share([list(map(float, verdicts)) for verdicts, _ in cases]),
        _share([[float(human) for human, judge in pairs if judge] for _, pairs in cases]),
        _share([[float(human) for human, judge in pairs if not judge] for _, pairs in cases]),
    )


def _share(cases: Sequence[Sequence[float]]) -> _Share:
    cases = [values for values in cases if values]
    n = sum(map(len, cases))
    if not n:
        return _Share(passed=0.0, size=0.0)
    rate = fsum(map(fsum, cases)) / n
    size = size_of_cases(cases, rate)
    return _Share(passed=rate * size, size=size)
