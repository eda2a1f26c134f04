"""What a model does not take is left out, once it has said so; any other fault stays one."""

import asyncio
import json
from typing import Any

import pytest

from tests.models.conftest import Waits
from tests.models.reading import read_request
from tests.server import Action, Protocol, Raw, Say, Server
from trialkit.errors import ModelError
from trialkit.models import Message, ModelSpec, Request, Traffic, open_model
from trialkit.text.json import object_schema

HELLO = (Message(role="user", text="hello"),)
SCHEMA = object_schema(team={"type": "string"})
#: How servers refuse a parameter: OpenAI's reasoning models, DeepSeek's, Mistral, Gemini as OpenAI, Claude.
TEMPERATURE = (
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) is supported."
)
CAP = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
SEED = {"detail": [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}
FORMAT = "This response_format type is unavailable now"


def refusal(said: str | dict[str, Any], status: int = 400) -> Raw:
    told = said if isinstance(said, dict) else {"error": {"message": said, "type": "invalid_request_error"}}
    return Raw(body=json.dumps(told).encode(), status=status)


def picky(body: dict[str, Any], _protocol: Protocol) -> Action:
    """Refuses one parameter at a time, as they all do."""
    if "temperature" in body:
        return refusal(TEMPERATURE)
    if "seed" in body:
        return refusal(SEED, 422)
    if "max_tokens" in body:
        return refusal(CAP)
    return refusal(FORMAT) if "response_format" in body else Say(text="ok")


async def test_what_is_refused_is_left_out_from_then_on(server: Server, waits: Waits) -> None:
    server.respond = picky
    said: list[str] = []
    traffic = Traffic(sleep=waits)
    traffic.say = said.append
    model = open_model(ModelSpec(name="openai/o9", api_base=server.openai_base), traffic)
    request = Request(messages=HELLO, temperature=0.2, max_tokens=50, seed=1, output=SCHEMA)
    sent = await model(request)
    assert sent.reply.left_out == ("output", "seed", "temperature", "max_tokens (but max_completion_tokens)")
    assert (sent.reply.text, len(server.requests), waits) == ("ok", 5, [])
    assert server.requests[-1].body["max_completion_tokens"] == 50
    last = read_request(server.requests[-1])
    assert (last.temperature, last.max_tokens, last.seed, last.output) == (None, None, None, None)
    assert "fits this JSON schema" in last.system
    assert (await model(request)).reply.left_out == sent.reply.left_out
    assert (await model(Request(messages=HELLO, seed=2))).reply.left_out == ("seed",)
    assert (await model(Request(messages=HELLO))).reply.left_out == ()
    assert len(server.requests) == 8
    await model.aclose()
    assert said.pop(2).startswith("openai/o9 does not take max_tokens; max_completion_tokens is sent in its place: ")
    assert [line.partition(" from here on: ")[0] for line in said] == [
        "openai/o9 does not take temperature; it is left out",
        "openai/o9 does not take seed; it is left out",
        "openai/o9 does not take the schema of a reply; it is told in words",
    ]
    assert TEMPERATURE[:60] in said[0]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("Invalid value for 'temperature': must be at most 2", 400),
        ("temperature: range: 0..1", 400),
        ("This model does not support image input", 400),
        ("Unsupported parameter: 'top_k' is not supported with this model", 400),
        ("'temperature' is not supported", 403),
    ],
)
async def test_any_other_fault_stays_one(server: Server, waits: Waits, said: str, status: int) -> None:
    server.behave(refusal(said, status))
    model = open_model(ModelSpec(name="openai/o9", api_base=server.openai_base), Traffic(sleep=waits))
    with pytest.raises(ModelError):
        await model(Request(messages=HELLO, temperature=0.2))
    await model.aclose()
    assert len(server.requests) == 1


