"""How many requests may be on their way to one endpoint: it backs off when refused and grows again."""

import asyncio
import heapq
import itertools
import logging
import random
from collections.abc import Awaitable, Callable

from trialkit.errors import InputError

_LOG = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]
Uniform = Callable[[float, float], float]

#: Slower than what was served between two refusals, by this factor; and faster again by so much each second.
_SLOWER = 1.05
_FASTER_PER_S = 0.1


class Limiter:
    """At most `ceiling` requests at once; fewer after a refusal, none while one is being waited out.

    A refusal (429) halves the limit, but only once for all the requests that were already on their way when it was last
    halved: they tell of the same moment. Each success gives back 1/limit, so a full round trip gives back one. What
    went out between two refusals tells the rate that is served: from then on there is a `gap` after each request.
    """

    def __init__(self, ceiling: int, sleep: Sleep = asyncio.sleep) -> None:
        self.ceiling = ceiling
        self.limit = float(ceiling)
        self.served = 0
        self.gap = 0.0  # seconds between two requests; 0: there was no refusal to learn it from
        self._sleep = sleep
        self._active = 0
        self._closed = False
        self._round = 0
        self._sent = 0
        self._open: tuple[float, int] | None = None  # when the last refusal was waited out, and what was sent by then
        self._pauses: set[asyncio.Future[None]] = set()
        self._holds: set[asyncio.Future[None]] = set()
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = itertools.count()

    async def enter(self, tries: int = 0) -> int:
        """Wait for a place; who has failed more often goes first. Returns the ticket to report the outcome with."""
        if self._closed:
            raise asyncio.CancelledError
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (-tries, next(self._order), turn))
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the place was given at the very moment of the cancellation
                self.leave()
            raise
        return self._round

    async def pause(self, seconds: float) -> None:
        """Wait before another attempt."""
        if self._closed:
            raise asyncio.CancelledError
        waiting = asyncio.ensure_future(self._sleep(seconds))
        self._pauses.add(waiting)
        try:
            await waiting
        finally:
            self._pauses.discard(waiting)

    def close(self) -> None:
        """Nothing more is sent: whoever waits for a place or another attempt, or comes for one, is cancelled."""
        self._closed = True
        for waiting in self._pauses:
            waiting.cancel()
        for _, _, turn in self._waiting:
            turn.cancel()

    def leave(self) -> None:
        self._active -= 1
        self._admit()

    def is_shared(self, served: int) -> bool:
        """Whether others got through since so many were `served`, or still may."""
        return self.served > served or self._active > 1

    def accepted(self) -> None:
        self.served += 1
        self.gap /= 1 + self.gap * _FASTER_PER_S
        self.limit = min(float(self.ceiling), self.limit + 1 / self.limit)

    def refused(self, ticket: int, seconds: float) -> None:
        """The endpoint said that it was too much: send fewer, and nothing at all for so long."""
        if ticket == self._round:
            self.limit = max(1.0, self.limit / 2)
            self._round += 1
            self._slow_down(seconds)
        self.hold(seconds)

    def _slow_down(self, seconds: float) -> None:
        now = asyncio.get_running_loop().time()
        opened, before = self._open or (now, self._sent)
        passed = self._sent - before - 1  # without the one that was refused
        self.gap = _SLOWER * max(now - opened, 0.0) / passed if passed > 1 else 2 * self.gap
        self._open = now + seconds, self._sent

    def hold(self, seconds: float) -> None:
        """Nothing at all is sent for so long."""
        hold = asyncio.ensure_future(self._sleep(seconds))
        self._holds.add(hold)
        hold.add_done_callback(self._release)

    def _release(self, hold: asyncio.Future[None]) -> None:
        self._holds.discard(hold)
        self._admit()

    def _has_room(self) -> bool:
        return not self._holds and self._active + 1 <= self.limit

    def _admit(self) -> None:
        while self._waiting and self._has_room():
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                self._active += 1
                self._sent += 1
                turn.set_result(None)
                if self.gap:
                    self.hold(self.gap)


class Traffic:
    """What the connections of one run share: a limiter for each endpoint, and how they wait."""

    def __init__(
        self, max_concurrency: int = 50, *, sleep: Sleep = asyncio.sleep, uniform: Uniform = random.uniform
    ) -> None:
        if max_concurrency < 1:
            raise InputError(f"at least one request must be allowed at a time, not {max_concurrency}")
        self.sleep = sleep
        self.uniform = uniform
        self._ceiling = max_concurrency
        self._limiters: dict[str, Limiter] = {}
        self.say: Callable[[str], object] = _LOG.warning  # to whoever watches the run; else to the terminal as a rule
        self._said: set[str] = set()

    def limiter(self, endpoint: str) -> Limiter:
        if endpoint not in self._limiters:
            self._limiters[endpoint] = Limiter(self._ceiling, self.sleep)
        return self._limiters[endpoint]

    def say_once(self, line: str) -> None:
        if line not in self._said:
            self._said.add(line)
            self.say(line)

    def close(self) -> None:
        """What is on its way may come back; nothing more is sent."""
        for limiter in self._limiters.values():
            limiter.close()
