"""What every client must do, whatever it speaks: the tests of the clients inherit from this."""

import json
import traceback
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest

from tests.models.conftest import KEY, Waits
from tests.models.reading import read_request
from tests.server import Call, Cut, Drop, Fault, Hang, Protocol, Raw, Say, Server, Thinker, in_turn
from trialkit.errors import RETRYABLE, ModelError, ModelErrorKind
from trialkit.models import (
    Connection,
    File,
    Message,
    ModelSpec,
    Reply,
    Request,
    TokenPrice,
    Tool,
    ToolCall,
    Traffic,
    open_model,
    price_of,
)
from trialkit.text.json import object_schema

HELLO = Request(messages=(Message(role="user", text="hello"),))
ALERT = Tool(
    name="create_alert",
    description="Sets an alert.",
    parameters={"type": "object", "properties": {"price": {"type": "number"}}, "required": ["price"]},
)
FORECAST = Tool(name="forecast", description="Tells the weather.", parameters={"type": "object", "properties": {}})


#: How a protocol says that an answer was cut off, and that it was filtered.
_ENDS: Mapping[Protocol, tuple[str, str]] = {
    "openai": ("length", "content_filter"),
    "anthropic": ("max_tokens", "refusal"),
    "openai-responses": ("max_output_tokens", "content_filter"),
    "gemini": ("MAX_TOKENS", "SAFETY"),
    "bedrock": ("max_tokens", "guardrail_intervened"),
}


#: Where the model stands in the path of the address.
_IN_PATH: frozenset[Protocol] = frozenset({"gemini", "bedrock"})