async def test_a_way_of_thinking_that_is_refused_is_no_schema_that_is(server: Server) -> None:
    said = '"thinking.type.enabled" is not supported. Use "thinking.type.adaptive" and "output_config.effort".'
    server.behave(refusal(said))
    model = open_model(ModelSpec(name="anthropic/claude-opus-4-7", api_base=server.url))
    with pytest.raises(ModelError, match="is not supported"):
        await model(Request(messages=HELLO, reasoning=4000, output=SCHEMA))
    await model.aclose()
    assert len(server.requests) == 1


async def test_a_server_that_names_what_was_not_sent_is_not_asked_for_ever(server: Server, waits: Waits) -> None:
    server.behave(refusal(TEMPERATURE))
    model = open_model(ModelSpec(name="openai/o9", api_base=server.openai_base), Traffic(sleep=waits))
    with pytest.raises(ModelError, match=r"does not support 0\.2"):
        await model(Request(messages=HELLO, temperature=0.2))
    await model.aclose()
    assert len(server.requests) == 2


def _either(body: dict[str, Any], _protocol: Protocol) -> Action:
    """Takes no longest reply, however it is called."""
    for name in ("max_tokens", "max_completion_tokens"):
        if name in body:
            return refusal(f"Unsupported parameter: '{name}' is not supported with this model.")
    return Say(text="ok")


async def test_a_longest_reply_is_left_out_where_neither_name_is_taken(server: Server, waits: Waits) -> None:
    server.respond = _either
    model = open_model(ModelSpec(name="openai/m", api_base=server.openai_base), Traffic(sleep=waits))
    both = await asyncio.gather(*(model(Request(messages=HELLO, max_tokens=5)) for _ in range(2)))
    await model.aclose()
    assert [sent.reply.left_out for sent in both] == [("max_tokens",)] * 2


@pytest.mark.parametrize(
    ("name", "left_out"),
    [
        ("openai/gpt-5", ("temperature", "top_p")),
        ("openai/gpt-5-mini-2025-08-07", ("temperature", "top_p")),
        ("openai/o3", ("temperature", "top_p")),
        ("openai/gpt-5-chat-latest", ()),
        ("openai/gpt-5.1", ()),
        ("openai/gpt-4o3", ()),
    ],
)
async def test_a_model_that_is_known_to_think_is_not_even_asked(
    server: Server, name: str, left_out: tuple[str, ...]
) -> None:
    said: list[str] = []
    traffic = Traffic()
    traffic.say = said.append
    model = open_model(ModelSpec(name=name, api_base=server.openai_base), traffic)
    request = Request(messages=HELLO, temperature=0.0, top_p=0.5, max_tokens=7)
    replies = [(await model(request)).reply for _ in range(2)]
    await model.aclose()
    assert [reply.left_out for reply in replies] == [left_out, left_out]
    assert len(said) == len(left_out)
    body = server.requests[0].body
    assert {"temperature", "top_p"} - body.keys() == {*left_out}
    assert ("max_completion_tokens" if left_out else "max_tokens") in body


async def test_claude_that_thinks_takes_no_temperature(server: Server) -> None:
    model = open_model(ModelSpec(name="anthropic/claude-sonnet-4-5", api_base=server.url))
    sent = await model(Request(messages=HELLO, temperature=0.0, reasoning="low", max_tokens=100))
    await model.aclose()
    assert sent.reply.left_out == ("temperature",)
    body = server.requests[0].body
    assert (body["thinking"], body["max_tokens"]) == ({"type": "enabled", "budget_tokens": 2048}, 2148)


async def test_claude_that_is_told_an_effort_has_room_for_it(server: Server) -> None:
    model = open_model(ModelSpec(name="anthropic/claude-opus-4-6", api_base=server.url))
    await model(Request(messages=HELLO, reasoning="high", max_tokens=100))
    await model.aclose()
    body = server.requests[0].body
    assert (body["thinking"], body["output_config"]) == ({"type": "adaptive"}, {"effort": "high"})
    assert body["max_tokens"] == 16384 + 100
