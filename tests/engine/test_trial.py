"""A trial under way: what its calls are told apart by, and what stands in its transcript."""

import asyncio
from typing import Any

import pytest

from tests.engine.tiny import PROMPTS, REQUEST, FakeCalls, TinySettings, job
from trialkit.engine.trial import LiveTrial
from trialkit.errors import ModelError
from trialkit.models import Message, Options, Reply, Request, Sent

OPTIONS = {"judge": Options(reasoning="high")}


def trial(calls: FakeCalls | None = None, *, name: str = "a", number: int = 1, seed: int | None = 7) -> LiveTrial:
    work = job(name=name, number=number)
    settings = TinySettings.model_validate({})
    return LiveTrial(work, calls or FakeCalls(), settings=settings, prompts=PROMPTS, options=OPTIONS, seed=seed)


def test_each_trial_draws_from_a_seed_of_its_own_the_same_in_every_run() -> None:
    seeds = [
        trial().seed,
        trial(number=2).seed,
        trial(name="b").seed,
        trial(seed=8).seed,
    ]
    assert len(set(seeds)) == 4
    assert seeds[0] == trial().seed == 570167724
    assert all(seed is not None and 0 <= seed < 2**31 for seed in seeds)
    assert trial(seed=None).seed is None


def keys(*requests: Request, role: str = "model") -> list[str]:
    calls = FakeCalls()

    async def ask() -> None:
        for request in requests:
            await trial(calls).ask(role, request)

    asyncio.run(ask())
    return [one.request_key for one in calls.called]


@pytest.mark.parametrize(
    "change", [{"temperature": 0.0}, {"temperature": 1.0}, {"seed": 1}, {"max_tokens": 5}, {"tool_choice": "go"}]
)
def test_whatever_can_change_the_answer_makes_another_request(change: dict[str, Any]) -> None:
    first, second = keys(REQUEST, Request(messages=REQUEST.messages, **change))
    assert first != second


def test_requests_that_are_the_same_have_one_key_and_another_model_another() -> None:
    same = Request(messages=(Message(role="user", text="Hello?"),))
    assert keys(REQUEST) == keys(same)
    assert keys(REQUEST) != keys(REQUEST, role="judge")


def test_the_same_asked_again_is_a_new_sample() -> None:
    calls = FakeCalls()
    live = trial(calls)

    async def ask() -> None:
        await live.ask("model", REQUEST)
        live.phase = "judge"
        await live.ask("model", REQUEST)
        await live.ask("judge", REQUEST)

    asyncio.run(ask())
    assert [(one.role, one.phase, one.nth) for one in calls.called] == [
        ("model", "attempt", 0),
        ("model", "judge", 1),
        ("judge", "judge", 0),
    ]
    assert (live.asked, live.fresh) == (3, 3)


def test_an_exchange_is_told_apart_by_what_is_said() -> None:
    calls = FakeCalls()

    async def send() -> Sent:
        return Sent(reply=Reply(text="done"), attempts=1, latency_s=0.0)

    async def exchange() -> list[str]:
        live = trial(calls)
        return [(await live.exchange("agent", said, send)).text for said in ("one", "two", "one")]

    assert asyncio.run(exchange()) == ["done"] * 3
    first, second, third = calls.called
    assert first.request_key == third.request_key != second.request_key
    assert (first.nth, third.nth) == (0, 1)


def test_the_transcript_names_each_reply_and_each_failure() -> None:
    calls = FakeCalls(say=lambda call: ModelError("server", "down") if call.role == "judge" else Reply())
    live = trial(calls)

    async def ask() -> None:
        await live.ask("model", REQUEST)
        with pytest.raises(ModelError):
            await live.ask("judge", REQUEST)

    asyncio.run(ask())
    (first, reply), (second, failure) = calls.noted
    assert first == second == 1
    assert (reply.kind, reply.data["role"], reply.data["nth"]) == ("reply", "model", 0)
    assert failure.kind == "call failed"
    assert failure.data == {"role": "judge", "error_kind": "server", "error": "down"}
