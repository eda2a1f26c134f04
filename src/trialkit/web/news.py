"""What is new in a run that somebody follows, as its pages show it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from trialkit.analysis.runs import ListedRun, list_run
from trialkit.analysis.steps import steps_of
from trialkit.pages import measured
from trialkit.runfile import RunFile
from trialkit.text.shown import dollars

from .render import fragment
from .trial import calls_at

#: Trials under way that are named; there may be hundreds at once.
_MOST_NAMED = 8
#: Before so many have ended, how long the others take is guessing.
_FEWEST_ENDED = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class FollowedTrial:
    steps: tuple[str, ...] = ()  # as HTML
    ended: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class RunNews:
    state: str
    change: int  # the number of the last one that is in it
    progress: str  # as HTML
    controls: str


def read_run(name: str, path: Path) -> RunNews:
    """Its figures; of a run with 250,000 calls that takes half a second. InputError if the file is gone."""
    listed = list_run(path)
    with RunFile(path) as run, run.moment():
        change, under_way = run.change(), run.under_way() if listed.state == "running" else []
        spent = run.spent()
    return RunNews(
        state=listed.state,
        change=change,
        progress=fragment(
            "live_progress.html",
            name=name,
            run=listed,
            result=measured(listed.headline, listed.measure, short=True),
            cost=_cost(listed, spent),
            left=_left(listed),
            under_way=under_way[:_MOST_NAMED],
            more=len(under_way) - _MOST_NAMED,
        ),
        controls=fragment("live_controls.html", name=name, run=listed),
    )


def read_trials(
    name: str, path: Path, since: int, followed: Collection[int], unread: Collection[int]
) -> tuple[int, Mapping[int, FollowedTrial]]:
    """The followed trials that have changed since, and the unread, by id; and the number of the last change."""
    with RunFile(path) as run, run.moment():
        changed = {trial.id for trial in run.results(all_judges=False, since=since)} if since else set()
        found = {trial: _followed(run, name, trial) for trial in changed.intersection(followed).union(unread)}
        return run.change(), found


def _followed(run: RunFile, name: str, trial_id: int) -> FollowedTrial:
    trial = run.trial(trial_id)
    call_at = calls_at(name, trial)
    steps = tuple(fragment("live_step.html", step=step, call_at=call_at) for step in steps_of(run, trial))
    return FollowedTrial(steps=steps, ended=trial.ended is not None)


def _cost(listed: ListedRun, spent: float) -> str:
    if listed.cost.value is not None:
        return dollars(listed.cost.value)
    return f"at least {dollars(spent)}" if spent else "cost unknown"


def _left(listed: ListedRun) -> str:
    """How long the run may take from here, if it goes on as before; empty: nobody knows."""
    ended = listed.counts.total - listed.counts.open
    if listed.state != "running" or ended < _FEWEST_ENDED:
        return ""
    minutes = listed.info.wall_s / ended * listed.counts.open / 60
    if minutes < 1:
        return "less than a minute left"
    return f"about {minutes:.0f} min left" if minutes < 100 else f"about {minutes / 60:.0f} h left"
