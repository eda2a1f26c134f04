"""The conversation of a trial: user, agent and environment take turns until the rules end it.

Whatever a party does leads somewhere: each oddity has a rule, and each use of a rule stands in the notes. Those of the
tau suites are written down in docs/tau-bench.md.
"""

from collections.abc import Awaitable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Protocol

from trialkit.models import ToolCall

from .party import Agent, By, Move, ToolResult, User, read_arguments
from .record import RESPOND, Output, Record
from .rules import End, Rules


class Environment(Protocol):
    """One trial's tools, and the state that they work on."""

    def call(self, name: str, arguments: Mapping[str, object], by: By = "agent") -> str | Awaitable[str]:
        """What the tool answers, one that does not exist too. What begins with `Error:` counts as a failed call.

        A coroutine where answering may take its time: nobody else is kept waiting then.
        """


class Conversation:
    def __init__(
        self, *, agent: Agent, user: User, environment: Environment, record: Record, rules: Rules | None = None
    ) -> None:
        self._agent = agent
        self._user = user
        self._environment = environment
        self._record = record
        self._rules = rules or Rules()
        self._passed = 0  # steps in the rules' own way of counting
        self._errors = 0
        self._end: End | None = None

    async def run(self) -> Output:
        """Until the end. `ModelError` and what else a party raises goes through: that trial has no verdict."""
        async with AsyncExitStack() as parties:
            parties.push_async_callback(self._agent.end)
            parties.push_async_callback(self._user.end)
            return self._record.to_data(await self._play())

    async def _play(self) -> End:
        rules = self._rules
        if rules.greeting_is_said:
            self._record.add_text("agent", rules.greeting)
        incoming: str | Sequence[ToolResult] = await self._ask_user(
            rules.greeting, rules.stops if rules.first_message_may_stop else {}
        )
        while self._end is None:
            incoming = await self._step(incoming)
        return self._end

    async def _step(self, incoming: str | Sequence[ToolResult]) -> str | Sequence[ToolResult]:
        """One move of the agent's, and what comes back to it."""
        if self._is_full():
            return ""
        self._record.steps += 1
        self._passed += 1
        if isinstance(incoming, str):
            self._record.turns += 1
            move = await self._agent.hear(incoming)
        else:
            move = await self._agent.observe(incoming)
        if move.empty:
            self._record.note("empty_reply", "the agent neither replied nor called a tool; the conversation is over")
            self._end = "agent_error"
            return ""
        return await self._execute(move, "agent") if move.calls else await self._reply(move.text)

    def _is_full(self) -> bool:
        if self._rules.max_errors is not None and self._errors >= self._rules.max_errors:
            self._end = "too_many_errors"
        elif self._passed >= self._rules.max_steps:
            self._end = "max_steps"
        return self._end is not None

    async def _reply(self, text: str) -> str:
        """The agent's reply goes to the user; what the user says to it comes back."""
        self._record.add_text("agent", text)
        place = self._record.add_action(RESPOND, {"content": text})
        if self._rules.every_message_counts and self._is_full():
            return ""
        answer = await self._ask_user(text, self._rules.stops)
        self._record.observations[place] = answer
        return answer

    async def _ask_user(self, text: str, stops: Mapping[str, End]) -> str:
        self._passed += self._rules.every_message_counts
        move = await self._user.hear(text)
        while move.calls:  # what is called is executed before the limits are looked at, as the agent's calls are
            results = await self._execute(move, "user")
            if self._is_full():
                return ""
            self._passed += 1  # whoever calls tools without end ends the conversation
            move = await self._user.observe(results)
        if move.empty:
            self._record.note("empty_message", "the user neither said anything nor called a tool; it is over")
            self._end = "user_error"
            return ""
        self._record.add_text("user", move.text)
        self._end = next((end for token, end in stops.items() if token in move.text), None)
        if self._rules.every_message_counts:
            self._is_full()  # the limits are looked at last: a stop in the last step comes too late
        return move.text

    async def _execute(self, move: Move, by: By) -> Sequence[ToolResult]:
        calls = move.calls if self._rules.several_calls else move.calls[:1]
        if len(calls) < len(move.calls):
            dropped = ", ".join(call.name for call in move.calls[1:])
            self._record.note("parallel_calls_dropped", f"only the first call of a reply is executed, not {dropped}")
        if move.text.strip():
            self._record.note("text_with_call", f"the {_OTHER[by]} does not see text that comes with a call")
            if self._rules.text_beside_calls_counts and by == "agent":
                self._record.add_action(RESPOND, {"content": move.text})
        self._record.add_calls(by, move.text, calls)
        self._passed += self._rules.every_message_counts
        results = []
        for call in calls:
            result = ToolResult(call=call, text=await self._call(call, by))
            self._errors += result.text.startswith("Error:")
            self._record.add_result(by, result)
            results.append(result)
        return results

    async def _call(self, call: ToolCall, by: By) -> str:
        """The observation. Arguments that cannot be read never reach the environment."""
        rules = self._rules
        end = rules.ending_tools.get(call.name) if by == "agent" else None
        try:
            arguments = read_arguments(call.arguments)
        except ValueError as error:
            self._record.note("invalid_arguments", f"{call.name}: {error}: {call.arguments:.200}")
            if end is None:
                return f"Error: the arguments of {call.name} cannot be read: {error}; write one JSON object"
            arguments = {}  # such a tool ends the conversation whatever its arguments are
        answer = self._environment.call(call.name, arguments, by)
        observation = answer if isinstance(answer, str) else await answer
        known = rules.known_tools if by == "agent" or rules.known_user_tools is None else rules.known_user_tools
        if known is not None and call.name not in known:
            self._record.note("unknown_tool", f"there is no tool {call.name}")
        if call.name != RESPOND:
            self._record.add_action(call.name, arguments, observation, by)
        self._end = end or self._end
        return observation


_OTHER = {"agent": "user", "user": "agent"}
