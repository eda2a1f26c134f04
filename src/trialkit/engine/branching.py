"""Goes on from a step of a recorded trial: the state there is rebuilt from the recorded replies, and what comes after
is asked anew, of the same models or of another on trial.
"""

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trialkit.errors import InputError, ReplayError
from trialkit.models import Request
from trialkit.runfile import GOES_ON_FROM, CallRecord, Event, Origin, PlannedTrial, RunFile
from trialkit.settings import PromptOf, RunSettings, marked
from trialkit.suites import Content, Peer
from trialkit.text.json import dump, parse
from trialkit.vocabulary import Case

from .calls import Call, CallReply, Send, StoppedError, is_stop
from .guard import Fault, guarded
from .job import Job
from .ready import read_settings
from .rerun import Rerun
from .setup import Setup
from .trial import LiveTrial

#: Of the events that a suite adds, those that only tell that a call was made.
_CALLS = frozenset({"reply", "call failed"})
#: What is said of the model on trial besides its name; it was meant for the one that is named.
_OF_SUBJECT = ("provider", "api_base", "reasoning", "max_tokens", "extra", "tools_as")


@dataclass(frozen=True, kw_only=True, slots=True)
class Branch(Rerun):
    """`content` has so many trials of the one case as are to go on."""

    origin: Origin
    replies: Sequence[CallRecord]  # the recorded ones that each trial begins with, in the order in which they came
    events: Sequence[Event]  # what had happened by then
    keys: Mapping[str, str]  # by role, the key of the model that gave them

    async def planned(self, setup: Setup, peers: Mapping[str, Peer], content: Content) -> Content:
        """Each trial with the calls that it begins with, under the requests that it makes. InputError where the state
        comes out another.
        """
        content = await Rerun.planned(self, setup, peers, content)
        (case,) = content.cases
        rebuilt = [await self._rebuilt(setup, peers, case, trial) for trial in content.trials]
        return replace(content, trials=rebuilt)

    async def _rebuilt(
        self, setup: Setup, peers: Mapping[str, Peer], case: Case, planned: PlannedTrial
    ) -> PlannedTrial:
        job = Job(trial_id=0, case=case, number=planned.number, origin=self.origin)
        calls = _Beginning(self.replies, self.keys, {role: peer.key for role, peer in peers.items()})
        trial = LiveTrial(
            job,
            calls,
            settings=setup.settings,
            prompts=setup.prompts,
            options=setup.options(),
            seed=setup.settings.seed,
        )
        try:
            done = await guarded(setup.runner.attempt(trial))
        except BaseException as error:
            if not is_stop(error):
                raise
        else:
            why = done.message if isinstance(done, Fault) else "the conversation ends before it"
            raise InputError(f"{self._where}: the state there cannot be rebuilt: {why}")
        self._check(calls.happened)
        return replace(planned, origin=self.origin, calls=tuple(calls.made))

    def _check(self, happened: Sequence[Event]) -> None:
        """The same was said and done, and the tools answered the same."""
        was, now = _plain(self.events), _plain(happened)
        if was == now:
            return
        place = next((at for at, (one, other) in enumerate(zip(was, now, strict=False)) if one != other), len(now))
        found = [dump(events[place])[:200] if place < len(events) else "nothing" for events in (was, now)]
        raise InputError(
            f"{self._where}: the state there cannot be rebuilt: it was {found[0]}, and now it is {found[1]}"
        )

    @property
    def _where(self) -> str:
        return f"{self.path}: step {self.origin.step}"


class _Beginning:
    """Answers each role with its recorded replies, in their order; then there are to be no more calls."""

    def __init__(self, replies: Sequence[CallRecord], before: Mapping[str, str], now: Mapping[str, str]) -> None:
        self.made: list[CallRecord] = []
        self.happened: list[Event] = []
        self._waiting: defaultdict[str, deque[CallRecord]] = defaultdict(deque)
        for record in replies:
            self._waiting[record.role].append(record)
        self._left = len(replies)
        self._before, self._now = before, now

    def model_key(self, role: str) -> str:
        return self._now[role]

    async def ask(self, call: Call, request: Request) -> CallReply:  # noqa: ARG002 - the order tells
        if not self._left:
            raise StoppedError
        if not self._waiting[call.role]:
            raise ReplayError(f"the {call.role} is asked more often than it was")
        record = self._waiting[call.role].popleft()
        self._left -= 1
        reply = record.reply
        if reply is None:
            raise ReplayError(f"a call of the {call.role} had failed")
        if self._now[call.role] != self._before.get(call.role):  # another model could not read its signed thoughts
            reply = replace(reply, state=None)
        kept = replace(record, request_key=call.request_key, nth=call.nth, source="cache", reply=reply, attempts=0)
        self.made.append(replace(kept, latency_s=0.0, void=False))
        return CallReply(reply, fresh=False)

    async def exchange(self, call: Call, send: Send) -> CallReply:  # noqa: ARG002 - nothing is sent
        raise ReplayError(f"the {call.role} is no model: what it remembers cannot be rebuilt")

    def events(self, trial_id: int, events: Sequence[Event]) -> None:  # noqa: ARG002 - there is one
        self.happened += events


