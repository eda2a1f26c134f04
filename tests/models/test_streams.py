"""Answers in pieces are read to the same replies, and a server that gives no others is asked for them."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, cast

import pytest

from tests.models.conftest import Waits
from tests.models.contract import HELLO, Contract
from tests.server import Action, Protocol, Raw, Say, Server
from trialkit.errors import ModelError
from trialkit.models import Connection, ModelSpec, Request, Sent, Traffic, open_model
from trialkit.models.classify import wants_stream
from trialkit.models.protocols import streams


class _Streamed:
    """A connection whose requests all ask for their answers in pieces."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def __call__(self, request: Request) -> Sent:
        return await self._connection(replace(request, extra={"stream": True}))


class Streamed(Contract):
    @asynccontextmanager
    async def open(self, server: Server, waits: Waits, **options: Any) -> AsyncIterator[Connection]:
        async with super().open(server, waits, **options) as connection:
            yield cast("Connection", _Streamed(connection))


class TestStreamedOpenAI(Streamed):
    protocol = "openai"
    model = "gpt-4o"


class TestStreamedAnthropic(Streamed):
    protocol = "anthropic"
    model = "claude-sonnet-4-5-20250929"
    knows_seed = False


class TestStreamedResponses(Streamed):
    protocol = "openai-responses"
    model = "gpt-4o"
    knows_seed = False


def connection(server: Server, waits: Waits, protocol: Protocol = "openai", **options: Any) -> Connection:
    spec = ModelSpec(name=f"{protocol}/some-model", api_base=server.base(protocol), **options)
    return open_model(spec, Traffic(10, sleep=waits))


@pytest.mark.parametrize("protocol", ["openai", "openai-responses", "anthropic"])
async def test_a_server_that_only_streams_is_asked_so_from_then_on(
    server: Server, waits: Waits, protocol: Protocol
) -> None:
    def strict(body: dict[str, Any], _protocol: Protocol) -> Action:
        refusal = Raw(body=b'{"error": {"message": "This model only support stream mode"}}', status=400)
        return Say(text="at last", input_tokens=30, output_tokens=2) if body.get("stream") else refusal

    server.behave(strict)
    model = connection(server, waits, protocol)
    for _ in range(2):
        reply = (await model(HELLO)).reply
        assert (reply.text, reply.usage and reply.usage.input_tokens) == ("at last", 30)
    await model.aclose()
    assert [bool(seen.body.get("stream")) for seen in server.requests] == [False, True, True]


@pytest.mark.parametrize(
    ("said", "whether"),
    [
        ("This model only support stream mode, please enable the stream parameter to access the model.", True),
        ("Requests with max_tokens > 4096 must have stream=true", True),
        ("Streaming is required for operations that may take longer than 10 minutes.", True),
        ("parameter.enable_thinking must be set to false for non-streaming calls", True),
        ("Stream must be set to true", True),
        ("'stream_options' is only allowed when stream is enabled", False),
        ("Streaming is not supported with this model", False),
        ("'messages' is required", False),
    ],
)
def test_how_servers_ask_for_it(said: str, whether: bool) -> None:
    assert wants_stream(said) is whether


def stream(*events: Any) -> Raw:
    body = "".join(f"data: {json.dumps(event, ensure_ascii=False)}\r\n\r\n" for event in events)
    return Raw(body=body.encode(), content_type="text/event-stream")


def chunk(ended: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"delta": delta, "finish_reason": ended}]}


_COUNT = {"choices": [], "usage": {"prompt_tokens": 1000, "completion_tokens": 3}}
_BEGUN = {"type": "message_start", "message": {"content": [], "usage": {"input_tokens": 1000, "output_tokens": 3}}}
_OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


@pytest.mark.parametrize(
    ("protocol", "kind", "events"),
    [
        ("openai", "bad_reply", [chunk(content="half"), _COUNT]),
        ("openai", "bad_reply", [chunk(content="half"), {"error": {"message": "broken"}, **_COUNT}]),
        (
            "anthropic",
            "bad_reply",
            [_BEGUN, {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "h"}}],
        ),
        ("anthropic", "server", [_BEGUN, _OVERLOADED, {"type": "message_stop"}]),
    ],
)
async def test_one_that_breaks_off_is_no_reply_but_paid_for(
    server: Server, waits: Waits, protocol: Protocol, kind: str, events: list[Any]
) -> None:
    server.behave(stream(*events))
    model = connection(server, waits, protocol, retries=0)
    with pytest.raises(ModelError) as caught:
        await model(HELLO)
    await model.aclose()
    assert caught.value.kind == kind
    assert caught.value.usage
    assert caught.value.usage.input_tokens == 1000


def test_calls_whose_pieces_have_no_index() -> None:
    def piece(arguments: str, **told: Any) -> dict[str, Any]:
        return chunk(tool_calls=[{"function": {"name": "look", "arguments": arguments}, **told}])

    events = [piece("", id="a"), piece('{"at":'), piece("1}"), piece("{}", id="b"), chunk("tool_calls")]
    message = streams.chat_completion(events)["choices"][0]["message"]
    assert [(one["id"], one["function"]) for one in message["tool_calls"]] == [
        ("a", {"name": "look", "arguments": '{"at":1}'}),
        ("b", {"name": "look", "arguments": "{}"}),
    ]


def test_arguments_that_break_off_stay_as_they_are() -> None:
    start: dict[str, Any] = {"type": "tool_use", "id": "a", "name": "look", "input": {}}
    events: list[Any] = [
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"at":'}},
        {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}},
        {"type": "message_stop"},
    ]
    assert streams.message(events)["content"] == [{**start, "input": '{"at":'}]


def test_other_ends_of_lines_are_part_of_what_is_said() -> None:
    text = "a\u2028b\x85c\x0bd"
    body = f": hi\n\nevent: x\ndata: {json.dumps({'text': text}, ensure_ascii=False)}\n\ndata: [DONE]\n\ndata: 7\n"
    assert streams.events_of(body) == [{"text": text}]
