"""Our own clients: the contract, and what only they promise."""

import asyncio
import contextlib
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.models.conftest import KEY, Waits
from tests.models.contract import HELLO, Contract
from tests.server import Call, Protocol, Raw, Say, Server
from tests.server.protocols import answer
from trialkit.errors import ModelError
from trialkit.models import Message, ModelSpec, Reply, Request, ToolCall, Traffic, open_model


class TestResponses(Contract):
    protocol = "openai-responses"
    model = "gpt-4o"
    knows_seed = False


class TestGemini(Contract):
    protocol = "gemini"
    model = "gemini-2.5-flash"
    refused = 400


class TestOpenAI(Contract):
    protocol = "openai"
    model = "gpt-4o"

    async def reply_to(self, server: Server, waits: Waits, data: Any) -> Reply:
        server.behave(Raw(body=data if isinstance(data, bytes) else json.dumps(data).encode()))
        async with self.open(server, waits) as model:
            return (await model(HELLO)).reply

    async def test_arguments_stay_as_the_model_wrote_them(self, server: Server, waits: Waits) -> None:
        server.behave(Say(calls=(Call(name="create_alert", arguments='{"price": 4.1,'),)))
        async with self.open(server, waits) as model:
            reply = (await model(HELLO)).reply
        assert reply.tool_calls == (ToolCall(id="call_0", name="create_alert", arguments='{"price": 4.1,'),)

    async def test_a_refusal_is_what_was_said(self, server: Server, waits: Waits) -> None:
        server.behave(Say(text=None, refusal="I cannot help with that."))
        async with self.open(server, waits) as model:
            reply = (await model(HELLO)).reply
        assert (reply.text, reply.stop) == ("I cannot help with that.", "filter")

    async def test_nothing_said_is_a_reply(self, server: Server, waits: Waits) -> None:
        server.behave(Say(text=None))
        async with self.open(server, waits) as model:
            assert (await model(HELLO)).reply.text == ""

    async def test_parts_without_their_reasoning(self, server: Server, waits: Waits) -> None:
        parts = [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}, 7]
        reply = await self.reply_to(
            server,
            waits,
            {"choices": [{"message": {"content": parts}, "finish_reason": "stop"}], "usage": {"prompt_tokens": "?"}},
        )
        assert (reply.text, reply.usage, reply.cost) == ("ab", None, None)

    async def test_a_byte_order_mark_is_no_part_of_the_answer(self, server: Server, waits: Waits) -> None:
        body = b'\xef\xbb\xbf{"choices": [{"message": {"content": "a"}}]}'
        assert (await self.reply_to(server, waits, body)).text == "a"

    async def test_tokens_beyond_belief_are_not_counted(self, server: Server, waits: Waits) -> None:
        said = [{"message": {"content": "a"}, "finish_reason": "stop"}]
        usage = {"prompt_tokens": 2**63, "completion_tokens": 1}
        assert (await self.reply_to(server, waits, {"choices": said, "usage": usage})).usage is None

    async def test_a_call_without_a_name_is_one_of_a_tool_that_there_is_not(self, server: Server, waits: Waits) -> None:
        calls = [
            {"function": {}},
            {"function": {"name": "f", "arguments": {"a": 1}}},
            "junk",
            {"function": {"name": "g"}},
        ]
        reply = await self.reply_to(server, waits, {"choices": [{"message": {"tool_calls": calls}}]})
        assert [(call.name, call.arguments) for call in reply.tool_calls] == [
            ("unnamed_tool", ""),
            ("f", '{"a":1}'),
            ("g", ""),
        ]
        assert reply.stop == "tools"

    @pytest.mark.parametrize(
        "data",
        [
            {},
            [],
            "text",
            {"choices": []},
            {"choices": [{}]},
            {"choices": [{"message": None}]},
            {"choices": [{"message": {"role": "assistant", "content": None}}]},
            b"[" * 100_000,
        ],
        ids=lambda data: repr(data)[:40],
    )
    async def test_nothing_usable(self, server: Server, waits: Waits, data: Any) -> None:
        server.behave(Raw(body=data if isinstance(data, bytes) else json.dumps(data).encode()))
        error = await self.fails(server, waits, retries=0)
        assert error.kind == "bad_reply"
        assert len(str(error)) < 500

    async def test_an_error_under_status_200(self, server: Server, waits: Waits) -> None:
        server.behave(Raw(body=json.dumps({"error": {"code": 503, "message": "no instance"}}).encode()))
        error = await self.fails(server, waits, retries=0)
        assert (error.kind, "no instance" in str(error)) == ("server", True)

    async def test_a_key_in_disguise_is_hidden(self, server: Server, waits: Waits) -> None:
        escaped = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
        body = f'{{"choices": [{{"message": {{"content": "it is {escaped}"}}, "finish_reason": "stop"}}]}}'
        assert (await self.reply_to(server, waits, body.encode())).text == "it is [redacted]"

    async def test_surrogates_do_not_reach_the_wire(self, server: Server, waits: Waits) -> None:
        async with self.open(server, waits) as model:
            await model(Request(messages=(Message(role="user", text="half \ud83c"),)))
        assert server.requests[0].body["messages"][0]["content"] == "half \ufffd"

    async def test_a_wrong_base_gets_a_hint(self, server: Server, waits: Waits) -> None:
        connection = open_model(ModelSpec(name="openai/gpt-4o", api_base=server.url), Traffic(sleep=waits))
        with pytest.raises(ModelError, match="usually ends in /v1") as caught:
            await connection(HELLO)
        await connection.aclose()
        assert caught.value.kind == "not_found"

    async def test_a_very_long_request(self, server: Server, waits: Waits) -> None:
        text = "corn " * 300_000
        async with self.open(server, waits) as model:
            await model(Request(messages=(Message(role="user", text=text),)))
        assert server.requests[0].body["messages"][0]["content"] == text

    async def test_the_proxy_of_the_environment(
        self, server: Server, waits: Waits, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("http_proxy", server.url)
        proxied = open_model(ModelSpec(name="openai/gpt-4o", api_base="http://model.invalid/v1"), Traffic(sleep=waits))
        await proxied(HELLO)
        await proxied.aclose()
        monkeypatch.setenv("http_proxy", "http://proxy.invalid:3128")
        async with self.open(server, waits) as local:
            await local(HELLO)
        assert [request.headers["host"] for request in server.requests] == [
            "model.invalid",
            server.url.removeprefix("http://"),
        ]
        assert waits == []

    async def test_a_redirect_is_not_followed(self, server: Server, waits: Waits) -> None:
        server.behave(Raw(body=b"", status=307, headers={"Location": f"https://elsewhere.example/?key={KEY}"}))
        error = await self.fails(server, waits)
        assert error.kind == "not_found"
        assert "https://elsewhere.example/?key=[redacted]" in str(error)
        assert len(server.requests) == 1

    async def test_what_is_no_http_is_quoted_without_a_key(self, waits: Waits) -> None:
        async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"who is {KEY}?\r\n\r\n".encode())
            await writer.drain()
            writer.close()

        async with await asyncio.start_server(echo, "127.0.0.1") as server:
            _, port = server.sockets[0].getsockname()
            spec = ModelSpec(name="openai/gpt-4o", api_base=f"http://127.0.0.1:{port}/v1", retries=0)
            connection = open_model(spec, Traffic(sleep=waits))
            with pytest.raises(ModelError, match="does not speak proper HTTP") as caught:
                await connection(HELLO)
            await connection.aclose()
        assert "who is [redacted]?" in str(caught.value)


