"""Reading tau2's tasks: the user's scenario, the state to start from, and the criteria of the reward."""

import dataclasses
import functools
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from trialkit.dialogue import Action
from trialkit.errors import InputError
from trialkit.suites.tau.common.tasks import BY, Criteria, GoldAction, InitialState, Malformed, Task, UserScenario
from trialkit.text.checked import checked

from .source import value_of

#: The split that always exists: what tau2 runs unless told otherwise.
BASE = "base"


@dataclass(frozen=True, kw_only=True, slots=True)
class _TaskRecord:
    """A task as it stands in `tasks.json`."""

    id: str
    user_scenario: UserScenario
    initial_state: InitialState | None = None
    evaluation_criteria: Criteria | None = None


class TaskList:
    """The tasks of `tasks.json` by split, as `split_tasks.json` has them; without that file all are the base.

    A task is read when its split is first asked for: telecom has twenty for each that is usually run.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / "tasks.json"
        self._values = checked(TypeAdapter(list[object]), value_of(self._file), self._file)
        self._ids = [_id_of(value, number) for number, value in enumerate(self._values)]
        if len(set(self._ids)) < len(self._ids):
            twice = next(task_id for task_id in self._ids if self._ids.count(task_id) > 1)
            raise InputError(f"{self._file}: two tasks have the id {twice!r}; give one of them another")
        self._splits = {BASE: frozenset(self._ids)} | _read_splits(folder / "split_tasks.json", frozenset(self._ids))
        self._read: dict[int, Task | Malformed] = {}
        self._listed: dict[str, tuple[Task | Malformed, ...]] = {}

    @property
    def splits(self) -> tuple[str, ...]:
        return tuple(self._splits)

    def listed(self, split: str) -> tuple[Task | Malformed, ...]:
        if split not in self._listed:
            numbers = [number for number, task_id in enumerate(self._ids) if task_id in self._splits[split]]
            self._listed[split] = tuple(_in_split(self._task(number), split) for number in numbers)
        return self._listed[split]

    def _task(self, number: int) -> Task | Malformed:
        """One that cannot be read does not keep the others from being run: it is listed with what is wrong."""
        if number not in self._read:
            task_id = self._ids[number]
            splits = tuple(name for name, members in self._splits.items() if task_id in members)
            try:
                record = checked(_one_record(), self._values[number], self._file, str(number))
                self._read[number] = _task(record, splits)
            except InputError as error:
                self._read[number] = Malformed(id=task_id, why=str(error))
        return self._read[number]


def _id_of(value: object, number: int) -> str:
    named = value.get("id") if isinstance(value, dict) else None
    return named if isinstance(named, str) else f"at place {number}"


def _in_split(task: Task | Malformed, name: str) -> Task | Malformed:
    return task if isinstance(task, Malformed) else dataclasses.replace(task, split=name)


def read_task(value: object, file: Path, *place: str) -> Task:
    """A task that stands by itself in another file, at `place`, such as one of recorded results."""
    return _task(checked(_one_record(), value, file, *place), (BASE,))


@functools.cache
def _one_record() -> TypeAdapter[_TaskRecord]:
    """Built when first needed: it takes longer than reading a task."""
    return TypeAdapter(_TaskRecord)


def _read_splits(file: Path, ids: frozenset[str]) -> dict[str, frozenset[str]]:
    if not file.is_file():
        return {}
    splits = checked(TypeAdapter(dict[str, frozenset[str]]), value_of(file), file)
    for name, members in splits.items():
        if strange := sorted(members - ids):
            raise InputError(f"{file}: the split {name!r} names the task {strange[0]!r}, which is not in tasks.json")
    return splits


def _task(record: _TaskRecord, splits: tuple[str, ...]) -> Task:
    criteria = record.evaluation_criteria
    gold = (criteria.actions if criteria else None) or ()
    return Task(
        id=record.id,
        split=BASE,
        splits=splits,
        instruction=record.user_scenario.text(),
        actions=tuple(map(_action, gold)),
        outputs=(criteria.communicate_info if criteria else None) or (),
        scenario=record.user_scenario,
        initial_state=record.initial_state,
        criteria=criteria,
    )


def _action(gold: GoldAction) -> Action:
    action = Action(name=gold.name, kwargs=dict(gold.arguments))
    return action if gold.requestor == "assistant" else {**action, "by": BY[gold.requestor]}
