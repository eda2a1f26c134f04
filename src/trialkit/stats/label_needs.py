"""How many labels it takes to know the pass rate that people would have given."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from .distributions import Z95
from .judged import JudgedCase, cells_of


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
    if not any(cases):
        return None
    cells = cells_of([[trial._replace(stratum="") for trial in case] for case in cases])
    of_fails, of_passes = cells.size  # cells are sorted by verdict
    q = _smoothed(cells.weight[1], cells.judged)
    b, a = (_smoothed(0.0 if size == 0 else rate, size) for rate, size in zip(cells.rate, cells.size, strict=True))
    passed = sum(trial.judge for case in cases for trial in case)
    failed = sum(len(case) for case in cases) - passed
    together = cells.together(lambda masses: masses[0] + masses[2])
    left = (half / Z95 / together) ** 2 - (a - b) ** 2 * q * (1 - q) / cells.judged
    if left <= 0:
        return LabelsNeeded(half_width=half, judge_passed=None, judge_failed=None)
    # a verdict that the judge never gives needs no label
    spread_a = q * sqrt(a * (1 - a)) if passed else 0.0
    spread_b = (1 - q) * sqrt(b * (1 - b)) if failed else 0.0
    wanted_a, wanted_b = (spread * (spread_a + spread_b) / left for spread in (spread_a, spread_b))
    # where one kind has more labels than its share already, the other needs fewer
    if wanted_a < of_passes:
        wanted_b = _alone(spread_b, left - spread_a**2 / of_passes)
    elif wanted_b < of_fails:
        wanted_a = _alone(spread_a, left - spread_b**2 / of_fails)
    if wanted_a > passed or wanted_b > failed:
        return LabelsNeeded(half_width=half, judge_passed=None, judge_failed=None)
    return LabelsNeeded(
        half_width=half,
        judge_passed=max(0, ceil(wanted_a - of_passes)),
        judge_failed=max(0, ceil(wanted_b - of_fails)),
    )


def _smoothed(rate: float, size: float) -> float:
    """Never 0 nor 1: a few labels that agree do not rule disagreement out."""
    return (rate * size + 0.5) / (size + 1)


def _alone(spread: float, left: float) -> float:
    return spread**2 / left if left > 0 else 0.0
