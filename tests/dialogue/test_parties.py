"""Parties that a model plays: what they are shown of what was said and done."""

import pytest

from tests.dialogue.lamp import Lamp, calls
from trialkit.dialogue import Conversation, Move, Opening, Record, ScriptedUser, SimulatedUser, ToolResult
from trialkit.errors import ModelError
from trialkit.models import Message, Reply, Request, Tool, ToolCall

PRESS = Tool(name="press", description="Presses the button.", parameters={"type": "object", "properties": {}})


class Model:
    """Says its replies in turn, and keeps what it was asked."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = iter(replies)
        self.asked: list[Request] = []
        self.notes: list[str] = []

    async def ask(self, request: Request) -> Reply:
        self.asked.append(request)
        return next(self._replies)

    def opening(self, *tools: Tool) -> Opening:
        return Opening(
            policy="You own a lamp.",
            tools=tools,
            ask=self.ask,
            note=lambda rule, _detail: self.notes.append(rule),
            seed=7,
        )


def shown(request: Request) -> list[tuple[str, str, int]]:
    return [(message.role, message.text, len(message.tool_calls)) for message in request.messages]


async def test_a_simulated_user_sees_the_agent_as_the_one_who_asks_and_its_own_calls() -> None:
    press = calls("press", "press")
    model = Model(
        Reply(text=" It is dark. "), Reply(text="I try.", tool_calls=press.calls), Reply(text="Thanks. ###STOP###")
    )
    lamp, user = Lamp(), SimulatedUser(model.opening(PRESS))
    agent = ScriptedUser(["Press the button."])
    output = await Conversation(agent=agent, user=user, environment=lamp, record=Record()).run()
    assert output["end"] == "user_stop"
    assert not lamp.on  # pressed twice
    assert shown(model.asked[-1]) == [
        ("system", "You own a lamp.", 0),
        ("user", "Hello! How may I help you today?", 0),
        ("assistant", "It is dark.", 0),
        ("user", "Press the button.", 0),
        ("assistant", "I try.", 2),
        ("tool", "click", 0),
        ("tool", "click", 0),
    ]
    assert [(request.tools, request.seed) for request in model.asked] == [((PRESS,), 7)] * 3


async def test_calls_that_were_dropped_are_forgotten_and_arguments_can_be_sent_again() -> None:
    first = ToolCall(id="1", name="press", arguments="not JSON")
    model = Model(Reply(tool_calls=(first, ToolCall(id="2", name="press", arguments="{}"))), Reply(text="Well."))
    user = SimulatedUser(model.opening(PRESS))
    move = await user.hear("Hello.")
    assert len(move.calls) == 2
    await user.observe([ToolResult(call=first, text="Error: no.")])
    assert model.asked[-1].messages[-2] == Message(
        role="assistant", tool_calls=(ToolCall(id="1", name="press", arguments="{}"),)
    )


async def test_a_user_without_tools_calls_none_whatever_its_model_writes() -> None:
    user = SimulatedUser(Model(Reply(text="Hello.", tool_calls=calls("press").calls)).opening())
    assert await user.hear("Yes?") == Move(text="Hello.")


async def test_a_reply_without_a_message_is_asked_for_once_more() -> None:
    model = Model(Reply(text=" "), Reply(text="Hello."), Reply(), Reply())
    user = SimulatedUser(model.opening())
    assert await user.hear("Yes?") == Move(text="Hello.")
    assert model.notes == ["user_asked_again"]
    with pytest.raises(ModelError, match="no message, twice in a row"):
        await user.hear("And?")
    assert shown(model.asked[0]) == shown(model.asked[1])
