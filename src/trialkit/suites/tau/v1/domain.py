"""A tau-bench domain: content, tools and reward over one immutable database."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trialkit.dialogue import RESPOND, Action, By
from trialkit.errors import InputError
from trialkit.suites.tau.common.database import Row, Tables, View, same
from trialkit.suites.tau.common.types import Malformed, RowDifference, Score, Task, Why
from trialkit.suites.tau.v1.schema import mismatches
from trialkit.suites.tau.v1.source import Layout
from trialkit.suites.tau.v1.tools import Toolbox

Changes = dict[str, dict[str, Row]]


class TauSession:
    """One trial's view of the database and the tools on it."""

    __slots__ = ("_toolbox", "_view")

    def __init__(self, toolbox: Toolbox, tables: Tables) -> None:
        self._toolbox = toolbox
        self._view = View(tables)

    def call(self, name: str, arguments: Mapping[str, Any], by: By = "agent") -> str:
        """The observation. Whatever the name and arguments are, it never raises. The user has no tools."""
        return self._toolbox.call(self._view, name, arguments) if by == "agent" else f"Unknown action {name}"

    def changed(self) -> Changes:
        """Every row that differs from the pristine database, if only in its keys' order, which observations show."""
        return self._view.changed(ordered=True)


class TauDomain:
    """tau-bench/retail or tau-bench/airline. Everything it hands out is shared: callers must not mutate it."""

    terminating = frozenset({"transfer_to_human_agents"})

    def __init__(self, name: str, layout: Layout, toolbox: Toolbox, tables: Sequence[str]) -> None:
        self.name = name
        self.policy = layout.policy()
        self.rules = tuple(layout.rules())
        self.tool_schemas = tuple(layout.tool_schemas())
        self.splits = layout.splits()
        self._layout = layout
        self.tables: Tables = {table: layout.table(table) for table in tables}
        self._parameters = {
            schema["function"]["name"]: schema["function"]["parameters"] for schema in self.tool_schemas
        }
        if strange := sorted(self._parameters.keys() - toolbox.names):
            raise self._other_tools(f"has the tools {', '.join(strange)}, which trialkit does not have", toolbox)
        # Without a tool the ground truth would do nothing, and so would every agent that does as little as it.
        if missing := sorted(toolbox.names - self._parameters.keys()):
            raise self._other_tools(f"lacks the tools {', '.join(missing)}", toolbox)
        self._toolbox = toolbox
        self._listed: dict[str, tuple[Task | Malformed, ...]] = {}
        self._truths: dict[tuple[str, str], tuple[Task, Changes]] = {}

    def _other_tools(self, what: str, toolbox: Toolbox) -> InputError:
        wanted = ", ".join(sorted(toolbox.names))
        return InputError(f"{self.name}: {self._layout.folder}: the source {what}; use one with the tools {wanted}")

    def listed(self, split: str) -> tuple[Task | Malformed, ...]:
        """Read when first asked for. InputError if there is no such split."""
        if split not in self._listed:
            if split not in self.splits:
                raise InputError(f"{self.name} has no split {split!r}; it has {', '.join(self.splits) or 'none'}")
            self._listed[split] = self._layout.tasks(split)
        return self._listed[split]

    def tasks(self, split: str) -> tuple[Task, ...]:
        """Those that can be read."""
        return tuple(task for task in self.listed(split) if isinstance(task, Task))

    def open(self) -> TauSession:
        return TauSession(self._toolbox, self.tables)

    def score(self, task: Task, actions: Sequence[Action]) -> Score:
        """Of a recorded conversation, replayed in a session of its own up to the action that ends it."""
        session = self.open()
        taken = []
        for action in actions:
            taken.append(action)
            if action["name"] != RESPOND:
                session.call(action["name"], action["kwargs"])
            if action["name"] in self.terminating:
                break
        return self.judge(task, session, taken)

    def judge(self, task: Task, session: TauSession, actions: Sequence[Action]) -> Score:
        """Of a live conversation: the session is as it was left, of the actions only what was said matters."""
        rows = tuple(self._differences(self._truth(task), session.changed()))
        missing = _unsaid(task, actions)
        r_outputs = float(not missing) if task.outputs else None
        return Score(
            reward=float(not rows and not missing),
            r_actions=float(not rows),
            r_outputs=r_outputs,
            why=Why(rows=rows, missing_outputs=missing),
        )

    def check(self, task: Task) -> list[str]:
        """What is off in the task, one sentence each; empty if it is sound."""
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
                for phrase in mismatches(action["kwargs"], self._parameters[action["name"]], action["name"])
            )
        return found + list(self._errors(task))

    def problems(self, split: str) -> dict[str, list[str]]:
        """The tasks of a split in which something is off: task id → sentences."""
        checked = ((one.id, [one.why] if isinstance(one, Malformed) else self.check(one)) for one in self.listed(split))
        return {task_id: found for task_id, found in checked if found}

    def _errors(self, task: Task) -> Iterator[str]:
        """The ground truth's own actions that fail when they are replayed."""
        session = self.open()
        for number, action in enumerate(task.actions):
            if action["name"] in self._parameters:
                observation = session.call(action["name"], action["kwargs"])
                if observation.startswith("Error:"):
                    yield f"action {number}: {action['name']} answers {observation!r}"

    def _truth(self, task: Task) -> Changes:
        """What the ground truth changes; replayed once per task."""
        kept = self._truths.get((task.split, task.id))
        if kept is None or kept[0] is not task:
            session = self.open()
            for action in task.actions:
                if action["name"] != RESPOND and action["name"] not in self.terminating:
                    session.call(action["name"], action["kwargs"])
            kept = self._truths[task.split, task.id] = (task, session.changed())
        return kept[1]

    def _differences(self, expected: Changes, found: Changes) -> Iterator[RowDifference]:
        """Row by row; one that a side did not change is, on that side, as the pristine database has it."""
        for table, base in self.tables.items():
            wanted, had = expected.get(table, {}), found.get(table, {})
            for key in sorted(wanted.keys() | had.keys()):
                one, other = wanted.get(key, base.get(key)), had.get(key, base.get(key))
                if not same(one, other):
                    yield RowDifference(table=table, key=key, expected=one, found=other)


def _unsaid(task: Task, actions: Sequence[Action]) -> tuple[str, ...]:
    """The required outputs that occur in nothing the agent said; commas are taken from what it said only."""
    said = [
        content.lower().replace(",", "")
        for action in (*actions, *task.actions)
        if action["name"] == RESPOND and isinstance(content := action["kwargs"].get("content"), str)
    ]
    return tuple(output for output in task.outputs if not any(output.lower() in text for text in said))