class TestAnthropic(Contract):
    protocol = "anthropic"
    model = "claude-sonnet-4-5-20250929"
    knows_seed = False

    async def said(self, server: Server, waits: Waits, *messages: Message) -> Any:
        async with self.open(server, waits) as model:
            await model(Request(messages=messages))
        return server.requests[0].body["messages"]

    async def test_writing_the_cache_counts_and_costs(self, server: Server, waits: Waits) -> None:
        server.behave(Say(text="ok", input_tokens=1000, output_tokens=0, cache_read=200, cache_write=300))
        async with self.open(server, waits) as model:
            reply = (await model(HELLO)).reply
        assert reply.usage is not None
        assert (reply.usage.input_tokens, reply.usage.cache_write_tokens) == (1000, 300)
        assert reply.cost == pytest.approx(500 * 3e-06 + 200 * 3e-07 + 300 * 3.75e-06)

    async def test_the_number_of_tokens_is_never_left_out(self, server: Server, waits: Waits) -> None:
        async with self.open(server, waits) as model:
            await model(HELLO)
        assert server.requests[0].body["max_tokens"] == 4096

    async def test_neighbours_of_one_role_become_one(self, server: Server, waits: Waits) -> None:
        said = await self.said(
            server,
            waits,
            Message(role="user", text="a"),
            Message(role="assistant", text=" "),
            Message(role="user", text="b"),
        )
        assert said == [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}]

    async def test_broken_arguments_go_back_as_text(self, server: Server, waits: Waits) -> None:
        calls = (ToolCall(id="t1", name="f", arguments="{oops"), ToolCall(id="t2", name="f", arguments="[1]"))
        said = await self.said(
            server, waits, Message(role="user", text="a"), Message(role="assistant", tool_calls=calls)
        )
        assert [block["input"] for block in said[1]["content"]] == [{"arguments": "{oops"}, {"arguments": "[1]"}]

    async def test_thinking_is_no_text(self, server: Server, waits: Waits) -> None:
        content = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "yes"}]
        server.behave(Raw(body=json.dumps({"content": content, "stop_reason": "pause_turn"}).encode()))
        async with self.open(server, waits) as model:
            reply = (await model(HELLO)).reply
        assert (reply.text, reply.tool_calls, reply.stop) == ("yes", (), "other")

    @pytest.mark.parametrize("data", [{}, {"content": []}, {"type": "message"}])
    async def test_nothing_usable(self, server: Server, waits: Waits, data: Any) -> None:
        server.behave(Raw(body=json.dumps(data).encode()))
        assert (await self.fails(server, waits, retries=0)).kind == "bad_reply"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
