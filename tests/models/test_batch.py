"""A batch at the level of a model's connection: how it is waited for, and found again."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.server import Reasoner, Say, Server
from tests.server.actions import Protocol
from trialkit.errors import ModelError
from trialkit.models import Message, ModelSpec, Reply, Request, Traffic, open_model
from trialkit.models.batch import Batches, pending_batches


def echo(body: dict[str, object], _protocol: Protocol) -> Say:
    messages = body["messages"]
    assert isinstance(messages, list)
    content = messages[-1]["content"]
    return Say(text=f"echo of {content if isinstance(content, str) else content[0]['text']}")


def ask(text: str, sample: str = "") -> Request:
    return Request(messages=(Message(role="user", text=text),), sample=sample or text)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that these tests ask comes in one turn of the loop: nothing else is waited for."""
    monkeypatch.setattr("trialkit.models.batch.desk._QUIET_S", 0.0)


both = pytest.mark.parametrize("provider", ["openai", "anthropic"])


async def session(
    server: Server,
    run: Path,
    requests: list[Request],
    *,
    provider: str = "openai",
    pauses: list[float] | None = None,
    stop_at: int = 10**9,
    said: Callable[[str], object] = lambda _: None,
) -> list[Reply | BaseException]:
    """As a run's. It is stopped when it pauses for that time."""
    batches, slept = Batches(), [] if pauses is None else pauses

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == stop_at:
            batches.close()
        await asyncio.sleep(0)

    traffic = Traffic(sleep=sleep)
    traffic.say = said
    base = server.openai_base if provider == "openai" else server.url
    model = open_model(ModelSpec(name=f"{provider}/some-model", api_base=base), traffic, batches)
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


@both
def test_a_batch_whose_answer_was_lost_is_found_and_not_submitted_again(tmp_path: Path, provider: str) -> None:
    with Server(echo) as server:
        server.batches.losing = 1
        found = asyncio.run(session(server, tmp_path / "a.trial", [ask("x"), ask("y")], provider=provider))
        assert [len(one.bodies) for one in server.batches.submitted] == [2]
    assert texts(found) == ["echo of x", "echo of y"]
    assert pending_batches(tmp_path / "a.trial") == 0


