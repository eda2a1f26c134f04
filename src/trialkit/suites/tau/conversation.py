"""The conversation of a trial: user, agent and environment take turns until one of the benchmark's ends is reached.

Whatever a model says leads somewhere: each oddity has a rule, and each use of a rule stands in the notes. The rules
are written down in docs/tau-bench.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from trialkit.agents import Agent, Move, ToolResult, read_arguments
from trialkit.models import ToolCall
from trialkit.suites.tau.common.types import RESPOND, Action, Session
from trialkit.suites.tau.users import User

End = Literal["user_stop", "transfer", "max_steps", "agent_stop", "too_many_errors", "agent_error", "user_error"]

#: What the user takes the agent to have said first.
GREETING = "Hello! How may I help you today?"


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    """Where the benchmarks differ."""

    stops: Mapping[str, End]  # a token in what the user says → how that ends the conversation
    terminating: frozenset[str]  # tools that end it
    known: frozenset[str]  # the tools that there are
    several_calls: bool  # whether all calls of one reply are executed, or only the first
    remarks_count: bool  # whether text beside a call counts as said, though the user does not see it
    greeting_is_told: bool  # whether the agent and the transcript know of the greeting
    opening_may_stop: bool  # whether a token in the user's very first message ends it before the agent is asked
    respond_is_reply: bool  # whether a call of a tool named `respond` is a reply to the user
    counts_all: bool  # whether a step is any message that is passed on, or only a move of the agent's
    max_steps: int
    max_errors: int | None


class Watch(Protocol):
    """Where the transcript is written."""

    def note(self, kind: str, **data: Any) -> None: ...


@dataclass(kw_only=True, slots=True)
class Record:
    """What a conversation leaves behind."""

    watch: Watch
    actions: list[Action] = field(default_factory=list)
    action_steps: list[int] = field(default_factory=list)
    observations: list[str] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)
    steps: int = 0
    turns: int = 0

    def rule(self, rule: str, detail: str) -> None:
        self.notes.append({"step": self.steps, "rule": rule, "detail": detail})
        self.watch.note("rule", step=self.steps, rule=rule, detail=detail)

    def said(self, role: Literal["user", "assistant"], text: str) -> None:
        self.messages.append({"role": role, "content": text})
        self.watch.note("message", role=role, text=text)

    def called(self, text: str, calls: Sequence[ToolCall]) -> None:
        shown = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in calls]
        self.messages.append({"role": "assistant", "content": text or None, "tool_calls": shown})
        self.watch.note("tool calls", text=text, calls=shown)

    def observed(self, result: ToolResult) -> None:
        call = result.call
        self.messages.append({"role": "tool", "content": result.text, "tool_call_id": call.id, "name": call.name})
        self.watch.note("observation", tool=call.name, text=result.text)

    def acted(self, name: str, kwargs: dict[str, Any], observation: str) -> None:
        self.actions.append(Action(name=name, kwargs=kwargs))
        self.action_steps.append(self.steps)
        self.observations.append(observation)

    def to_data(self, end: End) -> dict[str, Any]:
        return {
            "end": end,
            "actions": self.actions,
            "action_steps": self.action_steps,
            "observations": self.observations,
            "steps": self.steps,
            "turns": self.turns,
            "notes": self.notes,
            "messages": self.messages,
        }


class Conversation:
    def __init__(self, *, rules: Rules, agent: Agent, user: User, session: Session, record: Record) -> None:
        self._rules = rules
        self._agent = agent
        self._user = user
        self._session = session
        self._record = record
        self._passed = 0  # steps in the benchmark's own way of counting
        self._errors = 0
        self._end: End | None = None

    async def run(self) -> End:
        """Until the end. `ModelError` and what else an agent raises goes through: that trial has no verdict."""
        try:
            if self._rules.greeting_is_told:
                self._record.said("assistant", GREETING)
            told: str | Sequence[ToolResult] = await self._ask_user(GREETING)
            if not self._rules.opening_may_stop:
                self._end = None
            while self._end is None:
                told = await self._step(told)
            return self._end
        finally:
            await self._agent.end()

    async def _step(self, told: str | Sequence[ToolResult]) -> str | Sequence[ToolResult]:
        """One move of the agent's and what comes back to it."""
        if self._is_full():
            return ""
        self._record.steps += 1
        self._passed += 1
        if isinstance(told, str):
            self._record.turns += 1
            move = await self._agent.hear(told)
        else:
            move = await self._agent.observe(told)
        if move.empty:
            self._record.rule("empty_reply", "the agent neither replied nor called a tool; the conversation is over")
            self._end = "agent_error"
            return ""
        return self._execute(move) if move.calls else await self._reply(move.text)

    def _is_full(self) -> bool:
        if self._rules.max_errors is not None and self._errors >= self._rules.max_errors:
            self._end = "too_many_errors"
        elif self._passed >= self._rules.max_steps:
            self._end = "max_steps"
        return self._end is not None

    async def _reply(self, text: str) -> str:
        self._record.said("assistant", text)
        heard = "" if self._rules.counts_all and self._is_full() else await self._ask_user(text)
        self._record.acted(RESPOND, {"content": text}, heard)
        return heard

    async def _ask_user(self, text: str) -> str:
        self._passed += self._rules.counts_all
        heard = await self._user.hear(text)
        self._record.said("user", heard)
        self._end = next((end for token, end in self._rules.stops.items() if token in heard), None)
        if self._rules.counts_all:
            self._is_full()  # tau2 looks at its limits last: a stop in the last step comes too late
        return heard

    def _execute(self, move: Move) -> Sequence[ToolResult]:
        calls = move.calls if self._rules.several_calls else move.calls[:1]
        if len(calls) < len(move.calls):
            dropped = ", ".join(call.name for call in move.calls[1:])
            self._record.rule("parallel_calls_dropped", f"only the first call of a reply is executed, not {dropped}")
        if move.text.strip():
            self._record.rule("text_with_call", "the user does not see text that comes with a call")
            if self._rules.remarks_count:
                self._record.acted(RESPOND, {"content": move.text}, "")
        self._record.called(move.text, calls)
        self._passed += self._rules.counts_all
        results = []
        for call in calls:
            result = ToolResult(call=call, text=self._call(call))
            self._errors += result.text.startswith("Error:")
            self._record.observed(result)
            results.append(result)
        return results

    def _call(self, call: ToolCall) -> str:
        """The observation. Arguments that cannot be read never reach the environment."""
        try:
            kwargs = read_arguments(call.arguments)
        except ValueError as error:
            self._record.rule("invalid_arguments", f"{call.name}: {error}: {call.arguments:.200}")
            if call.name not in self._rules.terminating:
                return f"Error: the arguments of {call.name} cannot be read: {error}; write one JSON object"
            kwargs = {}  # such a tool ends the conversation whatever its arguments are
        observation = self._session.call(call.name, kwargs)
        if call.name not in self._rules.known:
            self._record.rule("unknown_tool", f"there is no tool {call.name}")
        if call.name != RESPOND:
            self._record.acted(call.name, kwargs, observation)
        if call.name in self._rules.terminating:
            self._end = "transfer"
        return observation
