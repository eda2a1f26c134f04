"""One suite's headline figure over time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from trialkit.pages import BAR_WIDTH, Bar, Curve, CurveLine, Note, Page, Table, measured
from trialkit.text.shown import counted

from .runs import ListedRun, list_runs, listed_data, with_stored


@dataclass(frozen=True, kw_only=True, slots=True)
class Trend:
    runs: tuple[ListedRun, ...]  # the oldest first
    faults: tuple[str, ...]  # what is wrong with files that cannot be read


def trend_of(folder: Path, suite: str | None = None, subject: str | None = None) -> Trend:
    """Without a suite: the one of the newest run. `subject` is a part of what a run is called.

    Runs that go on from a step of another's are left out.
    """
    found, faults = list_runs(folder)
    found.sort(key=lambda run: run.info.created)
    wanted = suite or (found[-1].info.suite if found else None)
    return Trend(
        runs=tuple(run for run in found if run.info.whole and run.is_of(wanted, subject)), faults=tuple(faults)
    )


def trend_page(trend: Trend) -> Page:
    if not trend.runs:
        return Page(title="Trend", parts=(Note(text="There is no such run."),))
    measure, (low, high) = trend.runs[-1].measure, _scale(trend.runs)
    rows = tuple(
        (
            run.info.created[:16].replace("T", " "),
            run.called,
            Bar(run.headline, low=low, high=high),
            measured(run.headline, run.measure, short=True),
        )
        for run in trend.runs
    )
    first, last = ("0%", "100%") if measure.kind == "pass" else (f"{low:.4g}", f"{high:.4g}")
    columns = ("Begun (UTC)", "Subject", f"{first}{last:>{BAR_WIDTH - len(first)}}", measure.mean_name.capitalize())
    what = "rate" if measure.kind == "pass" else "mean" if measure.higher_is_better else "mean (lower is better)"
    note = f"● the {what}, ─ its 95% interval. Whether two differ: trialkit compare"
    title = f"{counted(len(rows), 'run')}, the oldest first"
    table = with_stored(Table(title=title, columns=columns, rows=rows, note=note), trend.runs, after="Subject")
    return Page(title=f"{trend.runs[0].info.suite}: {measure.mean_name} over time", parts=(trend_chart(trend, table),))


def trend_chart(trend: Trend, whole: Table | None = None, link: Callable[[ListedRun], str] = lambda _: "") -> Curve:
    """`link` is where a run is shown; empty: nowhere."""
    measure, (low, high) = trend.runs[-1].measure, _scale(trend.runs)
    moments = [run.info.created[:16].replace("T", " ") for run in trend.runs]
    days = [moment[:10] for moment in moments]
    amounts = tuple(measured(run.headline, run.measure) for run in trend.runs)
    return Curve(
        title=f"{measure.mean_name.capitalize()} over time",
        along="begun (UTC)",
        places=tuple(days if len(set(days)) == len(days) else moments),
        lines=(CurveLine(measure.mean_name, amounts, joins=len({run.info.subject for run in trend.runs}) == 1),),
        low=low,
        high=high,
        links=tuple(map(link, trend.runs)),
        whole=whole,
    )


def _scale(runs: Sequence[ListedRun]) -> tuple[float, float]:
    """The range of the measure; where that has no end, of what is shown."""
    shown = [end for run in runs for end in (run.headline.low, run.headline.value, run.headline.high)]
    known = [end for end in shown if end is not None] or [0.0]
    low, high = runs[-1].measure.low, runs[-1].measure.high
    return (min(known) if low is None else low), (max(known) if high is None else high)


def trend_data(trend: Trend) -> list[dict[str, object]]:
    return [listed_data(run) for run in trend.runs]
