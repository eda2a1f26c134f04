"""One trial's environment: calls in, observations out, over the trial's own view of the database."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trialkit.dialogue import By
from trialkit.suites.tau.common.database import Changes, Row, Tables, View, copied
from trialkit.suites.tau.common.domain import TauEnvironment
from trialkit.suites.tau.common.tasks import BY, EnvAssertion, EnvCall, InitialData, InitialState
from trialkit.text.json import Json

from .rows import Rows
from .schemas import DescribedTool
from .toolkit import USER, Argument, Toolkit, tool_names


@dataclass(frozen=True, kw_only=True, slots=True)
class Kit:
    """What a party may call, and what the benchmark itself may in that party's world."""

    toolkit: type[Toolkit]
    #: Those that the source describes; a newer source may have more of ours than an older one.
    tools: Mapping[str, DescribedTool]
    rows: Rows
    backstage: type[Toolkit] | None = None

    def open(self, view: View) -> Toolkit:
        return (self.backstage or self.toolkit)(view, self.rows)

    @property
    def functions(self) -> frozenset[str]:
        """The tools, and what sets a scene, breaks something or asserts."""
        return tool_names(self.toolkit) | (tool_names(self.backstage) if self.backstage else frozenset())


@dataclass(frozen=True, kw_only=True, slots=True)
class World:
    """What every environment of a domain shares."""

    tables: Tables
    kits: Mapping[By, Kit]  # the user has one in some domains only


class Tau2Environment(TauEnvironment):
    __slots__ = ("_tools", "_view", "_world")

    def __init__(self, world: World) -> None:
        self._world = world
        self._view = View(world.tables)
        self._tools = {by: kit.open(self._view) for by, kit in world.kits.items()}

    def call(self, name: str, arguments: Mapping[str, Argument], by: By = "agent", *, synchronised: bool = True) -> str:
        """What a tool wrote before it failed stays written, as in the reference."""
        if by not in self._world.kits:
            return "Error: User tools not available"
        try:
            if name not in self._world.kits[by].tools:
                return f"Error: Tool '{name}' not found."
            result = self._run(name, arguments, by, synchronised=synchronised)
            return result if isinstance(result, str) else json.dumps(result, default=str)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong in a call is its observation
            return f"Error: {error}"

    def changed(self) -> Changes:
        return {table: rows for table, rows in self.left().items() if table != USER}

    def left(self) -> Changes:
        return self._view.changed()

    def user_state(self) -> dict[str, Row]:
        return {name: copied(row) for name, row in self._view.rows(USER)} if USER in self._world.tables else {}

    def begin(self, state: InitialState | None) -> Iterator[str]:
        """Bring the database to a task's initial state; yields what could not be done, one sentence each."""
        if state is None:
            return
        if state.initialization_data is not None:
            yield from self._lay_all_over(state.initialization_data)
        for action in state.initialization_actions or ():
            try:
                self._environment_call(action)
            except Exception as error:  # noqa: BLE001 - a tool can fail in any way on arguments that a file gives
                yield f"the initial action {action.func_name} fails: {error}"
        yield from self._replay(state)
        try:
            self._tools["agent"].synchronise()
        except Exception as error:  # noqa: BLE001 - likewise
            yield f"the worlds of user and agent do not fit together: {error}"

    def holds(self, assertion: EnvAssertion) -> bool:
        result = self._environment_call(assertion)
        if not isinstance(result, bool):
            raise TypeError(f"{assertion.func_name} answers neither yes nor no")
        return result == assertion.assert_value

    def _replay(self, state: InitialState) -> Iterator[str]:
        """The calls of a conversation that is under way already."""
        history = state.message_history or ()
        answers = {message.id: message.content or "" for message in history if message.role == "tool"}
        for message in history:
            by: By = "user" if message.role == "user" else "agent"
            for call in message.tool_calls or ():
                then, now = answers.get(call.id, ""), self.call(call.name, call.arguments, by)
                if json_or_text(then) != json_or_text(now):
                    yield f"{call.name} in the message history was answered {then!r:.200}, but answers {now!r:.200}"

    def _run(self, name: str, arguments: Mapping[str, Argument], by: By, *, synchronised: bool = True) -> object:
        # The copy keeps what a tool stores apart from what the caller holds.
        result: object = getattr(self._tools[by], name)(**copied(dict(arguments)))
        if synchronised:
            self._tools["agent"].synchronise()
        return result

    def _environment_call(self, call: EnvCall) -> object:
        by = BY[call.env_type]
        if by not in self._world.kits:
            raise ValueError("the user has no environment in this domain")
        if call.func_name not in self._world.kits[by].functions:
            raise ValueError(f"there is no function {call.func_name}")
        return self._run(call.func_name, call.arguments, by)

    def _lay_all_over(self, data: InitialData) -> Iterator[str]:
        tables = self._world.tables
        if data.user_data is not None and USER not in tables:
            yield "the initial state has data for the user's own environment, which this domain does not have"
        elif data.user_data is not None:
            yield from self._lay_over(USER, data.user_data)
        for table, rows in (data.agent_data or {}).items():
            if table == USER or table not in tables:
                yield f"the initial state has data for the table {table!r}, which does not exist"
            else:
                yield from self._lay_over(table, rows)

    def _lay_over(self, table: str, rows: Mapping[str, Json]) -> Iterator[str]:
        for key, part in rows.items():
            if table == USER and key not in self._world.tables[USER]:
                yield f"the initial state has {key!r} in the user's environment, which does not exist"
                continue
            old = self._view.row(table, key) if self._view.has(table, key) else {}
            try:
                self._view.put(table, key, self._row(table, key, _merged(old, part)))
            except ValueError as error:
                yield f"the initial state's row {key!r} of {table} does not fit the database: {error}"

    def _row(self, table: str, key: str, raw: Json) -> Row:
        if table == USER:
            return self._world.kits["user"].rows.row(key, raw)
        return self._world.kits["agent"].rows.row(table, raw)


def _merged(old: Json, new: Json) -> Json:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return {**copied(old), **{key: _merged(old.get(key), value) for key, value in new.items()}}
    kept: Json = copied(new)
    return kept


def json_or_text(text: str) -> Json:
    """What a text says as JSON; the text itself, if it is none."""
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value
