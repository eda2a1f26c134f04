"""tau2's tasks: the user's scenario, the state to start from, and the criteria that a conversation is held against."""

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from trialkit.dialogue import Action
from trialkit.errors import InputError
from trialkit.suites.tau.common.types import Malformed, Task
from trialkit.suites.tau.v2.reading import checked, value_of

Basis = Literal["DB", "ENV_ASSERTION", "NL_ASSERTION", "ACTION", "COMMUNICATE"]
Requestor = Literal["assistant", "user"]
#: The split that always exists: what tau2 runs unless told otherwise.
BASE = "base"


@dataclass(frozen=True, kw_only=True, slots=True)
class Instructions:
    """What the user wants, part by part."""

    domain: str
    reason_for_call: str
    task_instructions: str
    known_info: str | None = None
    unknown_info: str | None = None

    def text(self) -> str:
        parts = {
            "Why you call": self.reason_for_call,
            "What you know": self.known_info,
            "What you do not know": self.unknown_info,
            "How you go about it": self.task_instructions,
        }
        return "\n\n".join(f"{heading}: {part}" for heading, part in parts.items() if part)


@dataclass(frozen=True, kw_only=True, slots=True)
class Scenario:
    instructions: Instructions | str
    persona: str | None = None

    def text(self) -> str:
        wish = self.instructions if isinstance(self.instructions, str) else self.instructions.text()
        return f"Who you are: {self.persona}\n\n{wish}" if self.persona else wish


@dataclass(frozen=True, kw_only=True, slots=True)
class GoldAction:
    """A call of the ground truth. `compare_args` are the arguments that count; None: those of the agent's call."""

    action_id: str
    name: str
    arguments: Mapping[str, Any]
    requestor: Requestor = "assistant"
    compare_args: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class EnvCall:
    """A function of the environment, called by the benchmark itself."""

    env_type: Requestor
    func_name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class EnvAssertion(EnvCall):
    assert_value: bool = True
    message: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class InitialData:
    """What is laid over the database before the conversation: table → key → the parts of the row that differ."""

    agent_data: Mapping[str, Mapping[str, Any]] | None = None
    user_data: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class HistoryCall:
    name: str
    arguments: Mapping[str, Any]
    id: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class HistoryMessage:
    """A message of a conversation that is already under way; a `tool` message answers the call with its id."""

    role: Literal["system", "assistant", "user", "tool"]
    content: str | None = None
    id: str | None = None
    tool_calls: tuple[HistoryCall, ...] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class InitialState:
    initialization_data: InitialData | None = None
    initialization_actions: tuple[EnvCall, ...] | None = None
    message_history: tuple[HistoryMessage, ...] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Criteria:
    """Against what a conversation is held; the reward is the product over `reward_basis`."""

    actions: tuple[GoldAction, ...] | None = None
    communicate_info: tuple[str, ...] | None = None
    env_assertions: tuple[EnvAssertion, ...] | None = None
    nl_assertions: tuple[str, ...] | None = None
    reward_basis: tuple[Basis, ...] = ("DB", "COMMUNICATE")


@dataclass(frozen=True, kw_only=True, slots=True)
class Tau2Task(Task):
    """`split` is the list that the task was taken from, `splits` are all that it is on."""

    splits: tuple[str, ...]
    scenario: Scenario
    initial_state: InitialState | None
    #: None: nothing is asked, every conversation that ends earns the reward.
    criteria: Criteria | None

    @property
    def gold(self) -> tuple[GoldAction, ...]:
        return (self.criteria.actions if self.criteria else None) or ()

    @property
    def history(self) -> tuple[HistoryMessage, ...]:
        return (self.initial_state.message_history if self.initial_state else None) or ()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Record:
    """A task as it stands in `tasks.json`."""

    id: str
    user_scenario: Scenario
    initial_state: InitialState | None = None
    evaluation_criteria: Criteria | None = None


def read_tasks(folder: Path) -> dict[str, tuple[Tau2Task | Malformed, ...]]:
    """The tasks of `tasks.json` by split, as `split_tasks.json` has them; without that file all are the base."""
    file = folder / "tasks.json"
    values = checked(TypeAdapter(list[Any]), value_of(file), file)
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


def _record_or_why(value: Any, file: Path, number: int) -> "_Record | Malformed":
    """One task that cannot be read does not keep the others from being run: it is listed with what is wrong."""
    try:
        return checked(_one_record(), value, file, str(number))
    except InputError as error:
        named = value.get("id") if isinstance(value, dict) else None
        return Malformed(id=named if isinstance(named, str) else f"at place {number}", why=str(error))


def _in_split(task: Tau2Task | Malformed, name: str) -> Tau2Task | Malformed:
    return task if isinstance(task, Malformed) else dataclasses.replace(task, split=name)


def read_task(value: Any, file: Path, *place: str) -> Tau2Task:
    """A task that stands by itself in another file, at `place`, such as one of recorded results."""
    return _task(checked(_one_record(), value, file, *place), (BASE,))


@functools.cache
def _one_record() -> TypeAdapter[_Record]:
    """Built when first needed: it takes longer than reading a task."""
    return TypeAdapter(_Record)


def _read_splits(file: Path, ids: frozenset[str]) -> dict[str, frozenset[str]]:
    if not file.is_file():
        return {}
    splits = checked(TypeAdapter(dict[str, frozenset[str]]), value_of(file), file)
    for name, members in splits.items():
        if strange := sorted(members - ids):
            raise InputError(f"{file}: the split {name!r} names the task {strange[0]!r}, which is not in tasks.json")
    return splits


def _task(record: _Record, splits: tuple[str, ...]) -> Tau2Task:
    criteria = record.evaluation_criteria
    gold = (criteria.actions if criteria else None) or ()
    return Tau2Task(
        id=record.id,
        split=BASE,
        splits=splits,
        instruction=record.user_scenario.text(),
        actions=tuple(Action(name=action.name, kwargs=dict(action.arguments)) for action in gold),
        outputs=(criteria.communicate_info if criteria else None) or (),
        scenario=record.user_scenario,
        initial_state=record.initial_state,
        criteria=criteria,
    )
