"""The runs of the folder: found by suite, state and words, in any order."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from starlette.responses import Response

from trialkit.analysis.runs import ListedRun
from trialkit.analysis.trend import Trend, trend_chart
from trialkit.pages import Bar, Curve, Money, measured

from .asked import PageRequest
from .render import run_address

#: Column → what it is sorted by, the largest first unless it says otherwise. What is not known comes last.
_ORDERS: Mapping[str, Callable[[ListedRun], float | str | None]] = {
    "begun": lambda run: run.info.created,
    "suite": lambda run: run.info.suite,
    "subject": lambda run: run.called.lower(),
    "result": lambda run: run.headline.value,
    "cost": lambda run: run.cost.value,
    "trials": lambda run: run.counts.total,
    "state": lambda run: run.state,
}
_STATES = ("running", "done", "stopped", "killed")
_USUAL = "-begun"


class _ListRow(NamedTuple):
    """A run as the table shows it."""

    run: ListedRun
    name: str
    bar: Bar
    result: object
    cost: Money
    words: tuple[str, ...]  # of what it is called, without the subject


def runs_view(asked: PageRequest) -> Response:
    every, faults = asked.shelf.runs()
    suite, state, words = (asked.query.get(name, "") for name in ("suite", "state", "words"))
    found = [run for run in every if run.is_of(suite or None, words) and state in {"", run.state}]
    order = asked.query.get("sort", _USUAL)
    return asked.shown(
        "runs.html",
        rows=[_row(asked, run) for run in _sorted(found, order)],
        hidden=len(every) - len(found),
        faults=faults,
        folder=str(asked.shelf.folder),
        suites=sorted({run.info.suite for run in every}),
        states=_STATES,
        order=order,
        trend=_trend(asked, found) if suite else (),
    )


def _trend(asked: PageRequest, runs: list[ListedRun]) -> tuple[Curve, ...]:
    """Of the chosen runs of one suite, as far as they are measured as the newest is."""
    ended = sorted((run for run in runs if run.headline.n), key=lambda run: run.info.created)
    alike = tuple(run for run in ended if run.measure == ended[-1].measure)
    if len(alike) < 2:
        return ()
    shown = Trend(runs=alike, faults=())
    return (trend_chart(shown, link=lambda run: run_address(asked.shelf.name(run.path))),)


def _row(asked: PageRequest, run: ListedRun) -> _ListRow:
    measure = run.measure
    low, high = (0.0 if measure.low is None else measure.low), (1.0 if measure.high is None else measure.high)
    named = [f"{prompt.role} {prompt.version}" for prompt in run.prompts]
    return _ListRow(
        run=run,
        name=asked.shelf.name(run.path),
        bar=Bar(run.headline if measure.low is not None and measure.high is not None else None, low=low, high=high),
        result=measured(run.headline, measure, short=True),
        cost=Money(run.cost),
        words=(*filter(None, [run.info.name]), *named, *run.info.tags),
    )


def _sorted(runs: list[ListedRun], order: str) -> list[ListedRun]:
    key = _ORDERS.get(order.lstrip("-"), _ORDERS[_USUAL.lstrip("-")])
    known = [run for run in runs if key(run) is not None]
    rest = [run for run in runs if key(run) is None]
    return sorted(known, key=key, reverse=order.startswith("-")) + rest  # type: ignore[arg-type]
