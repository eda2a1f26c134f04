"""The lines that move in a terminal: what they tell while calls are on their way and servers are waited for."""

import asyncio
from io import StringIO

import pytest
from rich.console import Console

from tests.engine.tiny import REQUEST, call, replies
from trialkit.cli.live import LiveLines
from trialkit.engine.budget import Budget, Purse
from trialkit.engine.caller import Caller, Stop
from trialkit.engine.meter import Meter
from trialkit.engine.schedule import Tally
from trialkit.errors import ModelError
from trialkit.models import Reply, Traffic
from trialkit.vocabulary import Usage

ANSWER = Reply(text="yes", usage=Usage(input_tokens=12_345, output_tokens=678), cost=0.25)


def lines(tally: Tally, width: int = 80) -> list[str]:
    out = StringIO()
    Console(file=out, width=width).print(LiveLines(tally))
    return [line.rstrip() for line in out.getvalue().splitlines()]


class Stage:
    """One model, asked by a caller; waits last until `open` is set."""

    def __init__(self, *said: Reply | ModelError) -> None:
        async def sleep(_seconds: float) -> None:
            await self.open.wait()

        self.open = asyncio.Event()
        traffic = Traffic(1, sleep=sleep, uniform=lambda _low, high: high)
        budget, meter = Budget(Purse(None)), Meter(traffic)
        self.tally = Tally(40, budget, meter)
        self.caller = Caller(
            peers={"model": replies(*said).connection(traffic, retries=3)},
            record=self._record,
            events=lambda *_: None,
            recorded={},
            store=None,
            budget=budget,
            stop=Stop(),
            meter=meter,
        )

    async def _record(self, _: object) -> None: ...

    async def told_while_waiting(self) -> tuple[list[str], list[str]]:
        """Of two calls: what is told while they wait, and in the end."""
        asked = [asyncio.create_task(self.caller.ask(call(number=n), REQUEST)) for n in (1, 2)]
        for _ in range(20):
            await asyncio.sleep(0)
        waiting = lines(self.tally)
        self.open.set()
        await asyncio.gather(*asked)
        return waiting, lines(self.tally)


async def test_a_refusal_is_told_with_its_server_and_when_the_next_is_sent() -> None:
    refused = ModelError("rate_limit", "slow down", status=429, retry_after=18.0)
    waiting, after = await Stage(refused, ANSWER).told_while_waiting()
    assert waiting[1] == "0 calls · 0 in flight, 2 waiting · cost — · 1 retry · 0 → 0 tokens"
    assert waiting[2] == "429 from here, next in 18 s"
    assert after[1] == "2 calls · 0 in flight · $0.5000 · 1 retry · 25k → 1,356 tokens"
    assert len(after) == 2


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ModelError("server", "oh", status=502), "502 from here"),
        (ModelError("timeout", "too long"), "no reply in time from here"),
        (ModelError("connection", "reset"), "no connection to here"),
        (ModelError("loading", "loading", status=503), "model being loaded by here"),
    ],
)
async def test_what_else_is_waited_for(error: ModelError, told: str) -> None:
    error.retry_after = 5.0
    waiting, _ = await Stage(error, ANSWER).told_while_waiting()
    assert waiting[2] == f"{told}, next in 5 s"


@pytest.mark.parametrize("width", [40, 80, 120])
def test_every_line_fits_the_terminal(width: int) -> None:
    meter = Meter(Traffic())
    tally = Tally(12_000, Budget(Purse(None), spent=12.5), meter)
    tally.outcomes.update({"pass": 5_000, "fail": 700, "error": 30})
    meter.calls, meter.failed, meter.input_tokens, meter.output_tokens = 45_678, 90, 123_456_789, 9_876_543
    told = lines(tally, width)
    assert len(told) == 2
    assert max(map(len, told)) <= width
    assert "5,730/12,000 · 5,000" in told[0]
    assert told[1].startswith("45,678 calls · 0 in flight")


def test_before_the_first_call_there_is_nothing_to_tell_of_calls() -> None:
    (line,) = lines(Tally(3, Budget(Purse(None)), Meter(Traffic())))
    assert line.endswith("0/3 · 0 passed · 0 failed · 0:00")
