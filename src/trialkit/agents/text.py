"""The agents that write their tool calls as text: `act`, and `react`, which thinks first."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from trialkit.dialogue import RESPOND, ModelParty, Move, Opening, ToolResult
from trialkit.models import Message, Reply, ToolCall
from trialkit.text.json import load, members
from trialkit.text.whole import whole_text

from .kind import Need

#: What stands before an action, and before what a tool answers to it.
LABEL = "Action:"
RESULT = "API output: "


class TextAgent(ModelParty):
    """What stands after the last `Action:` is the action; if that is not JSON, it is the reply to the user.

    It remembers what it wrote, word for word.
    """

    def __init__(self, opening: Opening) -> None:
        super().__init__(opening, opening.prompt)
        if opening.rules.known_greeting:
            self.messages.append(Message(role="assistant", text=opening.rules.known_greeting))

    async def hear(self, text: str) -> Move:
        self.messages.append(Message(role="user", text=text))
        move = await self.decide()
        self.messages.append(Message(role="assistant", text=self.reply.text, state=self.reply.state))
        return move

    async def observe(self, results: Sequence[ToolResult]) -> Move:
        return await self.hear("\n".join(f"{RESULT}{result.text}" for result in results))

    def read(self, reply: Reply) -> Move:
        before, label, after = reply.text.rpartition(LABEL)
        action = read_action(after)
        if action is None:
            if after.strip():
                self.opening.note("not_an_action", f"no JSON with a name after {LABEL}; it is a reply to the user")
            return Move(text=after.strip())
        name, arguments = action["name"], action.get("arguments", {})
        if name == RESPOND and isinstance(arguments, dict) and isinstance(arguments.get("content"), str):
            return Move(text=whole_text(arguments["content"]))
        call = ToolCall(id=f"action_{len(self.messages)}", name=whole_text(name), arguments=json.dumps(arguments))
        return Move(text=before.strip() if label else "", calls=(call,))


def read_action(text: str) -> Mapping[str, Any] | None:
    """What stands after the label, if it is an action."""
    value = members(load(text))
    return value if isinstance(value.get("name"), str) else None


class _TextKind:
    needs: frozenset[Need] = frozenset({"model", "prompt"})

    def __init__(self, summary: str) -> None:
        self.summary = summary

    async def open(self, opening: Opening) -> TextAgent:
        return TextAgent(opening)


ACT = _TextKind("Writes each action as text.")
REACT = _TextKind("Writes a thought, then the action, as text.")
