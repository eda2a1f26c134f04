"""Asks a suite's later question about the trials of a run that it concerns, and keeps what is said as remarks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trialkit.errors import InputError
from trialkit.models import ModelSpec
from trialkit.runfile import Prompt, RecordedTrial, Remark, RunFile
from trialkit.settings import RunSettings
from trialkit.suites import Review, Role, suite_in, suite_names, suite_of

from .connect import connected, traffic_of
from .guard import Fault, guarded
from .revisiting import Revisited, revisit, revisited
from .trial import LiveTrial

_ERROR = "error"


@dataclass(frozen=True, kw_only=True, slots=True)
class Reviewed:
    author: str  # the model and the version of its prompt
    unread: int  # trials of which nothing could be read
    cost: float | None  # of the role so far; None: unknown
    done: Revisited


def review_of(path: Path, kind: str) -> Review:
    with RunFile(path) as run:
        suite = suite_in(run.info())
    found = next((one for one in suite.reviews() if one.kind == kind), None)
    if found is None:
        others = [name for name in suite_names() if any(one.kind == kind for one in suite_of(name).reviews())]
        raise InputError(f"{path}: a run of {suite.name}; a {kind} is found in runs of {', '.join(others)} only")
    return found


async def review(
    path: Path,
    question: Review,
    version: str,
    model: ModelSpec,
    settings: RunSettings,
    begun: Callable[[int, int], None],
) -> Reviewed:
    """`begun` is told how many trials are asked about, and of how many the same author has told before."""
    prompt, traffic = question.prompt(version), traffic_of(settings)
    async with connected({question.role: Role(spec=model, phase="judge")}, settings, traffic) as peers:
        author = f"{peers[question.role].name}@{prompt.version}"
        with RunFile(path) as run:
            concerned = [row for row in run.trials() if question.concerns(row)]
        last = {row.id: _last(row, question.kind, author) for row in concerned}
        waiting = [row for row in concerned if last[row.id] is None or _ERROR in (last[row.id] or {})]
        begun(len(waiting), len(concerned) - len(waiting))
        done = await revisit(
            path,
            waiting,
            _Reviewing(question, prompt, author),
            live=revisited(settings, {question.role: prompt}, {question.role: model.options}),
            settings=settings,
            peers=peers,
            traffic=traffic,
            again=[row.id for row in waiting if last[row.id] is not None],
        )
    with RunFile(path) as run:
        rows = run.trials()
    said = [_last(row, question.kind, author) for row in rows]
    costs = [part.cost for row in rows for part in row.later if part.role == question.role]
    return Reviewed(
        author=author,
        unread=sum(one is not None and _ERROR in one for one in said),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
        done=done,
    )


@dataclass(frozen=True, slots=True)
class _Reviewing:
    question: Review
    prompt: Prompt
    author: str

    async def __call__(self, trial: LiveTrial, row: RecordedTrial) -> Remark:
        said = await guarded(self.question.ask(trial, row, self.prompt))
        data = {_ERROR: said.message} if isinstance(said, Fault) else said
        return Remark(kind=self.question.kind, author=self.author, data={**data, "prompt_sha256": self.prompt.hash})


def _last(row: RecordedTrial, kind: str, author: str) -> Mapping[str, Any] | None:
    """What this author said last about the trial."""
    said = [remark.data for remark in row.remarks if remark.kind == kind and remark.author == author]
    return said[-1] if said else None
