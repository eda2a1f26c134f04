"""What is particular to a reply: a cost that a gateway tells, thoughts that were paid for, a call written as text."""

import json
from typing import Any

import pytest

from tests.server import Call, Raw, Say, Server
from tests.server.openai import answer
from trialkit.models import Message, ModelSpec, Reply, Request, Tool, Traffic, open_model

HELLO = (Message(role="user", text="hello"),)
LOOK = Tool(name="look", description="Looks.", parameters={"type": "object", "properties": {}})


async def replied(server: Server, request: Request, name: str = "openai/gpt-4o") -> Reply:
    model = open_model(ModelSpec(name=name, api_base=server.openai_base))
    reply = (await model(request)).reply
    await model.aclose()
    assert Reply.from_data(json.loads(json.dumps(reply.to_data()))) == reply
    return reply


@pytest.mark.parametrize(
    ("usage", "headers", "cost"),
    [
        ({"cost": 0.25}, {}, 0.25),
        ({}, {"x-litellm-response-cost": "1.5e-05"}, 1.5e-05),
        ({"cost": 0}, {}, 0.0),
        ({"cost": -1}, {"x-litellm-response-cost": "nan"}, None),
        ({"cost": True}, {"x-litellm-response-cost": "1e400"}, None),
        ({}, {}, None),
    ],
)
async def test_a_cost_that_a_gateway_tells_is_taken_and_marked(
    server: Server, usage: dict[str, Any], headers: dict[str, str], cost: float | None
) -> None:
    data = answer(Say(text="ok", output_tokens=10, reasoning_tokens=4), "m")
    data["usage"] |= usage
    server.behave(Raw(body=json.dumps(data).encode(), headers=headers))
    reply = await replied(server, Request(messages=HELLO))
    assert reply.cost_told == (cost is not None)
    assert reply.cost == (pytest.approx(12 * 2.5e-6 + 10 * 1e-5) if cost is None else cost)  # else as the list says
    assert reply.usage is not None
    assert (reply.usage.output_tokens, reply.usage.reasoning_tokens) == (10, 4)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('```json\n{"name": "look", "arguments": {}}\n```', True),
        ('I look.\n<tool_call>\n{"name": "look", "arguments": {"at": 1}}\n</tool_call>', True),
        ('{"name": "look", "parameters": {}}', True),
        ('Call it with {"name": "look"}.', False),
        ('```json\n{"name": "Ann", "age": 5}\n```', False),
        ("", False),
    ],
)
async def test_a_call_that_is_written_as_text_is_marked(server: Server, text: str, found: bool) -> None:
    server.behave(Say(text=text))
    assert (await replied(server, Request(messages=HELLO, tools=(LOOK,)))).call_as_text == found
    assert not (await replied(server, Request(messages=HELLO))).call_as_text
    server.behave(Say(text=text, calls=(Call(name="look"),)))
    assert not (await replied(server, Request(messages=HELLO, tools=(LOOK,)))).call_as_text


async def test_a_model_that_writes_its_calls_as_text_is_told_of_while_there_is_time(server: Server) -> None:
    said = list[str]()
    traffic = Traffic()
    traffic.say = said.append
    server.behave(Say(text='{"name": "look", "parameters": {}}'))
    model = open_model(ModelSpec(name="openai/gpt-4o", api_base=server.openai_base), traffic)
    for _ in range(2):
        await model(Request(messages=HELLO, tools=(LOOK,)))
    assert (await model(Request(messages=HELLO, tools=(LOOK,), tools_as="text"))).reply.tool_calls
    await model.aclose()
    (line,) = said
    assert line.startswith("openai/gpt-4o writes calls of tools as text; --tools-as text reads them")
