"""A run in pictures: how pass^k falls, what trials took, and how each of them ended."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import fsum, inf
from statistics import quantiles

from trialkit.pages import (
    Amount,
    Chart,
    Count,
    Curve,
    CurveLine,
    HeatCell,
    HeatMap,
    HeatRow,
    Histogram,
    Money,
    Rate,
    Seconds,
    histogram,
    measured,
)
from trialkit.runfile import RecordedTrial
from trialkit.stats import Figure
from trialkit.vocabulary import Measure

from .summary import Summary

#: Of fewer values a histogram tells less than the values do.
_FEWEST = 8

Link = Callable[[RecordedTrial], str]


def charts(summary: Summary, link: Link = lambda _: "") -> list[Chart]:
    """`link` is where a trial is shown; empty: nowhere."""
    found = [pass_hat_chart({"": summary.pass_hat_k}), *distributions(summary), heat_map(summary, link)]
    return [chart for chart in found if chart is not None]


def pass_hat_chart(lines: Mapping[str, Sequence[Figure]]) -> Curve | None:
    """Of runs by their names; None: no case has two verdicts."""
    most = max((len(figures) for figures in lines.values()), default=0)
    if most < 2:
        return None
    return Curve(
        title="pass^k: the chance that k trials of a case all pass",
        along="k",
        places=tuple(str(k + 1) for k in range(most)),
        lines=tuple(
            CurveLine(name or "pass^k", (*map(Rate, figures), *[Rate(None)] * (most - len(figures))))
            for name, figures in lines.items()
        ),
        low=0,
        high=1,
    )


def distributions(summary: Summary) -> Iterator[Histogram]:
    """Of what the suite counts in a trial, such as its steps, and of what it took."""
    yield from distributions_told(summary)
    ended = [trial for one in summary.cases for trial in one.trials if trial.ended is not None]
    yield from _distribution("Cost of a trial", [trial.cost for trial in ended if trial.cost], Money(None))
    yield from _distribution("Time of a trial", [one.elapsed_s for one in ended if one.elapsed_s], Seconds(None))


def distributions_told(summary: Summary) -> Iterator[Histogram]:
    """By the suite."""
    ended = [trial for one in summary.cases for trial in one.trials if trial.ended is not None]
    told = [summary.facts.get(trial.id, {}) for trial in ended]
    measures = {mean.measure.name for mean in summary.means}
    for name in dict.fromkeys(name for facts in told for name in facts if name not in measures):
        known = [facts[name] for facts in told if facts.get(name) is not None]
        values = [value for value in known if type(value) is int]
        if len(values) == len(known):
            yield from _distribution(f"{name.replace('_', ' ').capitalize()} of a trial", values, Count(None))


def _distribution(title: str, values: Sequence[float], one: Amount) -> Iterator[Histogram]:
    """Nothing where it would have one bar."""
    if len(values) < _FEWEST or min(values) == max(values):
        return
    tenths = quantiles(values, n=10, method="inclusive")
    yield histogram(title, values, one, note=f"half at most {one.show(tenths[4])}, nine in ten {one.show(tenths[8])}")


def heat_map(summary: Summary, link: Link = lambda _: "", cases: slice = slice(None)) -> HeatMap | None:
    """The worst first, those `cases` of them. None: no case has several trials, so that the list of cases says it."""
    if all(len(one.trials) < 2 for one in summary.cases):
        return None
    measure, measures = summary.headline.measure, summary.info.measures
    value_of, sign = measure.reader(measures), 1 if measure.higher_is_better else -1
    values = {one.case.id: one.values(measure, measures) for one in summary.cases}
    means = {case_id: sign * fsum(found) / len(found) for case_id, found in values.items() if found}
    worst_first = sorted(summary.cases, key=lambda one: means.get(one.case.id, -inf))
    level = _levels(measure, [value for found in values.values() for value in found])

    def cell(trial: RecordedTrial) -> HeatCell:
        worth = value_of(trial.decided) if trial.decided and measure.kind == "score" else None
        if worth is None:
            return HeatCell(trial.outcome, link=link(trial))
        told = str(measured(worth, measure, short=True))
        return HeatCell(trial.outcome, level=level(worth), told=told, link=link(trial))

    return HeatMap(
        title="Cases and their trials, the worst first",
        rows=tuple(HeatRow(one.case.id, tuple(cell(trial) for trial in one.trials)) for one in worst_first[cases]),
        note="filled: passed, ✗ failed, ! in error, framed: no verdict"
        if measure.kind == "pass"
        else "the fuller, the better; ! in error, empty: no verdict",
    )


def _levels(measure: Measure, every: Sequence[float]) -> Callable[[float], float]:
    """How good a score is, from 0 to 1: on the scale of the measure, or of the trials where that has no ends."""
    low = min(every, default=0.0) if measure.low is None else measure.low
    high = max(every, default=1.0) if measure.high is None else measure.high
    worst, best = (low, high) if measure.higher_is_better else (high, low)
    return lambda value: (value - worst) / ((best - worst) or 1)
