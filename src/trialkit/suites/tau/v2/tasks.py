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


def read_tasks(folder: Path) -> dict[str, tuple[Task | Malformed, ...]]:
    """The tasks of `tasks.json` by split, as `split_tasks.json` has them; without that file all are the base."""
    file = folder / "tasks.json"
    values = checked(TypeAdapter(list[object]), value_of(file), file)
    records = [_record_or_why(value, file, number) for number, value in enumerate(values)]
    ids = [record.id for record in records]
    if len(set(ids)) < len(ids):
        twice = next(task_id for task_id in ids if ids.count(task_id) > 1)
        raise InputError(f"{file}: two tasks have the id {twice!r}; give one of them another")
    splits = {BASE: frozenset(ids)} | _read_splits(folder / "split_tasks.json", frozenset(ids))
    tasks = [
        record
        if isinstance(record, Malformed)
        else _task(record, tuple(name for name, members in splits.items() if record.id in members))
        for record in records
    ]
    return {
        name: tuple(_in_split(task, name) for task in tasks if task.id in members) for name, members in splits.items()
    }


def _record_or_why(value: object, file: Path, number: int) -> "_TaskRecord | Malformed":
    """One task that cannot be read does not keep the others from being run: it is listed with what is wrong."""
    try:
        return checked(_one_record(), value, file, str(number))
    except InputError as error:
        named = value.get("id") if isinstance(value, dict) else None
        return Malformed(id=named if isinstance(named, str) else f"at place {number}", why=str(error))


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
