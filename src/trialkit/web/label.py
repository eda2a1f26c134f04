"""Labelling: one trial after the other, blind until it is labelled."""

from collections.abc import Mapping, Sequence
from math import ceil
from urllib.parse import quote, unquote

from starlette.responses import HTMLResponse, Response

from trialkit.analysis.align import align_run
from trialkit.analysis.align_standing import standing
from trialkit.analysis.label_queue import queue_of
from trialkit.analysis.loaded import load_run
from trialkit.analysis.steps import TrialStep, steps_of
from trialkit.errors import InputError
from trialkit.pages import Facts, OutcomeCell, Words
from trialkit.pages.html import parts_html
from trialkit.runfile import RecordedTrial, RunFile, TrialResult
from trialkit.suites import asking, find_format, suite_in, written
from trialkit.vocabulary import Case, Measure

from .asked import PageRequest
from .render import address
from .shelf import wanted_trial

_COOKIE = "annotator"
_MOST_DIGIT = 9
_A_YEAR_S = 365 * 24 * 3600
#: Columns of a sheet that the page shows in another way.
_SHOWN_ELSEWHERE = {"Description", "Conversation"}
#: And those that have all of a case and of an answer: what a suite has by itself need not stand there twice.
_WHOLE = {"Case", "Model Response"}
_SHORT = 100  # characters, of a cell that needs one line


def label_view(asked: PageRequest) -> Response:
    """Who labels is in the address, or remembered from before."""
    name, settling = asked.query.get("run", ""), asked.query.get("queue") == "settle"
    annotator = _annotator(asked)
    with asked.shelf.open(name) as run, run.moment():
        info, prompts, queue = run.info(), run.prompts(), queue_of(annotator, run.results())
        trial = _trial(asked, run, queue.disputed if settling else queue.left)
        told = {} if trial is None else _told(run, trial, annotator, settling=settling)
    answer = asked.shown(
        "label.html",
        name=name,
        called=info.called(prompts),
        measure=info.measures[0],
        digits=_digits(info.measures[0]),
        annotator=annotator,
        queue=queue,
        settling=settling,
        trial=trial,
        links=_links(name, annotator, trial, settling=settling),
        **told,
    )
    if annotator:
        answer.set_cookie(_COOKIE, quote(annotator), max_age=_A_YEAR_S, samesite="strict", httponly=True)
    return answer


def figures_view(asked: PageRequest) -> Response:
    """How the judges stand against the labels now: a part of the page."""
    found = align_run(load_run(asked.shelf.path(asked.query.get("run", ""))))
    return HTMLResponse(parts_html(standing(found)))


def results_view(asked: PageRequest) -> Response:
    """The run's CSV as it is now, with what people say."""
    with asked.shelf.open(asked.query.get("run", "")) as run:
        text = written(run, find_format(run, "csv"))
        name = quote(run.path.with_suffix(".csv").name)
    return Response(
        text, media_type="text/csv", headers={"content-disposition": f"attachment; filename*=UTF-8''{name}"}
    )


def wanted(run: RunFile, case_id: str, number: str) -> RecordedTrial:
    """A trial that can be labelled."""
    found = wanted_trial(run, case_id, number)
    if found.output is None or not found.ended:
        raise InputError(f"{case_id} trial {number} has no answer yet, so there is nothing to label")
    return found


def _annotator(asked: PageRequest) -> str:
    if "who" in asked.query:  # somebody else has come
        return ""
    return asked.query.get("by", "").strip() or unquote(asked.cookies.get(_COOKIE, ""))


def _trial(asked: PageRequest, run: RunFile, waiting: Sequence[TrialResult]) -> RecordedTrial | None:
    """The one that is asked for, else the next of the queue."""
    case_id = asked.query.get("case")
    if case_id is not None:
        return wanted(run, case_id, asked.query.get("trial", "1"))
    return run.trial(waiting[0].id) if waiting else None


def _told(run: RunFile, trial: RecordedTrial, annotator: str, *, settling: bool) -> Mapping[str, object]:
    """What others say of it, and the judges, is told when the annotator has spoken. Who settles it hears the others."""
    own = next((one for one in trial.labels if (one.annotator, one.settles) == (annotator, settling)), None)
    told, steps = own is not None, steps_of(run, trial)
    case, suite = next(one for one in run.cases() if one.id == trial.case_id), suite_in(run.info())
    with asking(f"suite {suite.name}", "label_row"):
        row = suite.label_row(case, trial)
    return {
        "case": case,
        **_cells(row, case),
        "kinds": run.mark_kinds(),
        "own": own,
        "others": [one for one in trial.labels if one != own] if told or settling else [],
        "verdicts": trial.verdicts if told else (),
        "outcome": OutcomeCell(trial.outcome) if told else None,
        "marks": [mark for mark in trial.marks if told or settling or mark.annotator == annotator],
        "steps": steps if told else _of_the_attempt(steps),
    }


def _of_the_attempt(steps: Sequence[TrialStep]) -> Sequence[TrialStep]:
    """Without what was asked of a judge, and all that came after it."""
    judging = (at for at, one in enumerate(steps) if one.kind == "asked" or (one.call and one.call.phase != "attempt"))
    return steps[: next(judging, len(steps))]


def _cells(row: Mapping[str, str], case: Case) -> Mapping[str, object]:
    """`facts` take a line each, `cells` more."""
    told = {column: cell for column, cell in row.items() if cell.strip() and column not in _SHOWN_ELSEWHERE}
    if told.keys() - _WHOLE:
        told.pop("Case", None)
    short = {column: cell for column, cell in told.items() if len(cell) <= _SHORT and "\n" not in cell}
    facts = tuple((column, Words(cell)) for column, cell in short.items() if cell not in {case.id, case.title})
    long = {column: cell for column, cell in told.items() if column not in short}
    return {"facts": (Facts(rows=facts),) if facts else (), "cells": long}


def _digits(measure: Measure) -> Sequence[int]:
    """The scores that are said by one key, where these are all whole ones."""
    low, high = measure.low, measure.high
    if measure.kind == "pass" or low is None or high is None or low < 0 or high > _MOST_DIGIT or high - low < 1:
        return ()
    return range(ceil(low), int(high) + 1)


def _links(name: str, annotator: str, trial: RecordedTrial | None, *, settling: bool) -> Mapping[str, str]:
    def queue(which: str) -> str:
        return address("/label", run=name, by=annotator, queue=which)

    return {
        "next": queue("settle" if settling else ""),
        "queue": queue(""),
        "settle": queue("settle"),
        "who": address("/label", run=name, who="else"),
        "align": address("/align", run=name),
        "csv": address("/label/results", run=name),
        "figures": address("/label/figures", run=name),
        "trial": address("/trial", run=name, case=trial.case_id, trial=trial.number) if trial else "",
    }
