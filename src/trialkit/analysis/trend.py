"""One suite's headline figure over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trialkit.errors import InputError
from trialkit.pages import BAR_WIDTH, Bar, Note, Page, Table, measured
from trialkit.runfile import RunFile
from trialkit.stats import Figure
from trialkit.text.shown import counted
from trialkit.vocabulary import Measure

from .headline import headline_data
from .loaded import load_run


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    path: Path
    suite: str
    subject: str
    created: str
    measure: Measure
    figure: Figure


@dataclass(frozen=True, kw_only=True, slots=True)
class Trend:
    points: tuple[Point, ...]  # the oldest first
    faults: tuple[str, ...]  # files that could not be read


def trend_of(folder: Path, suite: str | None = None, subject: str | None = None) -> Trend:
    """Without a suite: the one of the newest run. `subject` is a part of its name."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; runs are written to --output-dir, by default eval_results")
    found, faults = [], []
    for path in folder.glob("*.trial"):
        try:
            with RunFile(path) as run:
                info = run.info()
        except InputError as error:
            faults.append(str(error))
            continue
        found.append((info.created, path, info))
    found.sort(key=lambda one: one[0])
    wanted = suite or (found[-1][2].suite if found else None)
    chosen = [one for one in found if one[2].suite == wanted and (subject or "").lower() in one[2].subject.lower()]
    points = []
    for created, path, info in chosen:
        loaded = load_run(path, all_judges=False)
        point = Point(
            path=path,
            suite=info.suite,
            subject=info.subject,
            created=created,
            measure=loaded.measure,
            figure=loaded.figure(loaded.measure),
        )
        points.append(point)
    return Trend(points=tuple(points), faults=tuple(faults))


def trend_page(trend: Trend) -> Page:
    if not trend.points:
        return Page(title="Trend", parts=(Note(text="There is no such run."),))
    measure, (low, high) = trend.points[-1].measure, _scale(trend.points)
    rows = tuple(
        (
            point.created[:16].replace("T", " "),
            point.subject,
            Bar(point.figure, low=low, high=high),
            measured(point.figure, point.measure, short=True),
        )
        for point in trend.points
    )
    first, last = ("0%", "100%") if measure.kind == "pass" else (f"{low:.4g}", f"{high:.4g}")
    columns = ("Begun (UTC)", "Subject", f"{first}{last:>{BAR_WIDTH - len(first)}}", measure.mean_name.capitalize())
    what = "rate" if measure.kind == "pass" else "mean" if measure.higher_is_better else "mean (lower is better)"
    note = f"● the {what}, ─ its 95% interval. Whether two differ: trialkit compare"
    title = f"{counted(len(rows), 'run')}, the oldest first"
    return Page(
        title=f"{trend.points[0].suite}: {measure.mean_name} over time",
        parts=(Table(title=title, columns=columns, rows=rows, note=note),),
    )


def _scale(points: Sequence[Point]) -> tuple[float, float]:
    """The range of the measure; where that has no end, of what is shown."""
    shown = [end for point in points for end in (point.figure.low, point.figure.value, point.figure.high)]
    known = [end for end in shown if end is not None] or [0.0]
    low, high = points[-1].measure.low, points[-1].measure.high
    return (min(known) if low is None else low), (max(known) if high is None else high)


def trend_data(points: Sequence[Point]) -> list[dict[str, object]]:
    return [
        {
            "file": str(point.path),
            "suite": point.suite,
            "subject": point.subject,
            "created": point.created,
            **headline_data(point.figure, point.measure),
        }
        for point in points
    ]