@both
def test_a_batch_that_was_submitted_but_not_noted_is_found_by_the_next_session(
    tmp_path: Path, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a kill leaves the notes, which name the requests before they are submitted. Those of others are no matter."""
    monkeypatch.setattr("trialkit.models.batch.api._ON_A_PAGE", 2)
    run, notes = tmp_path / "a.trial", tmp_path / "a.batches"
    with Server(echo) as server:
        server.batches.looks_needed = 10**6
        asyncio.run(session(server, run, [ask("x"), ask("y")], provider=provider, stop_at=1))
        told = json.loads(notes.read_text(encoding="utf-8"))
        told["batches"][0]["id"] = ""
        notes.write_text(json.dumps(told), encoding="utf-8")
        other = tmp_path / "b.trial"
        for n in range(5):  # more than two pages
            more = [ask(f"{n}?")] if n < 3 else []
            asked = [ask(f"{n}"), ask(f"{n}!"), *more]
            asyncio.run(session(server, other, asked, provider=provider, stop_at=1))
        server.batches.submitted[-1].at -= 86_400
        before = [one.looks for one in server.batches.submitted]
        server.batches.looks_needed = 1
        found = asyncio.run(session(server, run, [ask("x"), ask("y")], provider=provider))
        assert texts(found) == ["echo of x", "echo of y"]
        looked = [one.looks - seen for one, seen in zip(server.batches.submitted, before, strict=True)]
        # Anthropic tells of a batch of that time and size only in its results whose it is
        assert looked == [1, *[0] * 3, int(provider == "anthropic"), 0]
        assert len(server.batches.submitted) == 6
    assert not notes.exists()


@both
def test_a_batch_that_was_noted_but_not_submitted_is_submitted(tmp_path: Path, provider: str) -> None:
    run, notes = tmp_path / "a.trial", tmp_path / "a.batches"
    with Server(echo) as server:
        server.batches.looks_needed = 10**6
        asyncio.run(session(server, run, [ask("x")], provider=provider, stop_at=1))
        notes.write_text(notes.read_text(encoding="utf-8").replace(server.batches.submitted[0].id, ""))
        server.batches.submitted.clear()
        server.batches.looks_needed = 1
        asyncio.run(session(server, tmp_path / "b.trial", [ask("of another run")], provider=provider))
        assert texts(asyncio.run(session(server, run, [ask("x")], provider=provider))) == ["echo of x"]
        assert len(server.batches.submitted) == 2
    assert not notes.exists()


def test_what_is_more_than_may_wait_goes_in_halves_one_after_the_other(tmp_path: Path) -> None:
    with Server(echo) as server:
        server.batches.most = 3
        found = asyncio.run(session(server, tmp_path / "a.trial", [ask(str(n)) for n in range(7)]))
        assert [len(one.bodies) for one in server.batches.submitted] == [7, 4, 2, 2, 3]
    assert texts(found) == [f"echo of {n}" for n in range(7)]


def test_where_not_even_one_may_wait_it_says_why(tmp_path: Path) -> None:
    with Server(echo) as server:
        server.batches.most = 0
        found = asyncio.run(session(server, tmp_path / "a.trial", [ask(str(n)) for n in range(8)]))
        assert [len(one.bodies) for one in server.batches.submitted] == [8, 4, 2, 1]
    assert all("token_limit_exceeded: Enqueued token limit reached" in str(one) for one in found)


def test_a_limit_of_the_account_is_told_as_that(tmp_path: Path) -> None:
    with Server(echo) as server:
        server.batches.invalid = "Billing hard limit has been reached."
        (error,) = asyncio.run(session(server, tmp_path / "a.trial", [ask("x")]))
    assert isinstance(error, ModelError)
    assert (error.kind, pending_batches(tmp_path / "a.trial")) == ("quota", 0)


@both
def test_results_that_break_off_are_read_again(tmp_path: Path, provider: str) -> None:
    with Server(echo) as server:
        server.batches.breaking = 3
        asked = [ask(str(n)) for n in range(5)]
        assert texts(asyncio.run(session(server, tmp_path / "a.trial", asked, provider=provider))) == [
            f"echo of {n}" for n in range(5)
        ]


def test_of_results_that_break_off_for_good_what_can_be_read_counts(tmp_path: Path) -> None:
    with Server(echo) as server:
        server.batches.breaking = 10**6
        found = asyncio.run(session(server, tmp_path / "a.trial", [ask(str(n)) for n in range(6)]))
    assert 2 <= len(texts(found)) < 6
    assert all("without an answer to this request" in str(one) for one in found if not isinstance(one, Reply))


@both
def test_a_provider_that_takes_no_batch_now_is_waited_for(tmp_path: Path, provider: str) -> None:
    with Server(echo) as server:
        server.batches.refusing = 20
        assert texts(asyncio.run(session(server, tmp_path / "a.trial", [ask("x")], provider=provider))) == ["echo of x"]


@both
def test_a_cancelled_batch_has_answers_all_the_same(tmp_path: Path, provider: str) -> None:
    with Server(echo) as server:
        server.batches.fate = lambda body: "canceled" if "no!" in json.dumps(body["messages"]) else "answered"
        found = asyncio.run(session(server, tmp_path / "a.trial", [ask("x"), ask("no!")], provider=provider))
    assert texts(found) == ["echo of x"]
    assert "cancel" in str(found[1])


def test_what_could_not_be_read_is_noted_still_when_the_run_is_done(tmp_path: Path) -> None:
    run = tmp_path / "a.trial"

    async def refused(server: Server) -> list[BaseException | Reply]:
        batches, traffic = Batches(), Traffic(sleep=lambda _: asyncio.sleep(0))
        traffic.say = lambda _: server.batches.__setattr__("look_status", 401)
        model = open_model(ModelSpec(name="openai/some-model", api_base=server.openai_base), traffic, batches)
        batches.begin(run)
        found = await asyncio.gather(model(ask("x")), return_exceptions=True)
        await model.aclose()
        batches.end()
        return [one if isinstance(one, BaseException) else one.reply for one in found]

    with Server(echo) as server:
        (error,) = asyncio.run(refused(server))
        assert isinstance(error, ModelError)
        assert (error.kind, pending_batches(run)) == ("auth", 1)
        server.batches.look_status = 0
        assert texts(asyncio.run(session(server, run, [ask("x")]))) == ["echo of x"]
        assert len(server.batches.submitted) == 1


def test_no_batch_is_larger_than_the_providers_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In bytes, not in characters."""
    monkeypatch.setattr("trialkit.models.batch.desk._MOST_BYTES", 10_000)
    with Server(echo) as server:
        asked = [ask("🌽" * 1000, str(n)) for n in range(9)]
        found = asyncio.run(session(server, tmp_path / "a.trial", asked))
        assert sorted(len(one.bodies) for one in server.batches.submitted) == [3, 3, 3]
    assert len(texts(found)) == 9


def test_what_a_model_does_not_take_is_left_out_of_the_next_batch(tmp_path: Path) -> None:
    with Server(Reasoner(echo)) as server:
        asked = [replace(ask(text), temperature=0.2, max_tokens=50) for text in "xyz"]
        found = asyncio.run(session(server, tmp_path / "a.trial", asked))
        assert [len(one.bodies) for one in server.batches.submitted] == [3, 3, 3]
    assert [one.left_out for one in found if isinstance(one, Reply)] == [
        ("temperature", "max_tokens (but max_completion_tokens)")
    ] * 3


def test_answers_in_pieces_come_in_no_batch(tmp_path: Path) -> None:
    with Server(echo) as server:
        asked = Request(messages=(Message(role="user", text="x"),), extra={"stream": True})
        (error,) = asyncio.run(session(server, tmp_path / "a.trial", [asked]))
        assert not server.batches.submitted
    assert "leave out stream" in str(error)
