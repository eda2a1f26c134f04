"""One trial: how it was judged, what was said and done step by step, and what it is to be held against."""

from collections.abc import Callable, Mapping, Sequence

from starlette.responses import Response

from trialkit.analysis.steps import steps_of
from trialkit.analysis.user_faults import faults_in
from trialkit.engine import read_settings
from trialkit.errors import InputError, TrialkitError
from trialkit.pages import OutcomeCell, Passage, Table
from trialkit.runfile import CallRecord, RecordedTrial, RunFile
from trialkit.suites import asking, suite_in
from trialkit.text.json import pretty
from trialkit.vocabulary import Case

from .asked import PageRequest
from .chosen import TrialChoice
from .render import address


def trial_view(asked: PageRequest) -> Response:
    name, choice = asked.query.get("run", ""), TrialChoice.of(asked.query)
    found = trial_asked_for(asked)
    with asked.shelf.open(name) as run:
        info, trial, prompts = run.info(), run.trial(found.id), run.prompts()
        case = next(one for one in run.cases() if one.id == found.case_id)
        steps = steps_of(run, trial)
        exhibits, fault = _exhibits(run, case, trial)
        faults = faults_in(run, case, trial)
    every = [one for _, one in choice.trials(asked.shelf, name, asked.shelf.opened(name))]
    return asked.shown(
        "trial.html",
        name=name,
        info=info,
        called=info.called(prompts),
        trial=trial,
        case=case,
        steps=steps,
        call_at=calls_at(name, trial),
        exhibits=exhibits,
        fault=fault,
        faults=faults,
        outcome=OutcomeCell(trial.outcome, otherwise="not judged" if trial.ended else "not ended"),
        kind=asked.shelf.opened(name).kinds.get(trial.id, ""),
        asks=pretty(case.data),
        output=pretty(trial.output) if trial.output is not None else "",
        links=_links(name, choice, every, found),
        place=(next((at for at, one in enumerate(every, start=1) if one.id == found.id), 0), len(every)),
        choice=choice,
    )


def calls_at(name: str, trial: RecordedTrial) -> Callable[[CallRecord], str]:
    """Gives the address of each of its model calls."""
    return lambda call: address(
        "/call", run=name, case=trial.case_id, trial=trial.number, key=call.request_key, nth=call.nth
    )


def trial_asked_for(asked: PageRequest) -> RecordedTrial:
    """Without its answer."""
    name, case_id, number = (asked.value(key) for key in ("run", "case", "trial"))
    for one in asked.shelf.opened(name).summary.cases:
        if one.case.id == case_id:
            for trial in one.trials:
                if str(trial.number) == (number or "1"):
                    return trial
    raise InputError(f"{name} has no trial {number} of a case {case_id}")


def trial_address(name: str, trial: RecordedTrial, choice: TrialChoice, step: int | None = None) -> str:
    """With what chose it: the next one is the next of these."""
    at = address("/trial", run=name, case=trial.case_id, trial=trial.number, **choice.query)
    return f"{at}#step-{step}" if step else at


def _links(name: str, choice: TrialChoice, every: Sequence[RecordedTrial], here: RecordedTrial) -> Mapping[str, str]:
    """`before`, `next` and `fail`, among the chosen ones; from one that is none of them, the first."""
    place = next((at for at, one in enumerate(every) if one.id == here.id), None)
    behind = every if place is None else every[place + 1 :]
    found = {
        "before": every[place - 1] if place else None,
        "next": next(iter(behind), None),
        "fail": next((one for one in behind if one.outcome == "fail"), None),
    }
    return {key: trial_address(name, one, choice) for key, one in found.items() if one is not None}


def _exhibits(run: RunFile, case: Case, trial: RecordedTrial) -> tuple[Sequence[Passage | Table], str]:
    """And why they cannot be shown: their content may be gone from this machine, or have changed."""
    info = run.info()
    suite = suite_in(info)
    try:
        settings = read_settings(suite, run.path, info.settings)
        with asking(f"suite {suite.name}", "exhibits"):
            return suite.exhibits(settings, case, trial), ""
    except TrialkitError as error:
        return (), str(error)
