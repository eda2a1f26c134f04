"""A batch at the level of a model's connection: how it is waited for, and found again."""

import asyncio
from pathlib import Path

import pytest

from tests.server import Say, Server
from tests.server.actions import Protocol
from trialkit.errors import ModelError
from trialkit.models import Message, ModelSpec, Reply, Request, Traffic, open_model
from trialkit.models.batch import Batches, pending_batches


def echo(body: dict[str, object], _protocol: Protocol) -> Say:
    messages = body["messages"]
    assert isinstance(messages, list)
    return Say(text=f"echo of {messages[-1]['content']}")


def ask(text: str, sample: str = "") -> Request:
    return Request(messages=(Message(role="user", text=text),), sample=sample or text)


async def session(
    server: Server, run: Path, requests: list[Request], *, pauses: list[float] | None = None, stop_at: int = 10**9
) -> list[Reply | BaseException]:
    """As a run's. It is stopped when it pauses for that time."""
    batches, slept = Batches(), [] if pauses is None else pauses

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == stop_at:
            batches.close()
        await asyncio.sleep(0)

    traffic = Traffic(sleep=sleep)
    traffic.say = lambda _: None
    model = open_model(ModelSpec(name="openai/gpt-4.1", api_base=server.openai_base), traffic, batches)
    batches.begin(run)
    try:
        found = await asyncio.gather(*(model(one) for one in requests), return_exceptions=True)
    finally:
        await model.aclose()
    return [one if isinstance(one, BaseException) else one.reply for one in found]


def texts(found: list[Reply | BaseException]) -> list[str]:
    return [one.text for one in found if isinstance(one, Reply)]


def test_each_is_told_what_it_asked_and_pauses_grow_up_to_a_minute(tmp_path: Path) -> None:
    pauses = list[float]()
    with Server(echo) as server:
        server.batches.looks_needed = 14
        found = asyncio.run(session(server, tmp_path / "a.trial", [ask(str(n)) for n in range(5)], pauses=pauses))
    assert texts(found) == [f"echo of {n}" for n in range(5)]
    assert pauses[:3] == [2.0, 3.0, 4.5]
    assert pauses == sorted(pauses)
    assert (len(pauses), pauses[-1]) == (13, 60.0)


def test_the_same_asked_twice_are_two_samples(tmp_path: Path) -> None:
    with Server(echo) as server:
        found = asyncio.run(session(server, tmp_path / "a.trial", [ask("x", "one"), ask("x", "two")]))
        assert server.batches.requests == 2
    assert texts(found) == ["echo of x"] * 2


def test_what_was_read_is_noted_no_more_and_what_was_not_is_found(tmp_path: Path) -> None:
    run = tmp_path / "a.trial"
    with Server(echo) as server:
        server.batches.looks_needed = 10**6
        stopped = asyncio.run(session(server, run, [ask("x"), ask("y")], stop_at=3))
        assert all(isinstance(one, asyncio.CancelledError) for one in stopped)
        assert pending_batches(run) == 1
        server.batches.looks_needed = 1
        assert texts(asyncio.run(session(server, run, [ask("x")]))) == ["echo of x"]
        assert pending_batches(run) == 1
        assert texts(asyncio.run(session(server, run, [ask("y"), ask("z")]))) == ["echo of y", "echo of z"]
        assert pending_batches(run) == 0
        assert [len(one.bodies) for one in server.batches.submitted] == [2, 1]


def test_a_batch_that_the_provider_forgot_is_told_once_and_asked_anew(tmp_path: Path) -> None:
    run = tmp_path / "a.trial"
    with Server(echo) as server:
        server.batches.looks_needed = 10**6
        asyncio.run(session(server, run, [ask("x")], stop_at=1))
        server.batches.submitted.clear()
        server.batches.looks_needed = 1
        (gone,) = asyncio.run(session(server, run, [ask("x")]))
        assert isinstance(gone, ModelError)
        assert (gone.kind, pending_batches(run)) == ("not_found", 0)
        assert texts(asyncio.run(session(server, run, [ask("x")]))) == ["echo of x"]


def test_notes_that_cannot_be_read_are_no_licence_to_pay_again(tmp_path: Path) -> None:
    run = tmp_path / "a.trial"
    (tmp_path / "a.batches").write_text("{", encoding="utf-8")
    with Server(echo) as server:
        with pytest.raises(Exception, match=r"a\.batches"):
            asyncio.run(session(server, run, [ask("x")]))
        assert not server.batches.submitted
