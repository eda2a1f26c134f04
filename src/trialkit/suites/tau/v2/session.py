"""One trial's environment: calls in, observations out, over the trial's own view of the database."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trialkit.dialogue import By
from trialkit.suites.tau.common.database import Row, Tables, View, copied
from trialkit.suites.tau.v2.rows import RowTypes
from trialkit.suites.tau.v2.tasks import EnvAssertion, EnvCall, InitialState
from trialkit.suites.tau.v2.toolkit import Toolkit, tool_names


@dataclass(frozen=True, kw_only=True, slots=True)
class Observation:
    text: str
    #: tau2 marks errors in its transcripts and counts them.
    failed: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Environment:
    """What every session of a domain shares."""

    tables: Tables
    rows: RowTypes
    toolkit: type[Toolkit]
    #: The tools that the source describes; a newer source may have more of ours than an older one.
    offered: frozenset[str]


class Tau2Session:
    __slots__ = ("_environment", "_tools", "_view")

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._view = View(environment.tables)
        self._tools = environment.toolkit(self._view)

    def call(self, name: str, arguments: Mapping[str, Any], by: By = "agent") -> str:
        """The observation. Whatever the name and arguments are, it never raises."""
        return self.attempt(name, arguments).text if by == "agent" else "Error: User tools not available"

    def attempt(self, name: str, kwargs: Mapping[str, Any]) -> Observation:
        """As `call`, and whether it failed. What a tool wrote before it failed stays written, as in the reference."""
        try:
            if name not in self._environment.offered:
                raise ValueError(f"Tool '{name}' not found.")  # noqa: TRY301 - one place turns errors into observations
            result = self._run(name, kwargs)
            text = result if isinstance(result, str) else json.dumps(result, default=str)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong in a call is its observation
            return Observation(text=f"Error: {error}", failed=True)
        return Observation(text=text, failed=False)

    def changed(self) -> dict[str, dict[str, Row]]:
        """Every row that differs from the pristine database, as copies: table → key → row."""
        return self._view.changed()

    def begin(self, state: InitialState) -> Iterator[str]:
        """Bring the database to a task's initial state; yields what could not be done, one sentence each."""
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
        history = state.message_history or ()
        answers = {message.id: message.content or "" for message in history if message.role == "tool"}
        for call in (call for message in history for call in message.tool_calls or ()):
            then, now = answers.get(call.id, ""), self.call(call.name, call.arguments)
            if _value(then) != _value(now):
                yield f"{call.name} in the message history was answered {then!r:.200}, but answers {now!r:.200}"

    def holds(self, assertion: EnvAssertion) -> bool:
        """Whether the environment is as asserted; raises if it has no such yes-or-no function."""
        result = self._environment_call(assertion)
        if not isinstance(result, bool):
            raise TypeError(f"{assertion.func_name} answers neither yes nor no")
        return result == assertion.assert_value

    def _run(self, name: str, arguments: Mapping[str, Any]) -> Any:
        # The copy keeps what a tool stores apart from what the caller holds.
        return getattr(self._tools, name)(**copied(dict(arguments)))

    def _environment_call(self, call: EnvCall) -> Any:
        if call.env_type != "assistant":
            raise ValueError("the user has no environment in this domain")
        if call.func_name not in tool_names(self._environment.toolkit):
            raise ValueError(f"there is no function {call.func_name}")
        return self._run(call.func_name, call.arguments)

    def _lay_over(self, table: str, rows: Mapping[str, Any]) -> Iterator[str]:
        if table not in self._environment.tables:
            yield f"the initial state has data for the table {table!r}, which does not exist"
            return
        for key, part in rows.items():
            old = self._view.row(table, key) if self._view.has(table, key) else {}
            try:
                self._view.put(table, key, self._environment.rows.row(table, _merged(old, part)))
            except ValueError as error:
                yield f"the initial state's row {key!r} of {table} does not fit the database: {error}"


def _merged(old: Any, new: Any) -> Any:
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return copied(new)
    return {**copied(old), **{key: _merged(old.get(key), value) for key, value in new.items()}}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
