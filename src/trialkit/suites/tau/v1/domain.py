"""A tau-bench domain: content, tools and reward over one immutable database."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trialkit.dialogue import RESPOND, Action, By
from trialkit.errors import InputError
from trialkit.suites.tau.common.database import Changes, Tables, View
from trialkit.suites.tau.common.domain import TRANSFER, Domain, TauEnvironment
from trialkit.suites.tau.common.score import Score, Truth, Why, row_differences, unsaid
from trialkit.suites.tau.common.tasks import Malformed, Task

from .source import Layout
from .tools import Toolbox

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


class TauBenchEnvironment(TauEnvironment):
    """One trial's view of the database and the tools on it."""

    __slots__ = ("_toolbox", "_view")

    def __init__(self, toolbox: Toolbox, tables: Tables) -> None:
        self._toolbox = toolbox
        self._view = View(tables)

    def call(self, name: str, arguments: Mapping[str, object], by: By = "agent") -> str:
        """The user has no tools."""
        return self._toolbox.call(self._view, name, arguments) if by == "agent" else f"Unknown action {name}"

    def changed(self) -> Changes:
        """Every row that differs from the pristine database, if only in its keys' order, which observations show."""
        return self._view.changed(ordered=True)


class TauBenchDomain(Domain):
    ending_tools = frozenset({TRANSFER})

    def __init__(
        self, name: str, layout: Layout, toolbox: Toolbox, tables: Sequence[str], key_arguments: tuple[str, ...]
    ) -> None:
        self.name = name
        self.key_arguments = key_arguments
        self.policy = layout.policy()
        self.rules = tuple(layout.rules())
        self.tool_schemas = tuple(layout.tool_schemas())
        self.splits = layout.splits()
        self.tables = {table: layout.table(table) for table in tables}
        self._layout = layout
        self._toolbox = toolbox
        self._parameters = {tool.name: tool.parameters for tool in self.tools}
        if strange := sorted(self._parameters.keys() - toolbox.names):
            raise self._other_tools(f"has the tools {', '.join(strange)}, which trialkit does not have")
        # Without a tool the ground truth would do nothing, and so would every agent that does as little as it.
        if missing := sorted(toolbox.names - self._parameters.keys()):
            raise self._other_tools(f"lacks the tools {', '.join(missing)}")
        self._listed: dict[str, tuple[Task | Malformed, ...]] = {}
        self._truths: dict[tuple[str, str], Truth] = {}

    def _other_tools(self, what: str) -> InputError:
        wanted = ", ".join(sorted(self._toolbox.names))
        return InputError(f"{self.name}: {self._layout.folder}: the source {what}; use one with the tools {wanted}")

    def listed(self, split: str) -> tuple[Task | Malformed, ...]:
        """Read when first asked for."""
        if split not in self._listed:
            self._expect_split(split)
            self._listed[split] = self._layout.tasks(split)
        return self._listed[split]

    def open(self, task: Task | None = None) -> TauBenchEnvironment:  # noqa: ARG002 - all tasks begin alike
        return TauBenchEnvironment(self._toolbox, self.tables)

    def judge(self, task: Task, environment: TauEnvironment, actions: Sequence[Action]) -> Score:
        """Of the actions only what was said matters; what the ground truth says counts as said."""
        rows = tuple(row_differences(self.tables, self._truth(task).changes, environment.changed()))
        replies = (one["kwargs"].get("content") for one in (*actions, *task.actions) if one["name"] == RESPOND)
        missing = unsaid(task.outputs, replies)
        return Score(
            basis=("DB", "COMMUNICATE") if task.outputs else ("DB",),
            parts={"DB": float(not rows), "COMMUNICATE": float(not missing)},
            why=Why(rows=rows, missing_outputs=missing),
        )

    def check(self, task: Task) -> list[str]:
        found = []
        if not task.instruction.strip():
            found.append("there is no instruction")
        if task.user_id not in self.tables["users"]:
            found.append(f"the user {task.user_id!r} is not in the database")
        for number, action in enumerate(task.actions):
            if action["name"] not in self._parameters:
                found.append(f"action {number} calls {action['name']}, which is not a tool")
                continue
            found += (
                f"action {number}: {phrase}"
                for phrase in _mismatches(action["kwargs"], self._parameters[action["name"]], action["name"])
            )
        return [*found, *self._truth(task).problems]

    def _truth(self, task: Task) -> Truth:
        """Replayed once per task."""
        kept = self._truths.get((task.split, task.id))
        if kept is not None and kept.task is task:
            return kept
        environment, problems = self.open(), []
        for number, action in enumerate(task.actions):
            if action["name"] != RESPOND and action["name"] not in self.ending_tools:
                observation = environment.call(action["name"], action["kwargs"])
                if observation.startswith("Error:"):
                    problems.append(f"action {number}: {action['name']} answers {observation!r}")
        truth = Truth(task=task, changes=environment.changed(), problems=tuple(problems))
        self._truths[task.split, task.id] = truth
        return truth


def _mismatches(value: object, schema: Mapping[str, Any], name: str) -> Iterator[str]:
    """What in the value is not as the schema has it, one phrase each; `name` says which value it is."""
    kind = schema.get("type")
    if isinstance(kind, str) and kind in _TYPES and not _is(value, kind):
        yield f"{name} is {value!r} where the schema has {kind}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{name} is {value!r} where the schema has {' or '.join(map(repr, schema['enum']))}"
    if isinstance(value, list):
        for number, part in enumerate(value):
            yield from _mismatches(part, schema.get("items", {}), f"{name}[{number}]")
    if isinstance(value, dict):
        yield from _members(value, schema, name)


def _members(value: dict[str, object], schema: Mapping[str, Any], name: str) -> Iterator[str]:
    known = schema.get("properties", {})
    for key in schema.get("required", ()):
        if key not in value:
            yield f"{name} has no {key!r}"
    for key, part in value.items():
        if key in known:
            yield from _mismatches(part, known[key], f"{name}.{key}")
        else:
            yield f"{name} has {key!r}, which the schema does not know"


def _is(value: object, kind: str) -> bool:
    # In Python a bool is an int; in JSON it is not a number.
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
