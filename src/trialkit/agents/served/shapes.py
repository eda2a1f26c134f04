"""The shapes that an agent in Python may have, each made a party to the conversation."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trialkit.dialogue import Agent, Move, ToolResult

from .moves import part, read_move
from .running import called
from .trial import AgentTrial

_TAKES = (
    "write a function of `messages` (and `tools`, and `trial`) that gives the next reply, one of `trial` that gives "
    "the function that replies to a text, or a class with hear and observe"
)


async def opened(target: object, trial: AgentTrial) -> Agent:
    """A new agent for a trial. TypeError says what the target should have been."""
    if isinstance(target, type):
        return _checked(target(trial) if _names(target) else target())
    if not callable(target):
        raise TypeError(f"{target!r:.80} is no agent: {_TAKES}")
    names = _names(target)
    if names == ["trial"]:
        made = await called(target, trial)
        return _Replying(made, trial) if callable(made) else _checked(made)
    if "messages" not in names or not {*names} <= {"messages", "tools", "trial"}:
        raise TypeError(f"the agent takes ({', '.join(names)}): {_TAKES}")
    return _Messages(target, names, trial)


def _names(target: Callable[..., object]) -> list[str]:
    """Of the arguments that have to be given."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = inspect.signature(target).parameters.values()
    return [one.name for one in parameters if one.default is one.empty and one.kind in kinds]


def _checked(agent: object) -> Agent:
    if not all(callable(getattr(agent, name, None)) for name in ("hear", "observe")):
        raise TypeError(f"{agent!r:.80} has no hear and observe, as an agent has: {_TAKES}")
    return agent  # type: ignore[return-value]  # as far as can be seen


class _Replying(Agent):
    """Calls its tools itself, and remembers what was said."""

    def __init__(self, reply: Callable[..., object], trial: AgentTrial) -> None:
        self._reply = reply
        self._trial = trial

    async def hear(self, text: str) -> Move:
        return read_move(await called(self._reply, text), self._trial)

    async def observe(self, results: Sequence[ToolResult]) -> Move:
        raise TypeError(
            f"the agent gave {len(results)} tool calls to be made, but knows no results: let it call trial.tools"
        )


class _Messages(Agent):
    """Is given the whole conversation each time, as OpenAI's chat completions take it; what it adds to it stays."""

    def __init__(self, function: Callable[..., object], names: Sequence[str], trial: AgentTrial) -> None:
        self._function = function
        self._trial = trial
        self.messages: list[Any] = [{"role": "system", "content": trial.policy}] if trial.policy else []
        if trial.greeting:
            self.messages.append({"role": "assistant", "content": trial.greeting})
        given = {"messages": self.messages, "tools": [tool.schema for tool in trial.tools], "trial": trial}
        self._given = {name: given[name] for name in names}
        self._last = Move()

    async def hear(self, text: str) -> Move:
        if self._last.text and not self._has_its_reply():
            self.messages.append({"role": "assistant", "content": self._last.text})
        self.messages.append({"role": "user", "content": text})
        return await self._next()

    async def observe(self, results: Sequence[ToolResult]) -> Move:
        executed = [_written(one) for one in results]  # the others are as if they had not been made
        self.messages.append({"role": "assistant", "content": self._last.text or None, "tool_calls": executed})
        self.messages += ({"role": "tool", "tool_call_id": one.call.id, "content": one.text} for one in results)
        return await self._next()

    def _has_its_reply(self) -> bool:
        last = self.messages[-1]
        return bool(part(last, "role") == "assistant" and not part(last, "tool_calls"))

    async def _next(self) -> Move:
        self._last = read_move(await called(self._function, **self._given), self._trial)
        return self._last


def _written(result: ToolResult) -> Mapping[str, object]:
    call = result.call
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
