"""Conversations that need no model, to put a domain on trial: who does nothing should earn nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from random import Random

from trialkit.dialogue import RESPOND, Action, End, Record
from trialkit.suites import Probe
from trialkit.text.short import shown

from .common.database import Changes, same
from .common.domain import TRANSFER, Domain
from .common.tasks import Task

NOTHING = "nothing is done"
_GOODBYE = Action(name=RESPOND, kwargs={"content": "Goodbye."})
_LONGEST = 160
#: Of other rows, until a write to one succeeds.
_MOST_TRIED = 1_000


def passes_for_nothing(domain: Domain, task: Task) -> bool:
    """Whether an agent that only says goodbye is paid, as far as no model has to judge it."""
    score = domain.score(task, [_GOODBYE])
    return score.decided and abs(score.reward - 1) <= 1e-6


@dataclass(frozen=True, kw_only=True, slots=True)
class _Doing:
    action: Action
    wrote: bool  # of whichever world


class Probes:
    """Of the tasks of a domain: what is unrelated to one is what another asks for."""

    def __init__(self, domain: Domain, tasks: Sequence[Task]) -> None:
        self._domain = domain
        self._tasks = tasks

    def of(self, task: Task) -> Iterator[Probe]:
        yield _probe(NOTHING, "fail", [_GOODBYE])
        if any(tool.name == TRANSFER for tool in self._domain.tools):
            transfer = Action(name=TRANSFER, kwargs={"summary": "The customer wants something."})
            yield _probe("the user is transferred at once", "fail", [transfer], end="transfer")
        truth, last = self._truth(task)
        done = self._played(task, truth)
        yield _probe("the ground truth is done", "pass", [*truth, *last])
        without = "one write of the ground truth is left out"
        for one in done:
            if one.wrote:
                left = [other.action for other in done if other is not one]
                yield _probe(without, "fail", [*left, *last], what=_call(one.action))
        if found := self._unrelated(task, truth):
            damage = [*truth, found, *last]
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

    def _played(self, task: Task, actions: Sequence[Action]) -> list[_Doing]:
        environment = self._domain.open(task)
        found, before = [], environment.left()
        for one in actions:
            environment.call(one["name"], one["kwargs"], one.get("by", "agent"))
            after = environment.left()
            found.append(_Doing(action=one, wrote=not same(before, after)))
            before = after
        return found

    def _unrelated(self, task: Task, truth: Sequence[Action]) -> Action | None:
        """A write that here changes only rows that this task has nothing to do with."""
        right = self._left_by(task, truth)
        touched = {*_rows(right), *_named(task)}
        for action, changed in self._writes:
            if touched.isdisjoint({*_rows(changed), *_values(action)}):
                left = self._left_by(task, [*truth, action])
                if left != right and touched.isdisjoint(_rows(left) - _rows(right)):
                    return action
        return None

    @cached_property
    def _writes(self) -> list[tuple[Action, Changes]]:
        """The agent's first of each task, with what it changes on the pristine database.

        If all are about one customer, the same is done to another.
        """
        firsts = []
        for task in self._tasks:
            done = self._played(task, self._truth(task)[0])
            firsts += [one.action for one in done if one.wrote and one.action.get("by") != "user"][:1]
        if firsts and set.intersection(*map(_values, firsts)):
            by_name = {one["name"]: one for one in firsts}
            firsts = [other for one in by_name.values() if (other := self._elsewhere(one)) is not None]
        return [(one, changed) for one in firsts if (changed := self._left_by(None, [one]))]

    def _elsewhere(self, write: Action) -> Action | None:
        """The same done to rows of other keys."""
        keys = {
            name: [key for key in table if key != value]
            for name, value in write["kwargs"].items()
            for table in self._domain.tables.values()
            if isinstance(value, str) and value in table
        }
        for others in islice(product(*keys.values()), _MOST_TRIED):
            there = Action(name=write["name"], kwargs={**write["kwargs"], **dict(zip(keys, others, strict=True))})
            if self._left_by(None, [there]):
                return there
        return None

    def _left_by(self, task: Task | None, actions: Sequence[Action]) -> Changes:
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


def _shuffled(task: Task, done: Sequence[_Doing]) -> list[Action] | None:
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
