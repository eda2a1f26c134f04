"""What servers answer instead of a reply, as they really do, and what becomes of it."""

import gzip
import json
from typing import Any

import pytest

from tests.models.conftest import Waits
from tests.server import Call, Fault, Hang, Raw, Say, Server, in_turn
from tests.server.openai import answer
from trialkit.errors import ModelError
from trialkit.models import Message, ModelSpec, Request, Sent, Traffic, open_model

HELLO = Request(messages=(Message(role="user", text="hello"),))
GOOD = json.dumps(answer(Say(text="ok"), "m")).encode()


async def asked(server: Server, waits: Waits, name: str = "openai/m", **more: Any) -> Sent:
    base = server.url if name.startswith("anthropic") else server.openai_base
    model = open_model(ModelSpec(name=name, api_base=base, **more), Traffic(sleep=waits))
    try:
        return await model(HELLO)
    finally:
        await model.aclose()


@pytest.mark.parametrize(
    "raw",
    [
        Raw(body=b"\xef\xbb\xbf" + GOOD),
        Raw(body=GOOD.replace(b'"created": 1700000000', b'"created": NaN')),
        Raw(body=gzip.compress(GOOD), headers={"Content-Encoding": "gzip"}),
    ],
    ids=["a mark of its order of bytes", "NaN", "packed"],
)
async def test_what_is_a_reply_all_the_same(server: Server, waits: Waits, raw: Raw) -> None:
    server.behave(raw)
    assert (await asked(server, waits)).reply.text == "ok"


@pytest.mark.parametrize(
    ("status", "error", "kind", "attempts"),
    [
        (529, {"type": "overloaded_error", "message": "Overloaded"}, "server", 2),
        (200, {"type": "overloaded_error", "message": "Overloaded"}, "server", 2),
        (200, {"code": "429", "message": "Slow down"}, "rate_limit", 2),
        (200, {"code": 502, "message": "Provider returned error"}, "server", 2),
        (200, {"type": "insufficient_quota", "message": "Pay."}, "quota", 1),
        (429, {"code": "insufficient_quota", "message": "Pay."}, "quota", 1),
        (402, {"code": 402, "message": "Insufficient credits"}, "quota", 1),
        (200, {"code": "invalid_api_key", "message": "No."}, "auth", 1),
        (400, {"code": "content_filter", "message": "Filtered."}, "content_filter", 1),
        (200, {"message": "What?"}, "bad_reply", 2),
    ],
)
async def test_errors(
    server: Server, waits: Waits, status: int, error: dict[str, Any], kind: str, attempts: int
) -> None:
    server.behave(Raw(body=json.dumps({"type": "error", "error": error}).encode(), status=status))
    for name in ("openai/m", "anthropic/m"):
        with pytest.raises(ModelError) as caught:
            await asked(server, waits, name, retries=1)
        assert (caught.value.kind, caught.value.attempts) == (kind, attempts), name


async def test_calls_under_one_id_are_told_apart(server: Server, waits: Waits) -> None:
    server.behave(Say(calls=(Call(name="a", id="x"), Call(name="b", id="x"), Call(name="c", id="y"))))
    for name in ("openai/m", "anthropic/m"):
        calls = (await asked(server, waits, name)).reply.tool_calls
        assert [call.name for call in calls] == ["a", "b", "c"]
        assert len({call.id for call in calls}) == 3


async def test_nothing_but_time_outs_is_told_as_that(server: Server, waits: Waits) -> None:
    server.behave(Hang())
    with pytest.raises(ModelError, match=r"within 0\.05 s, in none of 3 attempts \(0 s in all\); --timeout waits lon"):
        await asked(server, waits, retries=2, timeout=0.05)
    server.respond = in_turn(Raw(body=b"", status=500), Hang())
    with pytest.raises(ModelError, match=r"within 0\.05 s$") as caught:
        await asked(server, waits, retries=2, timeout=0.05)
    assert caught.value.latency_s >= 0.05


async def test_all_attempts_together_have_an_end(server: Server, waits: Waits) -> None:
    server.behave(Hang())
    over = r"; no time is left for another attempt \(--timeout-in-all\)$"
    with pytest.raises(ModelError, match=rf"^no answer from \S+ within 0\.2 s in all{over}") as caught:
        await asked(server, waits, retries=5, timeout_in_all=0.2)
    assert (caught.value.kind, caught.value.attempts) == ("timeout", 1)
    server.behave(Fault(kind="server", headers={"Retry-After": "30"}))
    with pytest.raises(ModelError, match=over) as caught:
        await asked(server, waits, retries=5, timeout_in_all=20)
    assert (caught.value.kind, caught.value.attempts, waits) == ("server", 1, [])
    with pytest.raises(ModelError, match="answered 500") as caught:
        await asked(server, waits, retries=5, timeout_in_all=40 * 60)
    assert (caught.value.attempts, waits) == (6, [30.0] * 5)
    server.behave(Fault(kind="bad_key", headers={"Retry-After": "30"}))
    with pytest.raises(ModelError) as caught:
        await asked(server, waits, retries=5, timeout_in_all=20)
    assert "no time" not in str(caught.value)