def _plain(events: Sequence[Event]) -> list[Any]:
    told = [[event.kind, dict(event.data)] for event in events if event.kind not in _CALLS]
    return list(parse(dump(told)))


def branch_of(run: Rerun, trial_id: int, step: int, replies: int, trials: int) -> Branch:
    """`replies` of the trial's calls had been answered before its `step`. InputError where nothing comes after."""
    with RunFile(run.path) as file:
        row, models = file.trial(trial_id), file.models()
        events, answered = file.transcript(trial_id), _answered(file.calls(trial_id))
    came = [at for at, event in enumerate(events) if event.kind == "reply"]
    if replies >= len([record for record in answered if record.phase == "attempt"]):
        raise InputError(f"{run.path}: after step {step} no model was asked any more; there is nothing to go on with")
    kept = [_record_of(events[at], answered) for at in came[:replies]]
    return Branch(
        path=run.path,
        suite=run.suite,
        info=run.info,
        content=replace(
            run.content,
            cases=[case for case in run.content.cases if case.id == row.case_id],
            trials=[PlannedTrial(case_id=row.case_id, number=number + 1) for number in range(trials)],
            versions={
                **run.content.versions,
                GOES_ON_FROM: f"step {step} of trial {row.case_id}/{row.number} in {run.path.name}",
            },
        ),
        prompts=run.prompts,
        models=run.models,
        origin=Origin(run=run.path.name, created=run.info.created, number=row.number, step=step, replies=replies),
        replies=kept,
        events=events[: came[replies]],
        keys={model.role: model.key for model in models},
    )


def _answered(calls: Sequence[CallRecord]) -> list[CallRecord]:
    return [call for call in calls if call.reply is not None and not call.void and call.phase != "after"]


def _record_of(event: Event, calls: Sequence[CallRecord]) -> CallRecord:
    key = event.data["role"], event.data["request_key"], event.data["nth"]
    return next(call for call in reversed(calls) if (call.role, call.request_key, call.nth) == key)


def arm(
    branch: Branch, changes: Mapping[str, object], session: Mapping[str, object], prompt: str | None = None
) -> tuple[RunSettings, Branch]:
    """The settings of a run that goes on so, and what it is made of. `changes` are of the model on trial, `prompt` is
    another version of what it is told; without both it is the control. `session` says how it is run.
    """
    suite, settings = branch.suite, dict(branch.settings("max_cost"))
    if "model" in changes:
        settings |= {name: suite.settings.model_fields[name].default for name in _OF_SUBJECT}
        settings |= _other_roles_as_they_were(branch)
    changed = {**changes, **_prompt_setting(branch, prompt)}
    called = [branch.info.name or branch.info.subject, f"from step {branch.origin.step}"]
    called += [f"with {what}" for what in (changes.get("model"), prompt) if what]
    new = {"name": " ".join(called), "trials": len(branch.content.trials), "use_cache": False, "batch": False}
    made = read_settings(suite, branch.path, {**settings, **new, **session, **changed})
    if not changed:
        return made, branch
    models = [model for model in branch.models if model.role != branch.subject]
    return made, replace(branch, models=models, prompts=_prompts(branch, made, changed))


def _prompt_setting(branch: Branch, prompt: str | None) -> Mapping[str, object]:
    """Which of the suite's settings says it. InputError where the subject is told nothing that has versions."""
    if prompt is None:
        return {}
    settings = read_settings(branch.suite, branch.path, branch.info.settings)
    told = branch.suite.roles(settings, {one.role: one for one in branch.prompts})[branch.subject].prompts
    found = {mark.role: name for name, mark in marked(branch.suite.settings, PromptOf).items()}
    name = next((found[role] for role in told if role in found), None)
    if name is None:
        raise InputError(f"--prompt {prompt}: the {branch.subject} of {branch.suite.name} has no prompt with versions")
    return {name: prompt}


def _other_roles_as_they_were(branch: Branch) -> Mapping[str, object]:
    """Where a role is played by the model on trial unless another is named, the one of before is named."""
    before, fields = branch.info.settings, branch.suite.settings.model_fields
    pinned: dict[str, object] = {}
    for model in branch.models:
        name = f"{model.role}_model"
        if model.role != branch.subject and name in fields and before.get(name) is None:
            pinned |= {name: model.name, f"{model.role}_api_base": before.get("api_base")}
    return {name: value for name, value in pinned.items() if name in fields}


def _prompts(branch: Branch, settings: RunSettings, changes: Mapping[str, object]) -> Sequence[Any]:
    """The recorded ones, but for those whose version was changed."""
    changed = {mark.role for name, mark in marked(type(settings), PromptOf).items() if name in changes}
    if not changed:
        return branch.prompts
    new = {prompt.role: prompt for prompt in branch.suite.prompts(settings)}
    kept = [prompt for prompt in branch.prompts if prompt.role not in changed]
    return [*kept, *(new[role] for role in sorted(changed) if role in new)]
