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
    await limiter.enter()
    await limiter.enter()
    third = asyncio.create_task(limiter.enter())
    await settle()
    assert not third.done()
    limiter.leave()
    await third


async def test_refusals_of_one_round_halve_once_and_never_below_one() -> None:
    limiter = Limiter(8, Gate())
    tickets = [await limiter.enter() for _ in range(8)]
    for ticket in tickets:
        limiter.refused(ticket, 1.0)
    assert limiter.limit == 4
    later = 1  # the round after the first halving
    for _ in range(5):
        limiter.refused(later, 1.0)
        later += 1
    assert limiter.limit == 1


async def test_successes_grow_it_by_one_a_round_trip_up_to_the_ceiling() -> None:
    limiter = Limiter(4, Gate())
    limiter.refused(await limiter.enter(), 1.0)
    assert limiter.limit == 2
    for _ in range(2):
        limiter.accepted()
    assert limiter.limit == pytest.approx(2.9)
    for _ in range(100):
        limiter.accepted()
    assert limiter.limit == 4


async def test_a_refusal_holds_everyone_back_until_it_is_over() -> None:
    gate = Gate()
    limiter = Limiter(10, gate)
    limiter.refused(await limiter.enter(), 7.0)
    limiter.leave()
    waiting = asyncio.create_task(limiter.enter())
    await settle()
    assert (waiting.done(), gate.asked) == (False, [7.0])
    gate.open()
    await waiting


async def test_who_failed_more_often_goes_first() -> None:
    limiter = Limiter(1)
    await limiter.enter()
    came: list[str] = []

    async def come(name: str, tries: int) -> None:
        await limiter.enter(tries)
        came.append(name)
        limiter.leave()

    tasks = [
        asyncio.create_task(come(name, tries)) for name, tries in (("a", 0), ("b", 0), ("c", 1), ("d", 2), ("e", 1))
    ]
    await settle()
    limiter.leave()
    await asyncio.gather(*tasks)
    assert came == ["d", "c", "e", "a", "b"]


@pytest.mark.parametrize("already_given", [False, True])
async def test_a_cancelled_wait_costs_no_place(already_given: bool) -> None:
    limiter = Limiter(1)
    await limiter.enter()
    given_up = asyncio.create_task(limiter.enter())
    next_one = asyncio.create_task(limiter.enter())
    await settle()
    if already_given:
        limiter.leave()
        given_up.cancel()
    else:
        given_up.cancel()
        await settle()
        limiter.leave()
    await asyncio.wait_for(next_one, 5)
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
    second = await asyncio.wait_for(model(HELLO), 10)
    assert (second.reply.text, first.done(), len(gate.asked)) == ("second", False, 1)
    gate.open()
    assert (await first).reply.text == "first"
    await model.aclose()


@pytest.mark.parametrize(("retry_after", "requests"), [("1", 60), (None, 150)])
async def test_a_server_with_a_token_bucket_serves_everyone(
    server: Server, retry_after: str | None, requests: int
) -> None:
    now = 0.0

    async def sleep(seconds: float) -> None:
        """Who sleeps at the same time sleeps the same time; nothing else takes any."""
        nonlocal now
        until = now + seconds
        await settle()
        now = max(now, until)

    bucket = TokenBucket(in_turn(Say(text="ok")), rate=40, burst=20, retry_after=retry_after, clock=lambda: now)
    server.behave(bucket)
    traffic = Traffic(50, sleep=sleep)
    model = open_model(ModelSpec(name="openai/gpt-4o", api_base=server.openai_base), traffic)
    sent = await asyncio.gather(*(model(HELLO) for _ in range(requests)))
    await model.aclose()
    assert [one.reply.text for one in sent] == ["ok"] * requests
    assert bucket.refused == sum(one.attempts - 1 for one in sent)
    assert bucket.refused <= requests


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


async def test_what_went_out_between_two_refusals_sets_the_pace(waits: Waits) -> None:
    clock = asyncio.get_running_loop().time
    limiter = Limiter(100, waits)
    limiter.refused(await limiter.enter(), 0.0)
    begun = clock()
    tickets = [await limiter.enter() for _ in range(11)]
    await asyncio.sleep(0.01)
    waited = clock() - begun
    limiter.refused(tickets[-1], 0.0)
    assert waited <= 10 * limiter.gap / 1.05 <= clock() - begun + 0.005
    paced = limiter.gap
    await limiter.enter()
    await settle()
    assert waits == [0.0, 0.0, paced]
    limiter.accepted()
    assert limiter.gap < paced
