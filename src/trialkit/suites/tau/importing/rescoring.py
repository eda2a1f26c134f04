"""Recorded trials scored again: their actions are replayed in our environment, and what it says is compared."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trialkit.suites.tau import RESPOND, Session, Task, load_domain
from trialkit.suites.tau.common import verdicts
from trialkit.suites.tau.importing.entries import Entry, RecordedTask, Results
from trialkit.vocabulary import Verdict


@dataclass(frozen=True, kw_only=True, slots=True)
class Rescored:
    """`verdict` is None where nothing could be scored; `why_not` says why nothing can be compared, if so.

    Observations are those of tools.
    """

    entry: Entry
    verdict: Verdict | None
    observations: int = 0
    differing: int = 0
    why_not: str | None = None

    @property
    def agrees(self) -> bool | None:
        """Whether our reward is the recorded one; None where either is not known."""
        if self.verdict is None or self.verdict.score is None or self.entry.reward is None:
            return None
        return abs(self.verdict.score - self.entry.reward) <= 1e-6


class Rescorer:
    """InputError if the domain's content is not there."""

    def __init__(self, results: Results, split: str, data_dir: Path | None) -> None:
        self._domain: Any = load_domain(results.suite, data_dir)
        self._known: dict[str, Task] = {task.id: task for task in self._domain.tasks(split)}
        self._is_tau2 = results.suite.startswith("tau2/")
        self._split = split
        self._results = results
        self._tasks: dict[str, Task] = {}

    def changed_tasks(self) -> list[str]:
        """The ids of tasks that the file has otherwise than our content does: they are scored as the file has them."""
        return [
            task_id
            for task_id, recorded in self._results.tasks.items()
            if (known := self._known.get(task_id)) is None
            or recorded.case["actions"] != list(known.actions)
            or recorded.case["outputs"] != list(known.outputs)
        ]

    def score(self, entry: Entry) -> Rescored:
        task = self._task(entry.task_id)
        if entry.error is not None:
            return Rescored(entry=entry, verdict=None, why_not="crashed when recorded")
        if entry.output is None:
            return Rescored(entry=entry, verdict=None, why_not="no conversation in the file")
        if task is None:
            missing = f"task neither in the file nor in the split {self._split}"
            return Rescored(entry=entry, verdict=None, why_not=missing)
        session = self._open(task)
        differing = observations = 0
        for action, recorded in zip(entry.output["actions"], entry.output["observations"], strict=True):
            if action["name"] != RESPOND:
                observations += 1
                said = session.call(action["name"], action["kwargs"])
                differing += said != recorded and not (self._is_tau2 and _value(said) == _value(recorded))
        verdict = self._verdict(entry, task, session)
        why_not = None
        if verdict.score is None:
            why_not = "our environment cannot decide"
        elif entry.reward is None:
            why_not = "no reward in the file"
        return Rescored(entry=entry, verdict=verdict, observations=observations, differing=differing, why_not=why_not)

    def _verdict(self, entry: Entry, task: Task, session: Session) -> Verdict:
        output = entry.output or {}
        if not verdicts.is_scored(output):
            return verdicts.unscored(self._domain, task, output)
        score: Any = self._domain.judge(task, session, output["actions"])
        pending = getattr(score, "pending", ())
        if pending and all(text in entry.assertions for text in pending):
            score = score.judged([entry.assertions[text] for text in pending])
        if score.reward and not getattr(score, "decided", True):
            return verdicts.no_verdict("assertions count that neither the environment nor the file decides", output)
        return verdicts.scored(self._domain, task, output, score)

    def _open(self, task: Task) -> Session:
        session: Session = self._domain.open(task) if self._is_tau2 else self._domain.open()
        return session

    def _task(self, task_id: str) -> Task | None:
        """As the file has it, for that is what was asked of the trial; else as our content has it."""
        if task_id not in self._tasks:
            recorded = self._results.tasks.get(task_id)
            found = self._known.get(task_id) if recorded is None else self._recorded(task_id, recorded)
            if found is None:
                return None
            self._tasks[task_id] = found
        return self._tasks[task_id]

    def _recorded(self, task_id: str, recorded: RecordedTask) -> Task:
        if self._is_tau2:
            from trialkit.suites.tau.v2.tasks import read_task  # noqa: PLC0415 - tau-bench does not pay for it

            return read_task(recorded.task, Path(recorded.where))
        case = recorded.case
        return Task(
            id=task_id,
            split=self._split,
            user_id=case["user_id"],
            instruction=case["instruction"],
            actions=tuple(case["actions"]),
            outputs=tuple(case["outputs"]),
        )


def _value(text: str) -> Any:
    """tau2's versions differ in how they write JSON, and whether they write null or nothing."""
    try:
        return _bare(json.loads(text))
    except (ValueError, RecursionError):
        return text


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _bare(part) for name, part in value.items() if part is not None}
    return [_bare(part) for part in value] if isinstance(value, list) else value
