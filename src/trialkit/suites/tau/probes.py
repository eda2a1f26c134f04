"""Conversations that need no model, to put a domain on trial: who does nothing should earn nothing."""

from collections.abc import Iterator, Sequence
from random import Random

from trialkit.dialogue import RESPOND, Action, End, Record
from trialkit.suites import Probe
from trialkit.text.short import shown

from .common.breakdown.writes import Done, played
from .common.database import Changes
from .common.domain import TRANSFER, Domain
from .common.tasks import Task

NOTHING = "nothing is done"
_GOODBYE = Action(name=RESPOND, kwargs={"content": "Goodbye."})
_LONGEST = 160


def passes_for_nothing(domain: Domain, task: Task) -> bool:
    """Whether an agent that only says goodbye is paid, as far as no model has to judge it."""
    score = domain.score(task, [_GOODBYE])
    return score.decided and abs(score.reward - 1) <= 1e-6


class Probes:
    """Of the tasks of a domain: what is unrelated to one is what another asks for."""

    def __init__(self, domain: Domain, tasks: Sequence[Task]) -> None:
        self._domain = domain
        self._tasks = tasks
        self._writes: list[tuple[Done, Changes]] | None = None

    def of(self, task: Task) -> Iterator[Probe]:
        yield _probe(NOTHING, "fail", [_GOODBYE])
        if any(tool.name == TRANSFER for tool in self._domain.tools):
            transfer = Action(name=TRANSFER, kwargs={"summary": "The customer wants something."})
            yield _probe("the user is transferred at once", "fail", [transfer], end="transfer")
        truth, last = self._truth(task)
        done = played(self._domain, task, truth)
        without = "one write of the ground truth is left out"
        yield _probe("the ground truth is done", "pass", [*truth, *last])
        for one in done:
            if one.wrote:
                left = [other.action for other in done if other is not one]
                yield _probe(without, "fail", [*left, *last], what=_call(one.action))
        if found := self._unrelated(task, done):
            damage = [*(one.action for one in done), found, *last]
            yield _probe("an unrelated write is added to the ground truth", "fail", damage, what=_call(found))
            yield _probe("an unrelated write alone is done", "fail", [found, _GOODBYE], what=_call(found))
        if (shuffled := _shuffled(task, done)) is not None:
            yield _probe("the ground truth reads in another order", "pass", [*shuffled, *last])

    def _truth(self, task: Task) -> tuple[list[Action], list[Action]]:
        """What is done, and what comes last: what has to be said, or else what ends the conversation."""
        ending = self._domain.ending_tools
        truth = [one for one in task.actions if one["name"] != RESPOND and one["name"] not in ending]
        said = [one["kwargs"]["content"] for one in task.actions if one["name"] == RESPOND]
        says = Action(name=RESPOND, kwargs={"content": " ".join(["That is done.", *said, *task.outputs])})
        ends = [] if task.outputs else [one for one in task.actions if one["name"] in ending]
        return truth, [*(ends or [says])]

    def _unrelated(self, task: Task, done: Sequence[Done]) -> Action | None:
        """A write that another task asks for, which here changes only rows that this task has nothing to do with."""
        actions = [one.action for one in done]
        right = self._left_by(task, actions)
        touched = {*_rows(right), *_named(task)}
        for one, changed in self._first_writes():
            if not touched.isdisjoint({*_rows(changed), *_values(one.action)}):
                continue
            left = self._left_by(task, [*actions, one.action])
            if left != right and touched.isdisjoint(set(_rows(left)) - set(_rows(right))):
                return one.action
        return None

    def _first_writes(self) -> list[tuple[Done, Changes]]:
        """The first of each task, with what it changes on the pristine database; one of a kind and object."""
        if self._writes is None:
            self._writes = []
            for task in self._tasks:
                first = next((one for one in played(self._domain, task, self._truth(task)[0]) if one.wrote), None)
                if first is None or first.action.get("by") == "user":
                    continue
                environment = self._domain.open()
                environment.call(first.action["name"], first.action["kwargs"])
                if changed := environment.changed():
                    self._writes.append((first, changed))
        return self._writes

    def _left_by(self, task: Task, actions: Sequence[Action]) -> Changes:
        environment = self._domain.open(task)
        for one in actions:
            environment.call(one["name"], one["kwargs"], one.get("by", "agent"))
        return environment.changed()


def _probe(name: str, right: str, actions: Sequence[Action], *, end: End = "user_stop", what: str = "") -> Probe:
    record = Record()
    for one in actions:
        record.steps += 1
        record.add_action(one["name"], one["kwargs"], by=one.get("by", "agent"))
        if one["name"] == RESPOND:
            record.add_text("agent", one["kwargs"]["content"])
    return Probe(name=name, output={**record.to_data(end)}, right="pass" if right == "pass" else "fail", what=what)


def _shuffled(task: Task, done: Sequence[Done]) -> list[Action] | None:
    """None: it reads one thing at most, so that there is no other order."""
    reads = [one for one in done if not one.wrote]
    if len(reads) < 2:
        return None
    others = iter(Random(task.id).sample(reads, len(reads)))  # noqa: S311 - an order, not a secret
    return [one.action if one.wrote else next(others).action for one in done]


def _rows(changes: Changes) -> set[str]:
    return {key for rows in changes.values() for key in rows}


def _named(task: Task) -> set[str]:
    """Whatever the ground truth names, such as its customer."""
    return {value for action in task.actions for value in _values(action)} | {task.user_id or ""}


def _values(action: Action) -> set[str]:
    return {value for value in action["kwargs"].values() if isinstance(value, str)}


def _call(action: Action) -> str:
    arguments = ", ".join(f"{name}={shown(value, _LONGEST)}" for name, value in action["kwargs"].items())
    return f"{action['name']}({arguments})"
