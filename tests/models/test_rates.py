"""Requests through whole connections, in virtual time, against endpoints with limits of every kind."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import inf
from pathlib import Path

import pytest

from tests.models.contract import HELLO
from tests.models.endpoints import AtOnce, Bucket, Endpoint
from tests.models.virtual import run
from tests.server import Raw, Server
from trialkit.engine.connect import traffic_of
from trialkit.errors import ModelError
from trialkit.models import Connection, ModelSpec, Reply, Request, Traffic, open_model
from trialkit.models.connection import Identity
from trialkit.models.leases import Leases
from trialkit.models.limiter import Limiter
from trialkit.models.quota import Quota
from trialkit.models.rate_headers import Remaining, read_rates
from trialkit.settings import RunSettings
from trialkit.vocabulary import Usage

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@dataclass(kw_only=True)
class Far:
    """A server's limits, and how long it takes."""

    takes: Endpoint
    retry_after: float | None = None
    latency: float = 0.2
    tokens: int = 0
    refused: int = 0
    came: list[float] = field(default_factory=list)

    async def send(self, request: Request) -> Reply:
        clock = asyncio.get_running_loop().time
        self.came.append(clock())
        await asyncio.sleep(0.001)
        if not self.takes.take(clock()):
            self.refused += 1
            raise ModelError("rate_limit", "too many", status=429, retry_after=self.retry_after)
        await asyncio.sleep(self.latency)
        self.takes.give_back()
        return Reply(text="ok", usage=Usage(input_tokens=self.tokens, output_tokens=0))

    async def aclose(self) -> None:
        pass


def connection(client: Far, traffic: Traffic, name: str = "m") -> Connection:
    return Connection(Identity(name=name, endpoint="there", key="k", price_known=True), client, traffic, 3)


def seconds_of(requests: int, *connections: Connection) -> float:
    async def ask() -> float:
        sent = await asyncio.gather(*(one(HELLO) for one in connections for _ in range(requests)))
        assert {one.reply.text for one in sent} == {"ok"}
        return asyncio.get_running_loop().time()

    return run(ask())


@pytest.mark.parametrize("retry_after", [None, 1.0])
def test_twenty_at_once(retry_after: float | None) -> None:
    client = Far(takes=AtOnce(20), retry_after=retry_after)
    assert seconds_of(1000, connection(client, Traffic(50))) <= 1.1 * 10
    assert client.refused <= 30


@pytest.mark.parametrize("retry_after", [None, 1.0])
@pytest.mark.parametrize("ceiling", [100, 500])
@pytest.mark.parametrize("burst", [50, 5])
def test_fifty_a_second(burst: int, ceiling: int, retry_after: float | None) -> None:
    client = Far(takes=Bucket(50, burst), retry_after=retry_after)
    assert seconds_of(1000, connection(client, Traffic(ceiling))) <= 1.04 * (1000 - burst) / 50 + (retry_after or 0)
    assert client.refused <= 30


def test_requests_a_minute_hold_for_all_roles_of_an_endpoint() -> None:
    client, traffic = Far(takes=AtOnce(1000)), Traffic(50, rpm=60)
    took = seconds_of(60, connection(client, traffic), connection(client, traffic, "judge"))
    assert 118 <= took <= 120.3
    assert all(late - early >= 59 for early, late in zip(client.came, client.came[61:], strict=False))


def test_the_settings_of_a_run_say_what_a_minute_allows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIALKIT_CACHE_DIR", str(tmp_path))
    alone = traffic_of(RunSettings.model_validate({"rpm": 60}))
    assert 9.9 <= seconds_of(11, connection(Far(takes=AtOnce(1000)), alone)) <= 10.5
    beside = traffic_of(RunSettings.model_validate({"tpm": 6000}))  # the other has not ended
    assert 19.9 <= seconds_of(11, connection(Far(takes=AtOnce(1000), tokens=100), beside)) <= 20.5


def test_tokens_a_minute_are_counted_as_they_come() -> None:
    client = Far(takes=AtOnce(1000), tokens=1000)
    assert 115 <= seconds_of(121, connection(client, Traffic(50, tpm=60_000))) <= 122


def test_processes_of_one_machine_share_what_a_minute_allows(tmp_path: Path) -> None:
    both = [connection(Far(takes=AtOnce(1000)), Traffic(50, rpm=600, leases=tmp_path)) for _ in range(2)]
    alone = connection(Far(takes=AtOnce(1000)), Traffic(50, rpm=600, leases=tmp_path / "another"))
    assert 18 <= seconds_of(100, *both) <= 20
    assert 9 <= seconds_of(100, alone) <= 11


def test_who_was_killed_has_no_share_soon(tmp_path: Path) -> None:
    now = 1000.0
    first, second = (Leases(tmp_path, "there", lambda: now) for _ in range(2))
    assert (first.count(), second.count()) == (1, 2)
    now += 3
    assert first.count() == 2
    now += 9  # and the second is heard of no more
    assert (first.count(), len(list(tmp_path.rglob("*")))) == (1, 2)
    third = Leases(tmp_path, "elsewhere", lambda: now)
    assert third.count() == 1
    first.end()
    assert Leases(tmp_path, "there", lambda: now).count() == 1


