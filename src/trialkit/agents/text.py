"""The agents that write their tool calls as text: `act`, and `react`, which thinks first."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from trialkit.models import Message, Reply, Request, ToolCall, whole_text

from .asking import RESPOND, next_move
from .types import Move, Need, Opening, ToolResult

#: What stands before an action, and before what a tool answers to it.
LABEL = "Action:"
RESULT = "API output: "


class TextAgent:
    """What stands after the last `Action:` is the action; if that is not JSON, it is the reply to the user."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._messages = [Message(role="system", text=opening.prompt)]
        if opening.greeting:
            self._messages.append(Message(role="assistant", text=opening.greeting))

    async def hear(self, text: str) -> Move:
        return await self._move(text)

    async def observe(self, results: Sequence[ToolResult]) -> Move:
        return await self._move("\n".join(f"{RESULT}{result.text}" for result in results))

    async def end(self) -> None:
        pass

    async def _move(self, told: str) -> Move:
        self._messages.append(Message(role="user", text=told))
        request = Request(
            messages=tuple(self._messages),
            temperature=self._opening.temperature,
            max_tokens=self._opening.max_tokens,
            seed=self._opening.seed,
        )
        asked = await next_move(self._opening, request, self._read)
        self._messages.append(Message(role="assistant", text=asked.reply.text, state=asked.reply.state))
        return asked.move

    def _read(self, reply: Reply) -> Move:
        before, label, after = reply.text.rpartition(LABEL)
        action = read_action(after)
        if action is None:
            if after.strip():
                self._opening.note("not_an_action", f"no JSON with a name after {LABEL}; it is a reply to the user")
            return Move(text=after.strip())
        name, arguments = action["name"], action.get("arguments", {})
        if name == RESPOND and isinstance(arguments, dict) and isinstance(arguments.get("content"), str):
            return Move(text=whole_text(arguments["content"]))
        call = ToolCall(id=f"action_{len(self._messages)}", name=whole_text(name), arguments=json.dumps(arguments))
        return Move(text=before.strip() if label else "", calls=(call,))


def read_action(text: str) -> Mapping[str, Any] | None:
    """What stands after the label, if it is an action."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("name"), str) else None


class _Text:
    needs: frozenset[Need] = frozenset({"model", "prompt"})

    def __init__(self, summary: str) -> None:
        self.summary = summary

    async def open(self, opening: Opening) -> TextAgent:
        return TextAgent(opening)


ACT = _Text("Writes each action as text.")
REACT = _Text("Writes a thought, then the action, as text.")
