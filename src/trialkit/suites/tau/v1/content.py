"""What tau-bench's content has to look like, whichever way it is laid out; what does not is named with its place."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import BaseModel, TypeAdapter

from trialkit.dialogue import Action
from trialkit.errors import InputError
from trialkit.suites.tau.common.database import Row
from trialkit.suites.tau.common.domain import ToolSchema
from trialkit.suites.tau.common.tasks import Malformed, Task
from trialkit.text.checked import checked
from trialkit.text.json import JsonObject, read_json

T = TypeVar("T")
FIX = "restore the file from sierra-research/tau-bench, or run `trialkit data fetch tau-bench`"


class _Action(BaseModel, defer_build=True):
    name: str
    kwargs: JsonObject


class WrittenTask(BaseModel, defer_build=True):
    """One without an instruction is read all the same: the domain's `check` lists it."""

    user_id: str | None = None
    instruction: str = ""
    actions: list[_Action]
    outputs: tuple[str, ...] = ()

    def task(self, task_id: str, split: str) -> Task:
        return Task(
            id=task_id,
            split=split,
            user_id=self.user_id,
            instruction=self.instruction,
            actions=tuple(Action(name=action.name, kwargs=action.kwargs) for action in self.actions),
            outputs=self.outputs,
        )


class _Function(BaseModel, defer_build=True):
    name: str
    parameters: JsonObject


class _Schema(BaseModel, defer_build=True):
    """As far as trialkit itself reads it: the rest is between the source and the model."""

    function: _Function


def wrong(where: str, what: str) -> InputError:
    """`where` names the file and the line or entry in it, `what` says what was found and what belongs there."""
    return InputError(f"{where}: {what}; {FIX}")


def read_table(path: Path) -> dict[str, Row]:
    return checked(TypeAdapter(dict[str, Row]), read_json(path, FIX), path, fix=FIX)


def rules(value: object, where: str) -> list[str]:
    return checked(TypeAdapter(list[str]), value, where, fix=FIX)


def schema(value: Any, where: str) -> ToolSchema:
    checked(TypeAdapter(_Schema), value, where, fix=FIX)
    return cast("ToolSchema", value)


def tasks(split: str, entries: Iterable[T], read: Callable[[T], tuple[object, str]]) -> tuple[Task | Malformed, ...]:
    """`read` gives what an entry holds, and its place. One that cannot be read does not keep the others from being run:
    it is listed with what is wrong.
    """
    kind = TypeAdapter(WrittenTask)

    def task_or_why(number: int, entry: T) -> Task | Malformed:
        try:
            value, where = read(entry)
            return checked(kind, value, where, fix=FIX).task(str(number), split)
        except InputError as error:
            return Malformed(id=str(number), why=str(error))

    return tuple(task_or_why(number, entry) for number, entry in enumerate(entries))
