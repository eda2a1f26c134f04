"""One suite's pass rate over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trialkit.errors import InputError
from trialkit.pages import Bar, Note, Page, Rate, Table
from trialkit.runfile import RunFile
from trialkit.stats import Figure, pass_rate
from trialkit.text.shown import counted

from .loaded import load_run


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    path: Path
    suite: str
    subject: str
    created: str
    rate: Figure


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
    points = tuple(
        Point(path=path, suite=info.suite, subject=info.subject, created=created, rate=_rate(path))
        for created, path, info in chosen
    )
    return Trend(points=points, faults=tuple(faults))


def _rate(path: Path) -> Figure:
    return pass_rate([case.verdicts for case in load_run(path, all_judges=False).cases.values()])


def trend_page(trend: Trend) -> Page:
    if not trend.points:
        return Page(title="Trend", parts=(Note(text="There is no such run."),))
    rows = tuple(
        (point.created[:16].replace("T", " "), point.subject, Bar(point.rate), Rate(point.rate, short=True))
        for point in trend.points
    )
    return Page(
        title=f"{trend.points[0].suite}: pass rate over time",
        parts=(
            Table(
                title=f"{counted(len(rows), 'run')}, the oldest first",
                columns=("Begun (UTC)", "Subject", f"0%{'100%':>19}", "Pass rate"),
                rows=rows,
                note="● the rate, ─ its 95% interval. Whether two differ: trialkit compare",
            ),
        ),
    )


def trend_data(points: Sequence[Point]) -> list[dict[str, object]]:
    return [
        {
            "file": str(point.path),
            "suite": point.suite,
            "subject": point.subject,
            "created": point.created,
            "pass_rate": point.rate.to_data(),
        }
        for point in points
    ]
