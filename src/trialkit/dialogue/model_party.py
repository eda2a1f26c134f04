"""A party that a model plays."""

from collections.abc import Sequence
from dataclasses import replace

from trialkit.models import Message, Reply, Request, Tool, ToolCall

from .opening import Opening
from .party import Move, ToolResult, read_arguments


class ModelParty:
    """It makes the model's own tool calls; what it remembers of a move is what became of it."""

    #: The rule, and what is noted of it, where a reply holds no move and is asked for once more.
    asked_again = ("empty_reply", "neither a reply nor a call (stop: {stop}); asked once more")

    def __init__(self, opening: Opening, system: str, tools: tuple[Tool, ...] = ()) -> None:
        self.opening = opening
        self.messages = [Message(role="system", text=system)]
        self.last = Move()
        self.reply = Reply()  # that the last move was read from
        self._tools = tools

    async def hear(self, text: str) -> Move:
        if not self.last.empty:
            self.messages.append(self._own())
        self.messages.append(Message(role="user", text=text))
        return await self._next()

    async def observe(self, results: Sequence[ToolResult]) -> Move:
        calls = tuple(_sendable(result.call) for result in results)
        self.messages.append(self._own(calls))
        self.messages += (Message(role="tool", text=one.text, tool_call_id=one.call.id) for one in results)
        return await self._next()

    async def end(self) -> None:
        pass

    def read(self, reply: Reply) -> Move:
        """The move in a reply; an empty one where there is none."""
        return Move(text=reply.text, calls=reply.tool_calls)

    def remembered(self) -> str:
        """What the model is shown later of its own last move."""
        return self.last.text

    async def decide(self) -> Move:
        """The next move. If a reply holds none, it is asked for once more: a new sample of the same request."""
        move = await self._one()
        if move.empty:
            rule, detail = self.asked_again
            self.opening.note(rule, detail.format(stop=self.reply.stop))
            move = await self._one()
        return move

    async def ask(self, *messages: Message, tools: tuple[Tool, ...] = ()) -> Reply:
        return await self.opening.ask(
            Request(
                messages=messages,
                tools=tools,
                temperature=self.opening.temperature,
                max_tokens=self.opening.max_tokens,
                seed=self.opening.seed,
            )
        )

    def _own(self, calls: tuple[ToolCall, ...] = ()) -> Message:
        return Message(role="assistant", text=self.remembered(), tool_calls=calls, state=self.reply.state)

    async def _one(self) -> Move:
        self.reply = await self.ask(*self.messages, tools=self._tools)
        return self.read(self.reply)

    async def _next(self) -> Move:
        self.last = await self.decide()
        return self.last


def _sendable(call: ToolCall) -> ToolCall:
    """As it may stand in a request: providers refuse a history whose arguments are not a JSON object."""
    try:
        read_arguments(call.arguments)
    except ValueError:
        return replace(call, arguments="{}")
    return call
