"""How many requests may be on their way to one endpoint, and when the next one may go."""

import asyncio
import heapq
import itertools
import logging
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from math import inf
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from trialkit.errors import InputError

from .flow import Flow, Ticket
from .leases import RENEW_S, Leases
from .quota import Quota
from .rate_headers import read_rates

_LOG = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]
Uniform = Callable[[float, float], float]

#: So long a wait for the next one is told.
_TOLD_S = 2.0
#: What the newest reply adds to what is expected of the next one.
_NEWEST = 0.1


class Wait(NamedTuple):
    why: str  # such as `429 from api.openai.com`
    until: float  # by the clock of the event loop, which is `time.monotonic()`


class Lane:
    """Those who wait for one model of an endpoint, and what that model has left by the endpoint's own count."""

    def __init__(self) -> None:
        self.waiting: list[tuple[int, int, asyncio.Future[Ticket]]] = []
        self.quotas = Quota(), Quota()
        self.on_the_way = 0
        self.size: float | None = None  # tokens of a request and its reply, of late; None: none came yet


class Limiter:
    """As many requests at once, and a second, as the endpoint is known to take and the user allows."""

    def __init__(
        self,
        ceiling: int,
        sleep: Sleep = asyncio.sleep,
        *,
        per_minute: tuple[float, float] = (inf, inf),
        leases: Leases | None = None,
    ) -> None:
        self.ceiling = ceiling
        self.served = 0
        self._flow = Flow(ceiling)
        self._sleep = sleep
        self._quotas = Quota(per_minute[0]), Quota(per_minute[1])
        self._leases = leases
        self._metered = any(quota.limited for quota in self._quotas)
        self._active = 0
        self._closed = False
        self._pauses: dict[asyncio.Future[None], Wait] = {}
        self._holds: dict[asyncio.Future[None], Wait] = {}
        self._lanes: defaultdict[str, Lane] = defaultdict(Lane)
        self._order = itertools.count()
        self._timer: asyncio.TimerHandle | None = None
        self._pace: Wait | None = None

    async def enter(self, tries: int = 0, model: str = "") -> Ticket:
        """Wait for a place; who has failed more often goes first. Returns the ticket to report the outcome with."""
        if self._closed:
            raise asyncio.CancelledError
        turn: asyncio.Future[Ticket] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._lanes[model].waiting, (-tries, next(self._order), turn))
        self._admit()
        try:
            return await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the place was given at the very moment of the cancellation
                self.leave(turn.result(), model)
            raise

    @property
    def waiting(self) -> int:
        """Requests that are not on their way yet: they wait for a place or another attempt."""
        queued = (turn for lane in list(self._lanes.values()) for _, _, turn in list(lane.waiting))
        return len(self._pauses) + sum(not turn.done() for turn in queued)

    @property
    def wait(self) -> Wait | None:
        """What is waited for, beyond the usual pace; where all are held back, the last hold."""
        holds = list(self._holds.values())
        if holds:
            return max(holds, key=lambda wait: wait.until)
        waits = [*self._pauses.values(), *([self._pace] if self._pace else [])]
        return min(waits, key=lambda wait: wait.until, default=None)

    async def pause(self, seconds: float, why: str = "") -> None:
        """Wait before another attempt."""
        if self._closed:
            raise asyncio.CancelledError
        waiting = asyncio.ensure_future(self._sleep(seconds))
        self._pauses[waiting] = Wait(why, _now() + seconds)
        try:
            await waiting
        finally:
            del self._pauses[waiting]

    def close(self) -> None:
        """Nothing more is sent: whoever waits for a place or another attempt, or comes for one, is cancelled."""
        self._closed = True
        for waiting in self._pauses:
            waiting.cancel()
        for lane in self._lanes.values():
            for _, _, turn in lane.waiting:
                turn.cancel()
        self.rest()

    def rest(self) -> None:
        """Others on this machine may have its share of the endpoint."""
        if self._leases:
            self._leases.end()

    def leave(self, ticket: Ticket, model: str = "") -> None:
        self._active -= 1
        self._lanes[model].on_the_way -= 1
        if not ticket.refused:
            self._flow.answered(ticket, _now())
        self._admit()

    def is_shared(self, served: int) -> bool:
        """Whether others got through since so many were `served`, or still may."""
        return self.served > served or self._active > 1

    def accepted(self, tokens: int = 0, model: str = "") -> None:
        """It took so many tokens; 0: nobody knows."""
        self.served += 1
        lane, now = self._lanes[model], _now()
        more = tokens - (lane.size or 0.0) if tokens else 0.0
        for _, quota in (self._quotas, lane.quotas):
            quota.take(more, now)
        lane.size = lane.size + more * _NEWEST if lane.size else float(tokens)

    def heard(self, headers: Mapping[str, str], model: str = "") -> None:
        """What an answer said in its headers."""
        lane = self._lanes[model]
        told = read_rates(headers, datetime.now(UTC))
        for quota, left, size in zip(lane.quotas, told, (1.0, lane.size or 0.0), strict=True):
            if left is not None:
                self._metered = True
                quota.told(left.limit, left.left, left.rate, size * lane.on_the_way, _now())

    def refused(self, ticket: Ticket, seconds: float, why: str = "") -> float:
        """The endpoint said that it was too much. Returns for how long this request is to wait by itself.

        Where nobody else gets through either, nothing at all is sent for so long.
        """
        self._flow.refused(ticket, self._active - 1, _now())
        if seconds and (self._flow.shut or self._active == 1):
            self.hold(seconds, why)
            return 0.0
        return seconds

    def hold(self, seconds: float, why: str = "") -> None:
        """Nothing at all is sent for so long."""
        hold = asyncio.ensure_future(self._sleep(seconds))
        self._holds[hold] = Wait(why, _now() + seconds)
        hold.add_done_callback(self._release)

    def _release(self, hold: asyncio.Future[None]) -> None:
        del self._holds[hold]
        self._admit()

    def _admit(self) -> None:
        self._pace = None
        while not self._holds and (lanes := [lane for lane in self._lanes.values() if _head(lane)]):
            now = _now()
            self._share()
            flow = self._flow.next_at(self._active, now)
            at, _, lane = min(
                ((max(flow, self._quota_at(lane, now), now), lane.waiting[0][:2], lane) for lane in lanes),
                key=itemgetter(0, 1),
            )
            if at > now:
                self._come_back(at, now)
                return
            _, _, turn = heapq.heappop(lane.waiting)
            self._active += 1
            lane.on_the_way += 1
            for requests, tokens in (self._quotas, lane.quotas):
                requests.take(1, now)
                tokens.take(lane.size or 0.0, now)
            turn.set_result(self._flow.sent(self._active, now))

    def _quota_at(self, lane: Lane, now: float) -> float:
        if lane.size is None and lane.on_the_way and self._quotas[1].limited:
            return inf  # the first reply tells how many tokens to count on
        return max(
            quota.next_at(amount, now)
            for quotas in (self._quotas, lane.quotas)
            for quota, amount in zip(quotas, (1.0, lane.size or 0.0), strict=True)
        )

    def _share(self) -> None:
        if self._leases and self._metered:
            shares = self._leases.count()
            for quotas in (self._quotas, *(lane.quotas for lane in self._lanes.values())):
                for quota in quotas:
                    quota.shares = shares

    def _come_back(self, at: float, now: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if at == inf:
            return
        if at - now >= _TOLD_S:
            self._pace = Wait("what the rate allows", at)
        if self._leases and self._metered:  # who waits keeps its share
            at = min(at, now + RENEW_S)
        self._timer = asyncio.get_running_loop().call_at(at, self._admit)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _head(lane: Lane) -> bool:
    """Whether there is still somebody who waits."""
    while lane.waiting and lane.waiting[0][2].done():
        heapq.heappop(lane.waiting)
    return bool(lane.waiting)


class Traffic:
    """What the connections of one run share: a limiter for each endpoint, and how they wait."""

    def __init__(
        self,
        max_concurrency: int = 50,
        *,
        rpm: float | None = None,
        tpm: float | None = None,
        leases: Path | None = None,
        sleep: Sleep = asyncio.sleep,
        uniform: Uniform = random.uniform,
    ) -> None:
        """`rpm`, `tpm`: requests and tokens a minute at each endpoint; `leases`: a folder of all who share them."""
        if max_concurrency < 1:
            raise InputError(f"at least one request must be allowed at a time, not {max_concurrency}")
        self.sleep = sleep
        self.uniform = uniform
        self._ceiling = max_concurrency
        self._per_minute = rpm or inf, tpm or inf
        self._leases = leases
        self._limiters: dict[str, Limiter] = {}
        self.say: Callable[[str], object] = _LOG.warning  # to whoever watches the run; else to the terminal as a rule
        self._said: set[str] = set()
        self.retries = 0  # requests that were, or will be, sent again

    def limiter(self, endpoint: str) -> Limiter:
        if endpoint not in self._limiters:
            leases = Leases(self._leases, endpoint) if self._leases else None
            self._limiters[endpoint] = Limiter(self._ceiling, self.sleep, per_minute=self._per_minute, leases=leases)
        return self._limiters[endpoint]

    @property
    def waiting(self) -> int:
        return sum(limiter.waiting for limiter in list(self._limiters.values()))

    @property
    def wait(self) -> Wait | None:
        """The longest, where several endpoints have to be waited for."""
        found = [wait for limiter in list(self._limiters.values()) if (wait := limiter.wait) is not None]
        return max(found, key=lambda wait: wait.until, default=None)

    def say_once(self, line: str) -> None:
        if line not in self._said:
            self._said.add(line)
            self.say(line)

    def close(self) -> None:
        """What is on its way may come back; nothing more is sent."""
        for limiter in self._limiters.values():
            limiter.close()