class Contract:
    protocol: ClassVar[Protocol]
    model: ClassVar[str]
    client: ClassVar[Literal["litellm"] | None] = None
    #: An SDK in between blurs how a transport failed, but not that it may pass.
    exact: ClassVar[bool] = True
    knows_seed: ClassVar[bool] = True
    #: Whether an answer says which model gave it.
    tells_model: ClassVar[bool] = True
    #: Whether a call has a name of its own over the wire; else calls and results go by their order.
    calls_have_ids: ClassVar[bool] = True
    #: Whether thoughts are gone with the state of a reply; LiteLLM hides Gemini's in the ids of calls.
    forgets: ClassVar[bool] = True
    #: The status that a wrong key is refused with.
    refused: ClassVar[int] = 401

    def price(self) -> TokenPrice:
        price = price_of(self.protocol.removesuffix("-responses"), self.model)
        assert price is not None
        return price

    @asynccontextmanager
    async def open(self, server: Server, waits: Waits, **options: Any) -> AsyncIterator[Connection]:
        base = server.base(self.protocol)
        spec = ModelSpec(name=f"{self.protocol}/{self.model}", api_base=base, client=self.client, **options)
        connection = open_model(spec, Traffic(10, sleep=waits, uniform=lambda _low, high: high))
        try:
            yield connection
        finally:
            await connection.aclose()

    async def fails(self, server: Server, waits: Waits, *, request: Request = HELLO, **options: Any) -> ModelError:
        async with self.open(server, waits, **options) as model:
            with pytest.raises(ModelError) as caught:
                await model(request)
        assert KEY not in "".join(traceback.format_exception(caught.value)) + repr(caught.value) + repr(model)
        return caught.value

    def passing(self, error: ModelError, kind: ModelErrorKind) -> bool:
        return error.kind == kind if self.exact else error.kind in RETRYABLE

    async def test_text_usage_and_cost(self, server: Server, waits: Waits) -> None:
        server.behave(Say(text="Hello, wörld.", input_tokens=1000, output_tokens=10))
        async with self.open(server, waits) as model:
            sent = await model(HELLO)
        assert sent.reply.text == "Hello, wörld."
        assert sent.reply.tool_calls == ()
        assert sent.reply.stop == "end"
        assert sent.reply.model == (self.model if self.tells_model else "")
        assert sent.reply.usage is not None
        assert (sent.reply.usage.input_tokens, sent.reply.usage.output_tokens) == (1000, 10)
        price = self.price()
        assert sent.reply.cost == pytest.approx(1000 * price.input + 10 * price.output)
        assert (sent.attempts, len(server.requests)) == (1, 1)
        assert 0 < sent.latency_s < 30
        assert waits == []

    async def test_cached_input_counts_as_input_and_costs_less(self, server: Server, waits: Waits) -> None:
        server.behave(Say(text="ok", input_tokens=1000, output_tokens=10, cache_read=600))
        async with self.open(server, waits) as model:
            reply = (await model(HELLO)).reply
        price = self.price()
        assert price.cache_read < price.input
        assert reply.usage is not None
        assert (reply.usage.input_tokens, reply.usage.cache_read_tokens) == (1000, 600)
        assert reply.cost == pytest.approx(400 * price.input + 600 * price.cache_read + 10 * price.output)

    async def test_the_request_is_said_in_the_protocol(self, server: Server, waits: Waits) -> None:
        messages = (Message(role="system", text="Be brief."), *HELLO.messages)
        request = Request(messages=messages, temperature=0.5, max_tokens=77, seed=5)
        async with self.open(server, waits) as model:
            await model(request)
        asked = read_request(server.requests[0])
        assert (asked.key, asked.model) == (KEY, None if self.protocol in _IN_PATH else self.model)
        assert (asked.system, asked.parts) == ("Be brief.", [("user", "hello")])
        assert (asked.temperature, asked.max_tokens, asked.seed) == (0.5, 77, 5 if self.knows_seed else None)
        assert "tools" not in server.requests[0].body

    async def test_pictures_and_pdfs_go_as_they_are(self, server: Server, waits: Waits, tmp_path: Path) -> None:
        shown = {"image/png": b"\x89PNG\r\n\x1a\n\0corn", "application/pdf": b"%PDF-1.7 \xff"}
        for name, data in zip(("cat_03.png", "invoice.pdf"), shown.values(), strict=True):
            (tmp_path / name).write_bytes(data)
        files = tuple(File.at(tmp_path / name) for name in ("cat_03.png", "invoice.pdf"))
        async with self.open(server, waits) as model:
            await model(Request(messages=(Message(role="user", text="What is this?", files=files),)))
        asked = read_request(server.requests[0])
        assert (asked.parts, asked.files) == ([("user", "What is this?")], list(shown.items()))
        assert "cat_03" not in json.dumps(server.requests[0].body)

    async def test_a_file_that_is_another_by_now_is_not_sent(
        self, server: Server, waits: Waits, tmp_path: Path
    ) -> None:
        file = tmp_path / "a.pdf"
        file.write_bytes(b"%PDF-1")
        request = Request(messages=(Message(role="user", files=(File.at(file),)),))
        file.write_bytes(b"%PDF-2")
        error = await self.fails(server, waits, request=request)
        assert (error.kind, error.attempts, server.requests) == ("bad_request", 1, [])
        assert f"{file} is not the file any more that the run began with" in str(error)

    async def test_a_reply_is_held_to_a_schema(self, server: Server, waits: Waits) -> None:
        schema = object_schema(team={"type": "string", "enum": ["billing", "other"]})
        async with self.open(server, waits) as model:
            await model(replace(HELLO, output=schema))
        asked = read_request(server.requests[0])
        assert (asked.output, asked.system) == (schema, "")

    async def test_parallel_tool_calls_keep_their_order(self, server: Server, waits: Waits) -> None:
        calls = tuple(
            Call(name=name, arguments={"n": n}) for n, name in enumerate(("forecast", "create_alert", "forecast"))
        )
        server.behave(Say(text="Let me see.", calls=calls))
        async with self.open(server, waits) as model:
            reply = (await model(Request(messages=HELLO.messages, tools=(ALERT, FORECAST)))).reply
        assert reply.text == "Let me see."
        assert reply.stop == "tools"
        assert [(call.name, json.loads(call.arguments)) for call in reply.tool_calls] == [
            ("forecast", {"n": 0}),
            ("create_alert", {"n": 1}),
            ("forecast", {"n": 2}),
        ]
        assert len({call.id for call in reply.tool_calls}) == 3
        offered = read_request(server.requests[0]).tools
        assert [name for name, _, _ in offered] == ["create_alert", "forecast"]
        _, description, schema = offered[0]
        assert description == ALERT.description
        assert schema["properties"] == ALERT.parameters["properties"]

    async def test_a_tool_can_be_forced(self, server: Server, waits: Waits) -> None:
        # some servers end a forced call with the same word as plain text
        server.behave(Say(calls=(Call(name="create_alert"),), stop="stop" if self.protocol == "openai" else None))
        request = Request(messages=HELLO.messages, tools=(ALERT,), tool_choice="create_alert")
        async with self.open(server, waits) as model:
            reply = (await model(request)).reply
        assert read_request(server.requests[0]).forced == "create_alert"
        assert (reply.stop, reply.text) == ("tools", "")

    async def test_a_conversation_with_tool_results(self, server: Server, waits: Waits) -> None:
        messages = (
            Message(role="user", text="Watch corn."),
            Message(
                role="assistant",
                text="Two alerts.",
                tool_calls=(
                    ToolCall(id="call_a", name="create_alert", arguments='{"price": 4.1}'),
                    ToolCall(id="call_b", name="create_alert", arguments='{"price": 5}'),
                ),
            ),
            Message(role="tool", text="set", tool_call_id="call_a"),
            Message(role="tool", text="refused", tool_call_id="call_b"),
            Message(role="user", text="And now?"),
        )
        async with self.open(server, waits) as model:
            await model(Request(messages=messages, tools=(ALERT,)))
        parts = read_request(server.requests[0]).parts
        first, second = ("call_a", "call_b") if self.calls_have_ids else ("", "")
        assert [(*part[:3], json.loads(part[3])) if part[0] == "call" else part for part in parts] == [
            ("user", "Watch corn."),
            ("assistant", "Two alerts."),
            ("call", first, "create_alert", {"price": 4.1}),
            ("call", second, "create_alert", {"price": 5}),
            ("result", first, "set"),
            ("result", second, "refused"),
            ("user", "And now?"),
        ]

    async def test_what_a_model_thought_goes_back_with_its_calls(self, server: Server, waits: Waits) -> None:
        calls = (Call(name="create_alert", arguments={"price": 4.1}), Call(name="forecast"))
        thinker = Thinker(in_turn(Say(text="Two steps.", calls=calls), Say(calls=calls[:1]), Say(text="Done.")))
        server.behave(thinker)
        messages = HELLO.messages
        async with self.open(server, waits) as model:
            for _ in range(3):
                reply = (await model(Request(messages=messages, tools=(ALERT, FORECAST)))).reply
                again = Reply.from_data(json.loads(json.dumps(reply.to_data())))  # as from a run file
                assert again == reply
                said = Message(role="assistant", text=again.text, tool_calls=again.tool_calls, state=again.state)
                results = (Message(role="tool", text="ok", tool_call_id=call.id) for call in again.tool_calls)
                messages = (*messages, said, *results)
            assert (reply.text, thinker.refused) == ("Done.", 0)
            if not self.forgets:
                return
            forgotten = tuple(replace(message, state=None) for message in messages)
            with pytest.raises(ModelError, match="must be passed back"):
                await model(Request(messages=forgotten, tools=(ALERT, FORECAST)))

    async def test_unicode_goes_both_ways(self, server: Server, waits: Waits) -> None:
        text = "naïve 玉米 🌽 \u202e \x00 end"
        server.behave(Say(text=text, calls=(Call(name="create_alert", arguments={"note": "🌽"}),)))
        request = Request(messages=(Message(role="user", text=text),), tools=(ALERT,))
        async with self.open(server, waits) as model:
            reply = (await model(request)).reply
        assert reply.text == text
        assert json.loads(reply.tool_calls[0].arguments) == {"note": "🌽"}
        assert read_request(server.requests[0]).parts == [("user", text)]

    async def test_an_answer_that_is_no_reply_is_paid_for(self, server: Server, waits: Waits) -> None:
        empty = Say(empty=True, input_tokens=1000, output_tokens=10)
        price = self.price()
        once = 1000 * price.input + 10 * price.output
        server.behave(empty)
        error = await self.fails(server, waits, retries=1)
        assert self.passing(error, "bad_reply")
        assert error.attempts == 2
        if not self.exact and error.usage is None:  # LiteLLM fails over such an answer, and keeps the count to itself
            return
        assert error.usage is not None
        assert (error.usage.input_tokens, error.usage.output_tokens) == (2000, 20)
        assert error.cost == pytest.approx(2 * once)
        server.behave(empty, Drop(), empty, Say(text="now", input_tokens=1000, output_tokens=10))
        async with self.open(server, waits) as model:
            reply = (await model(HELLO)).reply
        assert reply.text == "now"
        assert reply.usage is not None
        assert (reply.usage.input_tokens, reply.usage.output_tokens) == (3000, 30)
        assert reply.cost == pytest.approx(3 * once)

    async def test_a_lone_surrogate_becomes_a_replacement_character(self, server: Server, waits: Waits) -> None:
        server.behave(Say(text="half \ud83c of it"))
        async with self.open(server, waits) as model:
            reply = (await model(HELLO)).reply
        assert reply.text == "half \ufffd of it"

    async def test_a_cut_answer_is_a_reply(self, server: Server, waits: Waits) -> None:
        server.behave(Say(text="and then", stop=_ENDS[self.protocol][0]))
        async with self.open(server, waits) as model:
            reply = (await model(HELLO)).reply
        assert (reply.text, reply.stop) == ("and then", "length")

    async def test_a_filtered_answer_is_a_reply(self, server: Server, waits: Waits) -> None:
        server.behave(Say(text="I will", stop=_ENDS[self.protocol][1]))
        async with self.open(server, waits) as model:
            reply = (await model(HELLO)).reply
        assert reply.stop == "filter"

    @pytest.mark.parametrize(
        ("fault", "kind"),
        [
            ("bad_key", "auth"),
            ("quota", "quota"),
            ("not_found", "not_found"),
            ("bad_request", "bad_request"),
            ("content_filter", "content_filter"),
            ("context_overflow", "context_overflow"),
        ],
    )
    async def test_lasting_faults_are_not_tried_again(
        self, server: Server, waits: Waits, fault: Any, kind: ModelErrorKind
    ) -> None:
        server.behave(Fault(kind=fault, echo=KEY))
        error = await self.fails(server, waits)
        assert error.kind == kind
        assert (error.attempts, len(server.requests), waits) == (1, 1, [])
        assert "redacted" in str(error).lower()
        if self.exact and fault == "bad_request":
            assert "--temperature 1" in str(error)

    @pytest.mark.parametrize("fault", ["server", "overloaded"])
    async def test_server_faults_pass(self, server: Server, waits: Waits, fault: Any) -> None:
        server.behave(Fault(kind=fault), Fault(kind=fault), Say(text="at last"))
        async with self.open(server, waits) as model:
            sent = await model(HELLO)
        assert (sent.reply.text, sent.attempts) == ("at last", 3)
        assert waits == [0.5, 1.0]

    async def test_server_faults_that_last(self, server: Server, waits: Waits) -> None:
        server.behave(Fault(kind="server"))
        error = await self.fails(server, waits, retries=2)
        assert (error.kind, error.attempts, len(server.requests)) == ("server", 3, 3)
        assert waits == [0.5, 1.0]

    async def test_a_refusal_is_waited_out(self, server: Server, waits: Waits) -> None:
        server.behave(
            Fault(kind="rate_limit", headers={"Retry-After": "7"}),
            Fault(kind="rate_limit", headers={"retry-after-ms": "2500", "Retry-After": "9"}),
            Fault(kind="rate_limit", headers={"Retry-After": "when the cows come home"}),
            Say(text="now"),
        )
        async with self.open(server, waits) as model:
            sent = await model(HELLO)
        assert (sent.reply.text, sent.attempts) == ("now", 4)
        assert waits == [7.0, 2.5, 2.0]

    async def test_a_refusal_that_lasts(self, server: Server, waits: Waits) -> None:
        server.behave(Fault(kind="rate_limit", headers={"Retry-After": "86400"}))
        error = await self.fails(server, waits, retries=1)
        assert (error.kind, error.status, error.attempts, error.retry_after) == ("rate_limit", 429, 2, 120.0)

    async def test_silence_times_out(self, server: Server, waits: Waits) -> None:
        server.behave(Hang())
        error = await self.fails(server, waits, timeout=0.1, retries=1)
        assert (error.kind, error.attempts) == ("timeout", 2)
        assert 0.09 < error.latency_s < 30

    async def test_what_a_time_out_cost_is_unknown(self, server: Server, waits: Waits) -> None:
        server.behave(Hang(), Say(text="now", input_tokens=1000, output_tokens=10))
        async with self.open(server, waits, timeout=1.0) as model:
            sent = await model(HELLO)
        assert (sent.reply.text, sent.attempts, sent.reply.cost) == ("now", 2, None)
        assert sent.reply.usage is not None
        assert sent.reply.usage.input_tokens == 1000

    async def test_a_time_out_before_another_fault_may_have_cost(self, server: Server, waits: Waits) -> None:
        server.behave(Hang(), Fault(kind="bad_request"))
        error = await self.fails(server, waits, timeout=1.0, retries=1)
        assert (error.kind, error.cost, error.usage is not None) == ("bad_request", None, True)

    @pytest.mark.parametrize(
        ("action", "kind"),
        [
            (Drop(), "connection"),
            (Cut(), "bad_reply"),
            (Raw(body=b'{"choices": [{"mess'), "bad_reply"),
            (Raw(body=b"<html><body>Bad gateway</body></html>", status=502, content_type="text/html"), "server"),
            (Raw(body=b""), "bad_reply"),
        ],
        ids=["dropped", "cut", "broken JSON", "page of a proxy", "empty"],
    )
    async def test_broken_answers_may_pass(
        self, server: Server, waits: Waits, action: Any, kind: ModelErrorKind
    ) -> None:
        server.behave(action)
        assert self.passing(await self.fails(server, waits, retries=0), kind)
        server.behave(action, Say(text="whole"))
        async with self.open(server, waits) as model:
            sent = await model(HELLO)
        assert (sent.reply.text, sent.attempts) == ("whole", 2)

    async def test_no_server_at_all(self, server: Server, waits: Waits) -> None:
        with Server() as gone:
            pass
        error = await self.fails(gone, waits, retries=1)
        assert (error.kind, error.attempts) == ("unreachable", 2)
        assert "connection refused; start the server" in str(error)

    async def test_a_server_without_tls(self, server: Server, waits: Waits) -> None:
        server.url = server.url.replace("http://", "https://")
        error = await self.fails(server, waits)
        assert (error.kind, error.attempts) == ("tls", 1)
        assert "http:// where there is no TLS" in str(error)

    async def test_a_wrong_key_is_not_shown(self, server: Server, waits: Waits) -> None:
        server.key = "another"
        error = await self.fails(server, waits)
        assert (error.kind, error.status) == ("auth", self.refused)

    async def test_a_key_that_the_model_says_is_hidden(self, server: Server, waits: Waits) -> None:
        server.behave(Say(text=f"it is {KEY}!", calls=(Call(name="create_alert", arguments={"key": KEY}),)))
        async with self.open(server, waits) as model:
            sent = await model(Request(messages=HELLO.messages, tools=(ALERT,)))
        assert sent.reply.text == "it is [redacted]!"
        assert KEY not in repr(sent)