def test_who_waits_keeps_its_share_and_says_until_when(tmp_path: Path) -> None:
    async def ask() -> None:
        clock = asyncio.get_running_loop().time
        limiter = Limiter(5, per_minute=(2, inf), leases=Leases(tmp_path, "there", clock))
        await limiter.enter()
        second = asyncio.ensure_future(limiter.enter())
        await asyncio.sleep(25)
        assert (limiter.wait and round(limiter.wait.until), second.done()) == (30, False)
        assert Leases(tmp_path, "there", clock).count() == 2
        await second
        assert limiter.wait is None

    run(ask())


def test_a_folder_that_cannot_be_written_is_shared_with_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert Leases(tmp_path / "file", "there").count() == 1


def test_what_the_endpoint_counts_goes_before_what_we_do() -> None:
    quota = Quota()
    assert quota.next_at(1, 5.0) == 5.0
    quota.told(60, 3, rate=1.0, on_the_way=2, now=5.0)
    for _ in range(3):
        assert quota.next_at(1, 5.0) == 5.0
        quota.take(1, 5.0)
    assert quota.next_at(1, 5.0) == 6.0
    quota.told(60, 40, rate=1.0, on_the_way=1, now=5.0)  # a window began anew
    assert quota.next_at(39, 5.0) == 5.0
    quota.shares = 2
    assert quota.next_at(49, 5.0) == 25.0
    assert quota.next_at(1000, 5.0) < inf  # one that is larger than a minute's goes when all is there


@pytest.mark.parametrize(
    ("headers", "requests", "tokens"),
    [
        ({}, None, None),
        (
            {
                "x-ratelimit-limit-requests": "60",
                "x-ratelimit-remaining-requests": "59",
                "x-ratelimit-reset-requests": "1s",
                "x-ratelimit-limit-tokens": "150000",
                "x-ratelimit-remaining-tokens": "149984",
                "x-ratelimit-reset-tokens": "6m0s",
            },
            Remaining(60, 59, 1.0),
            Remaining(150000, 149984, 16 / 360),
        ),
        (  # of a day
            {
                "x-ratelimit-limit-requests": "14400",
                "x-ratelimit-remaining-requests": "14370",
                "x-ratelimit-reset-requests": "2m59.56s",
            },
            Remaining(14400, 14370, 30 / 179.56),
            None,
        ),
        (
            {
                "anthropic-ratelimit-requests-limit": "50",
                "anthropic-ratelimit-requests-remaining": "49",
                "anthropic-ratelimit-requests-reset": (NOON + timedelta(seconds=1)).isoformat(),
                "anthropic-ratelimit-tokens-limit": "30000",
                "anthropic-ratelimit-tokens-remaining": "20000",
                "anthropic-ratelimit-tokens-reset": "2026-01-01T12:00:20Z",
            },
            Remaining(50, 49, 50 / 60),
            Remaining(30000, 20000, 500),
        ),
        ({"x-ratelimit-limit-requests": "many", "x-ratelimit-remaining-requests": "1"}, None, None),
        ({"x-ratelimit-limit-requests": "0", "x-ratelimit-remaining-requests": "0"}, None, None),
        (
            {
                "x-ratelimit-limit-requests": "600",
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "soon",
            },
            Remaining(600, 0, 10),
            None,
        ),
        *(
            (
                {
                    "x-ratelimit-limit-requests": "600",
                    "x-ratelimit-remaining-requests": "0",
                    "x-ratelimit-reset-requests": far,
                },
                Remaining(600, 0, 10),
                None,
            )
            for far in ("1741305600000", "1741305600", "999d", "2099-01-01T00:00:00Z", "-5", "NaN")
        ),
    ],
)
def test_headers_of_limits(headers: Mapping[str, str], requests: Remaining | None, tokens: Remaining | None) -> None:
    assert read_rates(headers, NOON) == (requests, tokens)


async def test_where_the_endpoint_says_that_nothing_is_left_nothing_is_sent(server: Server) -> None:
    body = b'{"choices":[{"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}'
    told = {
        f"x-ratelimit-{what}-requests": says for what, says in (("limit", "2"), ("remaining", "0"), ("reset", "60s"))
    }
    server.behave(Raw(body=body, headers=told))
    traffic = Traffic(10)
    model, other = (
        open_model(ModelSpec(name=f"openai/{name}", api_base=server.openai_base), traffic) for name in ("gpt-4o", "o3")
    )
    await model(HELLO)
    second = asyncio.create_task(model(HELLO))
    await other(HELLO)  # which has a limit of its own
    assert (len(server.requests), traffic.waiting, second.done()) == (2, 1, False)
    traffic.close()
    with pytest.raises(asyncio.CancelledError):
        await second
    await model.aclose()
    await other.aclose()


def test_leases_lie_where_the_time_of_files_is_kept(tmp_path: Path) -> None:
    lease = Leases(tmp_path, "there")
    lease.count()
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    os.utime(file, (0, 0))
    assert Leases(tmp_path, "there").count() == 1
