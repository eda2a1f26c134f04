"""One trial's environment: calls in, observations out, over the trial's own view of the database."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trialkit.dialogue import By
from trialkit.suites.tau.common.database import Changes, Tables, View, copied
from trialkit.suites.tau.common.domain import TauEnvironment
from trialkit.suites.tau.common.tasks import BY, EnvAssertion, EnvCall, InitialState
from trialkit.text.json import Json

from .rows import Rows
from .toolkit import Argument, Toolkit, tool_names


@dataclass(frozen=True, kw_only=True, slots=True)
class Kit:
    """What a party may call."""

    toolkit: type[Toolkit]
    #: The tools that the source describes; a newer source may have more of ours than an older one.
    offered: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class World:
    """What every environment of a domain shares."""

    tables: Tables
    rows: Rows
    kits: Mapping[By, Kit]  # the user has one in some domains only


class Tau2Environment(TauEnvironment):
    __slots__ = ("_tools", "_view", "_world")

    def __init__(self, world: World) -> None:
        self._world = world
        self._view = View(world.tables)
        self._tools = {by: kit.toolkit(self._view, world.rows) for by, kit in world.kits.items()}

    def call(self, name: str, arguments: Mapping[str, Argument], by: By = "agent") -> str:
        """What a tool wrote before it failed stays written, as in the reference."""
        if by not in self._world.kits:
            return "Error: User tools not available"
        try:
            if name not in self._world.kits[by].offered:
                return f"Error: Tool '{name}' not found."
            result = self._run(name, arguments, by)
            return result if isinstance(result, str) else json.dumps(result, default=str)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong in a call is its observation
            return f"Error: {error}"

    def changed(self) -> Changes:
        return self._view.changed()

    def begin(self, state: InitialState | None) -> Iterator[str]:
        """Bring the database to a task's initial state; yields what could not be done, one sentence each."""
        if state is None:
            return
        data = state.initialization_data
        if data is not None:
            if data.user_data is not None:
                yield "the initial state has data for the user's own environment, which this domain does not have"
            for table, rows in (data.agent_data or {}).items():
                yield from self._lay_over(table, rows)
        for action in state.initialization_actions or ():
            try:
                self._environment_call(action)
            except Exception as error:  # noqa: BLE001 - a tool can fail in any way on arguments that a file gives
                yield f"the initial action {action.func_name} fails: {error}"
        yield from self._replay(state)

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

    def _run(self, name: str, arguments: Mapping[str, Argument], by: By) -> object:
        # The copy keeps what a tool stores apart from what the caller holds.
        result: object = getattr(self._tools[by], name)(**copied(dict(arguments)))
        self._tools["agent"].synchronise()
        return result

    def _environment_call(self, call: EnvCall) -> object:
        by = BY[call.env_type]
        if by not in self._world.kits:
            raise ValueError("the user has no environment in this domain")
        if call.func_name not in tool_names(self._world.kits[by].toolkit):
            raise ValueError(f"there is no function {call.func_name}")
        return self._run(call.func_name, call.arguments, by)

    def _lay_over(self, table: str, rows: Mapping[str, Json]) -> Iterator[str]:
        if table not in self._world.tables:
            yield f"the initial state has data for the table {table!r}, which does not exist"
            return
        for key, part in rows.items():
            old = self._view.row(table, key) if self._view.has(table, key) else {}
            try:
                self._view.put(table, key, self._world.rows.row(table, _merged(old, part)))
            except ValueError as error:
                yield f"the initial state's row {key!r} of {table} does not fit the database: {error}"


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