PROPER = Say(text="Noted.", calls=(Call(name="create_alert", arguments={"price": 4.1}),), cache_read=2)


def places(value: Any, *above: str | int) -> Iterator[tuple[str | int, ...]]:
    """The ways to every value in a document, its own (the empty one) too."""
    yield above
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(part, *above, key)


def put(document: Any, place: tuple[str | int, ...], value: Any) -> Any:
    if not place:
        return value
    document[place[0]] = put(document[place[0]], place[1:], value)
    return document


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(json_values)
def test_any_value_in_any_place_is_a_reply_or_a_model_error(
    server: Server, waits: Waits, protocol: Protocol, value: Any
) -> None:
    proper = json.loads(answer(PROPER, {}, protocol))
    bodies = [json.dumps(put(json.loads(json.dumps(proper)), place, value)).encode() for place in places(proper)]

    async def ask_for_each() -> None:
        base = server.openai_base if protocol == "openai" else server.url
        spec = ModelSpec(name=f"{protocol}/some-model", api_base=base, retries=0)
        model = open_model(spec, Traffic(10, sleep=waits))
        try:
            for body in bodies:
                server.behave(Raw(body=body))
                with contextlib.suppress(ModelError):
                    await model(HELLO)
        finally:
            await model.aclose()

    before = len(server.requests)
    asyncio.run(ask_for_each())
    assert len(server.requests) - before == len(bodies)
