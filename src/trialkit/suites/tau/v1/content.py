"""What tau-bench's content has to look like, whichever way it is laid out; what does not is named with its place."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from trialkit.dialogue import Action
from trialkit.errors import InputError
from trialkit.suites.tau.common.database import Row
from trialkit.suites.tau.common.domain import ToolSchema
from trialkit.suites.tau.common.tasks import Malformed, Task
from trialkit.text.json import read_json

FIX = "restore the file from sierra-research/tau-bench, or run `trialkit data fetch tau-bench`"


def wrong(where: str, what: str) -> InputError:
    """`where` names the file and the line or entry in it, `what` says what was found and what belongs there."""
    return InputError(f"{where}: {what}; {FIX}")


def shown(value: object) -> str:
    """A value for a message, cut where it would fill the screen."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise wrong(str(path), f"cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise wrong(str(path), f"is not UTF-8 text (byte {error.start} is {error.object[error.start]:#04x})") from error


def read_table(path: Path) -> dict[str, Row]:
    table = read_json(path, FIX)
    if not isinstance(table, dict):
        raise wrong(str(path), f"holds {shown(table)} where an object of rows by key belongs")
    for key, row in table.items():
        if not isinstance(row, dict):
            raise wrong(f"{path}, row {key!r}", f"is {shown(row)} where an object belongs")
    return table


def rules(value: object, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(rule, str) for rule in value):
        raise wrong(where, f"the rules are {shown(value)} where a list of texts belongs")
    return value


def schema(value: object, where: str) -> ToolSchema:
    """A tool's schema, as far as trialkit itself reads it: the rest is between the source and the model."""
    function = value.get("function") if isinstance(value, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        raise wrong(where, f"the tool schema {shown(value)} has no function.name")
    if not isinstance(function.get("parameters"), dict):
        raise wrong(where, f"the schema of {function['name']} has no function.parameters")
    return cast("ToolSchema", value)


def task_or_why(number: int, read: Callable[[], Task]) -> Task | Malformed:
    """One task that cannot be read does not keep the others from being run: it is listed with what is wrong."""
    try:
        return read()
    except InputError as error:
        return Malformed(id=str(number), why=str(error))


def task(value: object, *, split: str, number: int, where: str) -> Task:
    """A task from its fields. One without an instruction is read all the same: the domain's `check` lists it."""
    if not isinstance(value, Mapping):
        raise wrong(where, f"the task is {shown(value)} where an object with `instruction` and `actions` belongs")
    actions, outputs = value.get("actions"), value.get("outputs", [])
    if not isinstance(actions, list):
        raise wrong(where, f"`actions` is {shown(actions)} where a list belongs")
    if not isinstance(outputs, list) or not all(isinstance(output, str) for output in outputs):
        raise wrong(where, f"`outputs` is {shown(outputs)} where a list of texts belongs")
    for field in ("user_id", "instruction"):
        if not isinstance(value.get(field, ""), str):
            raise wrong(where, f"`{field}` is {shown(value[field])} where a text belongs")
    return Task(
        id=str(number),
        split=split,
        user_id=value.get("user_id"),
        instruction=value.get("instruction", ""),
        actions=tuple(_action(action, f"{where}, action {position}") for position, action in enumerate(actions)),
        outputs=tuple(outputs),
    )


def _action(value: object, where: str) -> Action:
    name, kwargs = (value.get("name"), value.get("kwargs")) if isinstance(value, Mapping) else (None, None)
    if not isinstance(name, str) or not isinstance(kwargs, dict) or not all(isinstance(key, str) for key in kwargs):
        raise wrong(where, f"is {shown(value)} where a `name` and an object of `kwargs` belong")
    return Action(name=name, kwargs=kwargs)
