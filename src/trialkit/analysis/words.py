"""What a comparison comes to, in a sentence that a person understands."""

from collections.abc import Sequence
from math import ceil, sqrt

from trialkit.pages import PValue
from trialkit.stats import LIKELY_SEEN, Difference, pairs_needed
from trialkit.text.shown import counted
from trialkit.vocabulary import Measure

from .compare import Comparison


def conclusion(one: Comparison) -> str:
    """Which run is better, whether that is noise, and what would settle it."""
    difference = one.headline.difference
    if difference.value is None:
        return _nothing(one)
    size = _size(one)
    if difference.value == 0:
        scored = one.measure.kind == "score"
        same = f"B's {one.measure.mean_name} is exactly A's" if scored else "B passes exactly as often as A"
        return f"{same}, over {size}. {_what_would_settle(one)}"
    known = "is more than noise" if difference.significant else "is not distinguishable from noise"
    told = claim("B", "A", difference.value, one.measure)
    said = f"{told}; with {size} a difference of this size {known} ({p_value(difference.p)})."
    return said if difference.significant else f"{said} {_what_would_settle(one)}"


def p_value(p: float | None) -> str:
    if p is None:
        return "—"
    told = str(PValue(p))
    return f"p {told}" if told.startswith("<") else f"p = {told}"


def points(value: float) -> str:
    """`6 points`, `0.4 points`: of a hundred. What is not 0 is not told as 0."""
    size = abs(value) * 100
    number = f"{size:.1f}".removesuffix(".0") if size >= 0.05 or not size else f"{size:.1g}"
    return f"{number} point" if number == "1" else f"{number} points"


def amount(value: float, measure: Measure) -> str:
    """The size of a difference: `6 points`, `0.55`, `1.2 s`."""
    if measure.kind == "pass":
        return points(value)
    return f"{float(f'{abs(value):.3g}'):,.10g} {measure.unit}".rstrip()


def claim(after: str, before: str, value: float, measure: Measure) -> str:
    if measure.kind == "pass":
        return f"{after} passes {points(value)} {'more' if value > 0 else 'less'} often than {before}"
    higher = "higher" if value > 0 else "lower"
    told = f"{after}'s {measure.mean_name} is {amount(value, measure)} {higher} than {before}'s"
    return told if measure.higher_is_better else f"{told}, which is {'better' if measure.is_gain(value) else 'worse'}"


def _size(one: Comparison) -> str:
    cases = counted(len(one.paired), "case")
    most = max(len(run.cases[name].values) for run in (one.before, one.after) for name in one.paired)
    if most == one.trials:
        return cases if most == 1 else f"{cases} of {most} trials each"
    return f"{cases} of {one.trials} to {most} trials each"


def _nothing(one: Comparison) -> str:
    if not one.before.cases.keys() & one.after.cases.keys():
        return "There is nothing to compare: the runs have no case in common."
    return "There is nothing to compare: no case has a verdict in both runs."


def _what_would_settle(one: Comparison) -> str:
    difference = one.headline.difference
    value, deviation, n = difference.value, difference.deviation, difference.n
    if n == 1:
        return "One case cannot tell two runs apart."
    if not value:
        return f"A difference of up to {amount(_farther(difference), one.measure)} could go unseen at this size."
    if not deviation:
        return f"So few cases ({n}) can hardly tell two runs apart."
    cases = pairs_needed(value, deviation) or 0
    if cases <= n:
        return "A few more cases may settle it."
    unseen = LIKELY_SEEN * deviation / sqrt(n)
    said = f"At this size only differences of about {amount(unseen, one.measure)} or more are likely to show."
    if unseen > one.measure.span:
        said = "At this size no difference is likely to show."
    more = (cases - n) * max(1, one.trials)
    trials = f"{counted(more, 'more trial')} of each run" + (
        f" ({one.trials} of each new case)" if one.trials > 1 else ""
    )
    said += (
        f" If this one is real, about {trials}, on {counted(cases - n, 'further case')} like these, would settle it."
    )
    again = _trials_each(one)
    return f"{said} So would about {again} trials of each of these cases." if again else said


def _farther(difference: Difference) -> float:
    """The end of the interval that is farther from 0."""
    return max(abs(difference.low or 0.0), abs(difference.high or 0.0))


def _trials_each(one: Comparison) -> int | None:
    """How many trials of the same cases would do; None: no number would, or one trial of each cannot tell."""
    if one.trials < 2:
        return None
    pairs = [(one.before.cases[name].values, one.after.cases[name].values) for name in one.paired]
    sides = [side for pair in pairs for side in pair]
    within = sum(_within(side) for side in sides) / len(pairs)
    value, deviation, n = one.headline.difference.value or 0.0, one.headline.difference.deviation or 0.0, len(pairs)
    observed = sum(_within(a) / len(a) + _within(b) / len(b) for a, b in pairs) / n
    between = max(0.0, deviation**2 - observed)
    left = n * (value / LIKELY_SEEN) ** 2 - between
    if left <= 0:
        return None
    needed = ceil(within / left)
    return needed if one.trials < needed <= 1000 else None


def _within(values: Sequence[float]) -> float:
    """The variance between the trials of a case, without bias."""
    centre = sum(values) / len(values)
    return sum((value - centre) ** 2 for value in values) / (len(values) - 1)
