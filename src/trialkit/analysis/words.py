"""What a comparison comes to, in a sentence that a person understands."""

from math import sqrt

from trialkit.pages import PValue
from trialkit.stats import LIKELY_SEEN, Difference
from trialkit.text.shown import counted
from trialkit.vocabulary import Measure

from .compare import Comparison


def conclusion(one: Comparison) -> str:
    """Which run is better, whether that is noise, and whether it holds whatever errors hide."""
    difference = one.headline.difference
    if difference.value is None:
        return _nothing(one)
    size = _size(one)
    if difference.value == 0:
        scored = one.measure.kind == "score"
        same = f"B's {one.measure.mean_name} is exactly A's" if scored else "B passes exactly as often as A"
        return f"{same}, over {size}. {_what_this_size_shows(one)}{_errors(one)}"
    known = "is more than noise" if difference.significant else "is not distinguishable from noise"
    told = claim("B", "A", difference.value, one.measure)
    p = "" if difference.p is None else f" ({p_value(difference.p)})"
    said = f"{told}; with {size} a difference of this size {known}{p}."
    return (said if difference.significant else f"{said} {_what_this_size_shows(one)}") + _errors(one)


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


def signed_amount(value: float, measure: Measure) -> str:
    return f"{'-' if value < 0 else '+'}{amount(value, measure)}"


def difference_name(measure: Measure) -> str:
    return "B − A, in points" if measure.kind == "pass" else "B − A"  # noqa: RUF001 - a minus sign


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


def _what_this_size_shows(one: Comparison) -> str:
    difference = one.headline.difference
    value, deviation, n = difference.value, difference.deviation, difference.n
    if n == 1:
        return "One case cannot tell two runs apart."
    if not value:
        if difference.low is None:
            return "No case changed, so there is no telling what could go unseen at this size."
        return f"A difference of up to {amount(_farther(difference), one.measure)} could go unseen at this size."
    if not deviation:
        return f"So few cases ({n}) can hardly tell two runs apart."
    unseen = LIKELY_SEEN * deviation / sqrt(n)
    if unseen > one.measure.span:
        return "At this size no difference is likely to show."
    shown = f"At this size only differences of about {amount(unseen, one.measure)} or more are likely to show"
    return f"{shown}; half of that takes four times the cases."


def _errors(one: Comparison) -> str:
    """What errors could make of it; empty: there are none."""
    if one.errors is None:
        return ""
    if one.survives_errors:
        return " That holds whatever the trials in error would have been worth."
    ends = [one.errors.least, one.errors.most]
    low, high = (None if end is None or end.value is None else signed_amount(end.value, one.measure) for end in ends)
    if low is None or high is None:
        return " Trials in error could make it anything: the score has no end."
    doubt = "But that may be the errors' doing: depending" if one.survives_errors is False else "Depending"
    minus = "B − A"  # noqa: RUF001 - a minus sign
    tried = max(end.n for end in ends if end)
    over = f", over the {tried} cases that both tried," if tried > len(one.paired) else ","
    return f" {doubt} on what trials in error would have been worth{over} {minus} is between {low} and {high}."


def _farther(difference: Difference) -> float:
    """The end of the interval that is farther from 0."""
    return max(abs(difference.low or 0.0), abs(difference.high or 0.0))
