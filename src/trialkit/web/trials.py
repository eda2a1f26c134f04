"""The trials of a run that were chosen: as a map of the cases, or as a list, page by page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from trialkit.analysis.charts import heat_map
from trialkit.analysis.steps import TrialStep, steps_of
from trialkit.analysis.summary import CaseSummary, Summary
from trialkit.pages import Cell, HeatMap, OutcomeCell
from trialkit.runfile import RecordedTrial, RunFile

from .asked import PageRequest
from .chosen import TrialChoice
from .shelf import OpenedRun
from .trial import trial_address

#: A case and one of its trials.
_Pair = tuple[CaseSummary, RecordedTrial]
#: Cases of a map, or trials of a list, on one page.
_PER_PAGE = 100
_AROUND = 60  # characters, of words that were searched for


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedTrial:
    case: CaseSummary
    trial: RecordedTrial
    outcome: Cell
    kind: str  # of the failure or error
    told: str  # what was said where the words stand, or the critique
    link: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ChosenTrials:
    """A page of them: `map` or `rows`."""

    view: str
    several: bool  # trials of a case, so that there is something to map
    count: int  # on all pages
    page: int
    pages: int
    map: tuple[HeatMap, ...] = ()
    rows: tuple[ListedTrial, ...] = ()


def chosen_trials(asked: PageRequest, name: str, run: OpenedRun, choice: TrialChoice) -> ChosenTrials:
    chosen = choice.trials(asked.shelf, name, run)
    cases = _cases(run.summary, chosen)
    several = any(len(one.trials) > 1 for one in run.summary.cases)
    view = asked.query.get("view") or ("map" if several and not choice.said else "list")
    mapped = view == "map" and any(len(one.trials) > 1 for one in cases)
    pages = max(1, -(-len(cases if mapped else chosen) // _PER_PAGE))
    page = min(_whole_number(asked.query.get("page", "")), pages)
    shown = slice((page - 1) * _PER_PAGE, page * _PER_PAGE)
    of_these = replace(run.summary, cases=cases if mapped else ())
    chart = heat_map(of_these, lambda trial: trial_address(name, trial, choice), shown)
    return ChosenTrials(
        view="map" if mapped else "list",
        several=several,
        count=len(chosen),
        page=page,
        pages=pages,
        map=(chart,) if chart else (),
        rows=() if mapped else tuple(_rows(asked, name, run, chosen[shown], choice)),
    )


def _cases(summary: Summary, chosen: Sequence[_Pair]) -> tuple[CaseSummary, ...]:
    """Those that have chosen trials: a map shows all trials of these."""
    kept = {one.case.id for one, _ in chosen}
    return tuple(one for one in summary.cases if one.case.id in kept)


def _rows(
    asked: PageRequest,
    name: str,
    run: OpenedRun,
    chosen: Sequence[_Pair],
    choice: TrialChoice,
) -> Iterator[ListedTrial]:
    found: dict[int, tuple[int | None, str]] = {}
    if choice.said:
        found.update(_found(asked, name, chosen, choice.said))
    for one, trial in chosen:
        step, told = found.get(trial.id, (None, _said(trial)))
        yield ListedTrial(
            case=one,
            trial=trial,
            outcome=OutcomeCell(trial.outcome, otherwise="not judged" if trial.ended else "not run"),
            kind=run.kinds.get(trial.id, ""),
            told=told,
            link=trial_address(name, trial, choice, step),
        )


def _said(trial: RecordedTrial) -> str:
    return trial.decided.critique if trial.decided else trial.error or ""


def _found(asked: PageRequest, name: str, chosen: Sequence[_Pair], words: str) -> Iterator[tuple[int, tuple[int, str]]]:
    """By trial, the first step in which the words stand, and what stands around them."""
    with asked.shelf.open(name) as run:
        for _, trial in chosen:
            step = _first_step(run, trial, words)
            if step is not None:
                yield trial.id, (step.number, _around(step.words(), words))


def _first_step(run: RunFile, trial: RecordedTrial, words: str) -> TrialStep | None:
    whole = run.trial(trial.id)  # with its answer, in which an imported one has its transcript
    return next((step for step in steps_of(run, whole) if words.lower() in step.words().lower()), None)


def _around(text: str, words: str) -> str:
    place = text.lower().index(words.lower())
    first, last = max(0, place - _AROUND), place + len(words) + _AROUND
    return f"{'…' * (first > 0)}{text[first:last]}{'…' * (last < len(text))}"


def _whole_number(text: str) -> int:
    """From 1."""
    return max(1, int(text)) if text.isdecimal() and len(text) < 7 else 1
