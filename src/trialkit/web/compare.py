"""Runs held against each other, and the same trial of two of them side by side."""

from collections.abc import Sequence
from typing import NamedTuple

from starlette.responses import Response

from trialkit.analysis.aligned import paired
from trialkit.analysis.all_pairs_pages import all_pairs_page
from trialkit.analysis.compare import Comparison, Flip, compare_all, letter
from trialkit.analysis.compare_pages import comparison_page, flip_tables
from trialkit.analysis.loaded import load_to_compare
from trialkit.analysis.steps import steps_of
from trialkit.errors import InputError
from trialkit.pages import Cell, OutcomeCell, Page, Words, changed, measured
from trialkit.runfile import RecordedTrial

from .asked import PageRequest
from .render import address

_MOST_FLIPS = 300


class _FlipRow(NamedTuple):
    flip: Flip
    before: Cell
    after: Cell
    link: str


class _PairRow(NamedTuple):
    """Two runs of several."""

    letters: str
    change: Cell
    link: str


def compare_view(asked: PageRequest) -> Response:
    """The first is what the others are held against."""
    names = list(dict.fromkeys(asked.query.getlist("run")))
    if len(names) < 2:
        raise InputError("Choose two runs or more in the list of runs.")
    if len(names) == 2:
        one = asked.shelf.compared(*names)
        page, flips = comparison_page(one), _flips(one, names)
        own = flip_tables(one) if flips else []
        page = Page(title=page.title, parts=tuple(part for part in page.parts if part not in own))
        return asked.shown("compare.html", document=page, flips=flips, changed=_changed(one), pairs=[])
    several = compare_all([load_to_compare(asked.shelf.path(name)) for name in names])
    links = [
        _PairRow(
            f"{letter(first)} and {letter(second)}",
            changed(pair.headline.difference, pair.measure),
            f"{address('/compare', run=names[first])}&{address('', run=names[second])[1:]}",
        )
        for pair, (first, second) in zip(several.pairs, _pairs(len(names)), strict=True)
    ]
    return asked.shown("compare.html", document=all_pairs_page(several), flips=[], changed="", pairs=links)


def _pairs(count: int) -> list[tuple[int, int]]:
    return [(first, second) for first in range(count) for second in range(first + 1, count)]


def _flips(one: Comparison, names: Sequence[str]) -> list[_FlipRow]:
    def cell(found: str | float) -> Cell:
        if not isinstance(found, str):
            return measured(found, one.measure, short=True)
        return OutcomeCell(found) if found in {"pass", "fail"} else Words(found)  # type: ignore[arg-type]  # one of both

    worse_first = sorted(one.flips, key=lambda flip: flip.direction, reverse=True)
    return [
        _FlipRow(flip, cell(flip.before), cell(flip.after), _pair_address(names, flip.case_id))
        for flip in worse_first[:_MOST_FLIPS]
    ]


def _changed(one: Comparison) -> str:
    worse = sum(flip.direction == "worse" for flip in one.flips)
    more = f"; the first {_MOST_FLIPS} are shown" if len(one.flips) > _MOST_FLIPS else ""
    return f"{worse:,} worse, {len(one.flips) - worse:,} better{more}"


def _pair_address(names: Sequence[str], case_id: str, trial: int | None = None) -> str:
    return address("/pair", a=names[0], b=names[1], case=case_id, trial=trial)


def pair_view(asked: PageRequest) -> Response:
    names = (asked.query.get("a", ""), asked.query.get("b", ""))
    case_id, number = asked.query.get("case", ""), asked.query.get("trial", "")
    with asked.shelf.open(names[0]) as one, asked.shelf.open(names[1]) as other:
        case = next((found for found in one.cases() if found.id == case_id), None)
        both = _in_both(one.trials(case_id=case_id), other.trials(case_id=case_id))
        if case is None or not both:
            raise InputError(f"{names[0]} and {names[1]} have no trial of a case {case_id} in common")
        left, right = _chosen(both, number)
        rows, parts_at = paired(steps_of(one, left), steps_of(other, right))
        called = [run.info().called(run.prompts()) for run in (one, other)]
    walk = [row.flip.case_id for row in _flips(asked.shelf.compared(*names), names)]
    place = walk.index(case_id) if case_id in walk else -1
    links = {
        "before": _pair_address(names, walk[place - 1]) if place > 0 else "",
        "next": _pair_address(names, walk[place + 1]) if place + 1 < len(walk) else "",
    }
    return asked.shown(
        "pair.html",
        names=names,
        called=called,
        case=case,
        trials=(left, right),
        outcomes=[OutcomeCell(trial.outcome, otherwise="not judged") for trial in (left, right)],
        numbers=[(one.number, _pair_address(names, case_id, one.number)) for one, _ in both],
        same=rows[:parts_at],
        rows=[] if parts_at is None else rows[parts_at:],
        links=links,
    )


def _in_both(one: Sequence[RecordedTrial], other: Sequence[RecordedTrial]) -> list[tuple[RecordedTrial, RecordedTrial]]:
    theirs = {trial.number: trial for trial in other}
    return [(trial, theirs[trial.number]) for trial in one if trial.number in theirs]


def _chosen(both: Sequence[tuple[RecordedTrial, RecordedTrial]], number: str) -> tuple[RecordedTrial, RecordedTrial]:
    """The one that is asked for, else the first that ended otherwise in the other run."""
    asked = [pair for pair in both if str(pair[0].number) == number]
    return next(iter([*asked, *(pair for pair in both if pair[0].outcome != pair[1].outcome), *both]))
