"""Recorded trials scored again: their actions are replayed in our environment, and what it says is compared."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from trialkit.dialogue import RESPOND, Output
from trialkit.errors import InputError
from trialkit.suites.tau import Task, TauEnvironment, load_domain
from trialkit.suites.tau.common import verdicts
from trialkit.suites.tau.probes import passes_for_nothing
from trialkit.suites.tau.suite import tau_suite
from trialkit.vocabulary import Verdict

from .reading import Entry, Results

#: What no words can bring about.
_DONE_BY_CALLS = frozenset({"DB", "ENV_ASSERTION", "ACTION"})


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


def has_calls(entry: Entry) -> bool:
    return entry.output is not None and any(action["name"] != RESPOND for action in entry.output["actions"])


class Rescorer:
    """InputError if the domain's content is not there."""

    def __init__(self, results: Results, split: str, data_dir: Path | None) -> None:
        self._domain = load_domain(results.suite, data_dir)
        self._known = {task.id: task for task in self._domain.tasks(split)}
        self._split = split
        self._results = results
        # As the file has them, for that is what was asked of the trials; else as our content has them.
        self._tasks = {**self._known, **{task_id: recorded.read for task_id, recorded in results.tasks.items()}}
        without = not any(map(has_calls, results.entries))
        #: No trial holds a call, and yet some were paid for what only calls can do: they are not in the file.
        self.calls_are_lost = without and any(self._paid_without_calls(entry) for entry in results.entries)

    @property
    def content(self) -> str:
        """Whose tasks the file has: our content's name and version; empty: they are others, or it has none."""
        asked = {task_id: one.read for task_id, one in self._results.tasks.items()}
        like = all(task_id in self._known and _same_task(one, self._known[task_id]) for task_id, one in asked.items())
        return self._domain.content if asked and like else ""

    @property
    def free(self) -> list[str]:
        """The ids of tasks that pass though nothing is done."""
        asked = (self._tasks.get(task_id) for task_id in dict.fromkeys(one.task_id for one in self._results.entries))
        return [task.id for task in asked if task is not None and passes_for_nothing(self._domain, task)]

    def changed_tasks(self) -> list[str]:
        """The ids of tasks that the file has otherwise than our content does: they are scored as the file has them."""
        return [
            task_id
            for task_id, recorded in self._results.tasks.items()
            if (known := self._known.get(task_id)) is None
            or recorded.read.actions != known.actions
            or recorded.read.outputs != known.outputs
        ]

    def score(self, entry: Entry) -> Rescored:
        task = self._tasks.get(entry.task_id)
        if entry.error is not None:
            return Rescored(entry=entry, verdict=None, why_not="crashed when recorded")
        if entry.output is None:
            return Rescored(entry=entry, verdict=None, why_not="no conversation in the file")
        if task is None:
            missing = f"task neither in the file nor in the split {self._split}"
            return Rescored(entry=entry, verdict=None, why_not=missing)
        environment = self._domain.open(task)
        differing = observations = 0
        for action, recorded in zip(entry.output["actions"], entry.output["observations"], strict=True):
            if action["name"] != RESPOND:
                ours = environment.call(action["name"], action["kwargs"], action.get("by", "agent"))
                if not entry.apart:  # what is written then is not what the tool said
                    observations += 1
                    differing += not self._domain.same_observation(ours, recorded)
        verdict = self._verdict(entry, task, environment, entry.output)
        why_not = None
        if verdict.score is None:
            why_not = "our environment cannot decide"
        elif entry.reward is None:
            why_not = "no reward in the file"
        return Rescored(entry=entry, verdict=verdict, observations=observations, differing=differing, why_not=why_not)

    def _paid_without_calls(self, entry: Entry) -> bool:
        task = self._tasks.get(entry.task_id)
        if task is None or entry.output is None or not entry.reward:
            return False
        score = self._domain.score(task, entry.output["actions"])
        return any(score.parts[basis] == 0.0 for basis in score.basis if basis in _DONE_BY_CALLS)

    def _verdict(self, entry: Entry, task: Task, environment: TauEnvironment, output: Output) -> Verdict:
        if not verdicts.is_scored(output):
            return verdicts.unscored(self._domain, task, output)
        score = self._domain.judge(task, environment, output["actions"])
        if score.pending and all(text in entry.assertions for text in score.pending):
            score = score.judged([entry.assertions[text] for text in score.pending])
        if score.reward and not score.decided:
            return verdicts.no_verdict("assertions count that neither the environment nor the file decides", output)
        return verdicts.scored(self._domain, task, output, score)


def rescorer_of(results: Results, split: str, data_dir: Path | None) -> Rescorer:
    """With the content whose tasks the file has, if that is here, unless a folder is named. InputError if none is."""
    rescorer = Rescorer(results, split, data_dir)
    if data_dir is not None or rescorer.content:
        return rescorer
    for named in tau_suite(results.suite).contents:
        with suppress(InputError):
            if (other := Rescorer(results, split, Path(named))).content:
                return other
    return rescorer


def _same_task(one: Task, other: Task) -> bool:
    parts = ("instruction", "actions", "outputs", "criteria", "initial_state")
    return all(getattr(one, part) == getattr(other, part) for part in parts)
