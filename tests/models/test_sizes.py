"""Answers that are larger than any reply: what is read of them is bounded, packed or not."""

import gzip
import json
import tracemalloc
import zlib
from typing import Literal

import pytest

from tests.models.conftest import Waits
from tests.models.contract import HELLO
from tests.server import Call, Endless, Raw, Say, Server
from tests.server.protocols import answer
from trialkit.errors import ModelError
from trialkit.models import Message, ModelSpec, Reply, Request, Traffic, open_model
from trialkit.suites.commodity.analyzer import connect_service
from trialkit.suites.commodity.settings import CommoditySettings

MB = 1024 * 1024
Wire = Literal["openai", "anthropic", "service"]
#: A service is told JSON.
ASKED = Request(messages=(Message(role="user", text="{}"),))


SPOKEN: tuple[Wire, ...] = ("openai", "anthropic", "service")


async def ask(server: Server, waits: Waits, wire: Wire = "openai", patience: float = 30) -> Reply:
    traffic = Traffic(sleep=waits)
    if wire == "service":
        settings = CommoditySettings.model_validate(
            {"analyzer_url": f"{server.url}/analyze", "retries": 0, "timeout": patience}
        )
        model = connect_service(settings, traffic)
    else:
        spec = ModelSpec(name=f"{wire}/gpt-4o", api_base=server.base(wire), retries=0, timeout=patience)
        model = open_model(spec, traffic)
    try:
        return (await model(HELLO if wire != "service" else ASKED)).reply
    finally:
        await model.aclose()


async def fault(server: Server, waits: Waits, wire: Wire = "openai", patience: float = 30) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await ask(server, waits, wire, patience)
    return caught.value


def answer_all(server: Server, action: Raw | Endless) -> None:
    server.behave(action)
    server.service = action


def packed(body: bytes, encoding: str) -> Raw:
    pack = gzip.compress if encoding == "gzip" else zlib.compress
    return Raw(body=pack(body), headers={"Content-Encoding": encoding})


@pytest.mark.parametrize("wire", SPOKEN)
async def test_an_endless_answer_is_given_up(server: Server, waits: Waits, wire: Wire) -> None:
    answer_all(server, Endless())
    error = await fault(server, waits, wire)
    assert (error.kind, "more than 32 MB" in str(error)) == ("bad_reply", True)


async def test_of_an_endless_error_the_beginning_is_read(server: Server, waits: Waits) -> None:
    server.behave(Endless(piece=b"the engine stands still " * 5000, status=500))
    error = await fault(server, waits)
    assert (error.kind, error.status, "the engine stands still" in str(error)) == ("server", 500, True)


@pytest.mark.parametrize("wire", SPOKEN)
async def test_an_answer_that_drips_for_ever_times_out(server: Server, waits: Waits, wire: Wire) -> None:
    answer_all(server, Endless(piece=b" ", pause=0.01))
    assert (await fault(server, waits, wire, patience=0.2)).kind == "timeout"


@pytest.mark.parametrize("wire", SPOKEN)
@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
async def test_a_bomb_is_stopped_while_it_is_inflated(server: Server, waits: Waits, encoding: str, wire: Wire) -> None:
    answer_all(server, packed(b" " * 100 * MB, encoding))
    tracemalloc.start()
    try:
        error = await fault(server, waits, wire)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (error.kind, "more than 32 MB" in str(error)) == ("bad_reply", True)
    assert peak < 100 * MB


async def test_an_answer_of_millions_of_lists_is_not_read(server: Server, waits: Waits) -> None:
    server.behave(Raw(body=b'{"choices":[' + b"[]," * 1_000_000 + b"[]]}"))
    error = await fault(server, waits)
    assert (error.kind, "more than 1,000,000 lists" in str(error)) == ("bad_reply", True)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
async def test_a_large_answer_is_read_whole(server: Server, waits: Waits, encoding: str) -> None:
    text = "corn " * MB
    server.behave(packed(answer(Say(text=text), {"model": "m"}, "openai"), encoding))
    assert (await ask(server, waits)).text == text


async def test_what_is_not_packed_as_it_says_is_malformed(server: Server, waits: Waits) -> None:
    server.behave(Raw(body=b"{}", headers={"Content-Encoding": "gzip"}))
    error = await fault(server, waits)
    assert (error.kind, "packed" in str(error)) == ("bad_reply", True)


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
@pytest.mark.parametrize(("calls", "taken"), [(1000, True), (1001, False), (20_000, False)])
async def test_so_many_calls_are_taken_of_a_reply(
    server: Server, waits: Waits, calls: int, taken: bool, wire: Wire
) -> None:
    server.behave(Say(calls=(Call(name="create_alert"),) * calls, input_tokens=1000, output_tokens=10))
    if taken:
        assert len((await ask(server, waits, wire)).tool_calls) == calls
        return
    error = await fault(server, waits, wire)
    assert (error.kind, f"{calls:,} tool calls" in str(error)) == ("bad_reply", True)
    assert error.usage is not None
    assert error.usage.input_tokens == 1000


@pytest.mark.parametrize(("count", "taken"), [(1000, True), (1001, False)])
async def test_so_many_suggestions_are_taken_of_a_service(
    server: Server, waits: Waits, count: int, taken: bool
) -> None:
    server.service = {"reasoning": "a", "suggestions": [{}] * count}
    if taken:
        assert (await ask(server, waits, "service")).text.count("{}") == count
        return
    error = await fault(server, waits, "service")
    assert (error.kind, "1,001 suggestions" in str(error)) == ("bad_reply", True)


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": 100, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 5000}},
        {"prompt_tokens": 100, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": -1}},
        {"prompt_tokens": 60, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 60},
         "cache_creation_input_tokens": 1},
        {"prompt_tokens": 10**9 + 1, "completion_tokens": 1},
        {"prompt_tokens": 100, "completion_tokens": 2.5},
    ],
)  # fmt: skip
async def test_usage_that_contradicts_itself_is_unknown(server: Server, waits: Waits, usage: object) -> None:
    said = {"choices": [{"message": {"content": "a"}, "finish_reason": "stop"}], "usage": usage}
    server.behave(Raw(body=json.dumps(said).encode()))
    reply = await ask(server, waits)
    assert (reply.text, reply.usage, reply.cost) == ("a", None, None)


async def test_cached_tokens_beyond_belief_are_unknown_at_anthropic(server: Server, waits: Waits) -> None:
    server.behave(Say(text="a", input_tokens=10**11, cache_read=10**11 - 5))
    model = open_model(ModelSpec(name="anthropic/claude-sonnet-4-5", api_base=server.url), Traffic(sleep=waits))
    reply = (await model(HELLO)).reply
    await model.aclose()
    assert (reply.text, reply.usage, reply.cost) == ("a", None, None)
