"""Concurrency that adapts, by itself and against a server that refuses."""

import asyncio
from typing import Any

import pytest

from tests.models.conftest import Waits
from tests.models.contract import HELLO
from tests.server import Action, Fault, Protocol, Say, Server, TokenBucket, in_turn
from trialkit.errors import ModelError
from trialkit.models import Limiter, Message, ModelSpec, Request, Traffic, open_model


class Gate:
    """A sleep that lasts until it is told to end."""

    def __init__(self) -> None:
        self.asked: list[float] = []
        self._open = asyncio.Event()

    async def __call__(self, seconds: float) -> None:
        self.asked.append(seconds)
        await self._open.wait()

    def open(self) -> None:
        self._open.set()


async def settle() -> None:
    """Let everything run that can."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_no_more_than_the_ceiling() -> None:
    limiter = Limiter(2)
    ticket = await limiter.enter()
    await limiter.enter()
    third = asyncio.create_task(limiter.enter())
    await asyncio.sleep(0.01)
    assert not third.done()
    limiter.leave(ticket)
    await third


async def test_where_nobody_gets_through_a_refusal_holds_everyone_back() -> None:
    gate = Gate()
    limiter = Limiter(10, gate)
    ticket = await limiter.enter()
    assert limiter.refused(ticket, 7.0) == 0.0
    limiter.leave(ticket)
    waiting = asyncio.create_task(limiter.enter())
    await settle()
    assert (waiting.done(), gate.asked) == (False, [7.0])
    gate.open()
    await waiting


async def test_where_others_may_get_through_only_the_refused_one_waits() -> None:
    limiter = Limiter(10, Gate())
    await limiter.enter()
    ticket = await limiter.enter()
    assert limiter.refused(ticket, 7.0) == 7.0
    limiter.leave(ticket)
    assert limiter.wait is None


async def test_who_failed_more_often_goes_first() -> None:
    limiter = Limiter(1)
    first = await limiter.enter()
    came: list[str] = []

    async def come(name: str, tries: int) -> None:
        ticket = await limiter.enter(tries)
        came.append(name)
        limiter.leave(ticket)

    tasks = [
        asyncio.create_task(come(name, tries)) for name, tries in (("a", 0), ("b", 0), ("c", 1), ("d", 2), ("e", 1))
    ]
    await settle()
    limiter.leave(first)
    await asyncio.gather(*tasks)
    assert came == ["d", "c", "e", "a", "b"]


@pytest.mark.parametrize("already_given", [False, True])
async def test_a_cancelled_wait_costs_no_place(already_given: bool) -> None:
    limiter = Limiter(1)
    ticket = await limiter.enter()
    given_up = asyncio.create_task(limiter.enter())
    next_one = asyncio.create_task(limiter.enter())
    await settle()
    if already_given:
        limiter.leave(ticket)
        given_up.cancel()
    else:
        given_up.cancel()
        await settle()
        limiter.leave(ticket)
    await asyncio.wait_for(next_one, 60)
    with pytest.raises(asyncio.CancelledError):
        await given_up


def test_one_limiter_for_each_endpoint() -> None:
    traffic = Traffic(3)
    assert traffic.limiter("a") is traffic.limiter("a")
    assert traffic.limiter("a") is not traffic.limiter("b")
    assert traffic.limiter("a").ceiling == 3


async def test_connections_to_one_endpoint_share_its_limit(server: Server) -> None:
    server.hold()
    traffic = Traffic(3)
    models = [open_model(ModelSpec(name=f"openai/{name}", api_base=server.openai_base), traffic) for name in "ab"]
    asked = asyncio.gather(*(model(HELLO) for model in models for _ in range(10)))
    async with asyncio.timeout(30):
        while server.active < 3:
            await settle()
    server.release()
    await asked
    assert server.peak == 3
    for model in models:
        await model.aclose()


async def test_who_waits_to_try_again_takes_no_place(server: Server) -> None:
    gate = Gate()
    server.behave(Fault(kind="server"), Say(text="second"), Say(text="first"))
    model = open_model(ModelSpec(name="openai/gpt-4o", api_base=server.openai_base), Traffic(1, sleep=gate))
    first = asyncio.create_task(model(HELLO))
    await asyncio.sleep(0)  # since Python 3.12 `wait_for` begins its own at once
    second = await asyncio.wait_for(model(HELLO), 60)
    assert (second.reply.text, first.done(), len(gate.asked)) == ("second", False, 1)
    gate.open()
    assert (await first).reply.text == "first"
    await model.aclose()


@pytest.mark.parametrize("burst", [1, 5])
async def test_refusals_cost_no_case_while_others_get_through(server: Server, burst: int) -> None:
    bucket = TokenBucket(in_turn(Say(text="ok", latency=0.02)), rate=200, burst=burst, retry_after=None)
    server.behave(bucket)
    model = open_model(ModelSpec(name="openai/gpt-4o", api_base=server.openai_base, retries=1), Traffic(50))
    sent = await asyncio.gather(*(model(HELLO) for _ in range(120)))
    await model.aclose()
    assert [one.reply.text for one in sent] == ["ok"] * 120
    assert bucket.refused == sum(one.attempts - 1 for one in sent)


async def test_who_is_refused_again_and_again_alone_is_given_up(server: Server, waits: Waits) -> None:
    def respond(body: dict[str, Any], _protocol: Protocol) -> Action:
        return Fault(kind="rate_limit") if body["messages"][0]["content"] == "never" else Say(text="ok", latency=0.01)

    server.behave(respond)
    spec = ModelSpec(name="openai/gpt-4o", api_base=server.openai_base, retries=0)
    model = open_model(spec, Traffic(4, sleep=waits))
    never = asyncio.create_task(model(Request(messages=(Message(role="user", text="never"),))))

    async def go_on() -> None:
        while not never.done():
            assert (await model(HELLO)).reply.text == "ok"

    async with asyncio.timeout(30):
        await asyncio.gather(*(go_on() for _ in range(3)))
    await model.aclose()
    error = never.exception()
    assert isinstance(error, ModelError)
    assert error.kind == "rate_limit"
    assert 1 <= error.attempts <= 22
