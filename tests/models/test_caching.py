"""What Anthropic is asked to keep: the long beginning that all requests share, and a conversation that goes on."""

from typing import Any

import pytest

from tests.server import Call, Say, Server
from trialkit.models import Message, ModelSpec, Request, Tool, ToolCall, open_model

KEPT = {"type": "ephemeral"}
LONG = "The rules. " * 400
TOOL = Tool(name="look", description="Looks. " * 700, parameters={"type": "object", "properties": {}})
CALLED = (
    Message(role="assistant", tool_calls=(ToolCall(id="a", name="look", arguments="{}"),)),
    Message(role="tool", text="It is there.", tool_call_id="a"),
)


def said(text: str) -> Message:
    return Message(role="user", text=text)


def marked(part: Any) -> list[str]:
    """Where marks stand."""
    if isinstance(part, dict):
        found = [str(part.get("type"))] if part.get("cache_control") == KEPT else []
        return found + [one for value in part.values() for one in marked(value)]
    return [one for value in part for one in marked(value)] if isinstance(part, list) else []


@pytest.mark.parametrize(
    ("system", "tools", "messages", "in_system", "in_messages"),
    [
        (LONG, (), (said("Hi"),), ["text"], []),
        ("Be brief.", (TOOL,), (said("Hi"),), ["text"], []),
        ("Be brief.", (), (said("Hi"), *CALLED), [], []),
        (LONG, (), (said("Hi"), *CALLED), ["text"], ["tool_result"]),
        ("Be brief.", (), (said(LONG), *CALLED, said("And?")), [], ["text"]),
    ],
    ids=["long rules", "long tools", "all short", "rules and a conversation", "a long conversation"],
)
async def test_what_is_kept(
    server: Server,
    system: str,
    tools: tuple[Tool, ...],
    messages: tuple[Message, ...],
    in_system: list[str],
    in_messages: list[str],
) -> None:
    model = open_model(ModelSpec(name="anthropic/claude-sonnet-4-5", api_base=server.url))
    await model(Request(messages=(Message(role="system", text=system), *messages), tools=tools))
    await model.aclose()
    body = server.requests[0].body
    assert (marked(body["system"]), marked(body["messages"])) == (in_system, in_messages)
    assert not in_messages or body["messages"][-1]["content"][-1]["cache_control"] == KEPT


async def test_what_was_kept_is_paid_as_such(server: Server) -> None:
    server.behave(
        Say(
            text="ok", calls=(Call(name="look"),), input_tokens=3000, output_tokens=10, cache_read=2000, cache_write=500
        )
    )
    model = open_model(ModelSpec(name="anthropic/claude-sonnet-4-5", api_base=server.url))
    reply = (await model(Request(messages=(said("Hi"),)))).reply
    await model.aclose()
    assert reply.cost == pytest.approx((500 * 3 + 2000 * 0.3 + 500 * 3.75 + 10 * 15) / 1e6)
