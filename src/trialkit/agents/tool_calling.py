"""The agent that uses the model's own tool calls."""

from collections.abc import Sequence
from dataclasses import replace

from trialkit.models import Message, Reply, Request, ToolCall

from .arguments import read_arguments
from .asking import Asked, next_move, reply_by_call
from .types import Move, Need, Opening, ToolResult


class ToolCallingAgent:
    """The system message is the policy; what the agent remembers of a move is what became of it."""

    def __init__(self, opening: Opening, system: str) -> None:
        self._opening = opening
        self._messages = [Message(role="system", text=system)]
        self._last = Asked(Reply(), Move(text=opening.greeting))

    async def hear(self, text: str) -> Move:
        if not self._last.move.empty:
            self._messages.append(self._said())
        self._messages.append(Message(role="user", text=text))
        return await self._move()

    async def observe(self, results: Sequence[ToolResult]) -> Move:
        calls = tuple(_sendable(result.call) for result in results)
        self._messages.append(self._said(calls))
        self._messages += (Message(role="tool", text=one.text, tool_call_id=one.call.id) for one in results)
        return await self._move()

    async def end(self) -> None:
        pass

    async def _move(self) -> Move:
        request = Request(
            messages=tuple(self._messages),
            tools=self._opening.tools,
            temperature=self._opening.temperature,
            max_tokens=self._opening.max_tokens,
            seed=self._opening.seed,
        )
        self._last = await next_move(self._opening, request, self._read)
        return self._last.move

    def _said(self, calls: tuple[ToolCall, ...] = ()) -> Message:
        reply, move = self._last
        return Message(role="assistant", text=move.text, tool_calls=calls, state=reply.state)

    def _read(self, reply: Reply) -> Move:
        return reply_by_call(self._opening, reply.tool_calls) or Move(text=reply.text, calls=reply.tool_calls)


def _sendable(call: ToolCall) -> ToolCall:
    """As it may stand in a request: providers refuse a history whose arguments are not a JSON object."""
    try:
        read_arguments(call.arguments)
    except ValueError:
        return replace(call, arguments="{}")
    return call


class _ToolCalling:
    summary = "The model's own tool calls; the policy is the system message."
    needs: frozenset[Need] = frozenset({"model"})

    async def open(self, opening: Opening) -> ToolCallingAgent:
        return ToolCallingAgent(opening, opening.policy)


KIND = _ToolCalling()
