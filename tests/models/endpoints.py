"""Endpoints that take so much, in a time that only events move: what `Flow` is told is all that they say."""

import heapq
import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import Protocol

from trialkit.models.flow import Flow, Ticket


class Endpoint(Protocol):
    def take(self, now: float) -> bool: ...

    def give_back(self) -> None: ...


@dataclass
class AtOnce:
    """So many at the same time."""

    places: int
    taken: int = 0

    def take(self, now: float) -> bool:
        if self.taken == self.places:
            return False
        self.taken += 1
        return True

    def give_back(self) -> None:
        self.taken -= 1


@dataclass
class Bucket:
    """So many a second, and `burst` saved up."""

    rate: float
    burst: float
    level: float = field(init=False)
    at: float = 0.0

    def __post_init__(self) -> None:
        self.level = self.burst

    def take(self, now: float) -> bool:
        self.level, self.at = min(self.burst, self.level + (now - self.at) * self.rate), now
        if self.level < 1 - 1e-9:
            return False
        self.level -= 1
        return True

    def give_back(self) -> None:
        pass


class Course:
    """All requests through one `Flow`. `way`: seconds there and back; `spread` of the latency, in shares of it."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        requests: int,
        ceiling: int,
        latency: float,
        way: float,
        seed: int,
        spread: float = 0.2,
    ) -> None:
        self.seconds = 0.0
        self.refused = 0
        self.flow = Flow(ceiling)
        self._endpoint = endpoint
        self._left = requests
        self._active = 0
        self._latency, self._way, self._spread = latency, way, spread
        self._chance = random.Random(seed)
        self._number = itertools.count()
        self._events: list[tuple[float, int, Callable[[Ticket], None], Ticket]] = []
        self._timer = inf
        while self._left or self._active:
            self._send()
            self.seconds, _, event, one = heapq.heappop(self._events)
            event(one)

    def _after(self, seconds: float, event: Callable[[Ticket], None], one: Ticket) -> None:
        heapq.heappush(self._events, (self.seconds + seconds, next(self._number), event, one))

    def _travel(self, event: Callable[[Ticket], None], one: Ticket) -> None:
        self._after(self._way / 2 * self._chance.uniform(0.95, 1.15), event, one)

    def _send(self) -> None:
        while self._left:
            at = self.flow.next_at(self._active, self.seconds)
            if at > self.seconds:
                if at < self._timer:
                    self._timer = at
                    late = self._chance.uniform(0, 0.0012)
                    self._after(at - self.seconds + late, self._rings, Ticket(0, 0, probe=False))
                return
            self._left -= 1
            self._active += 1
            self._travel(self._arrives, self.flow.sent(self._active, self.seconds))

    def _rings(self, _one: Ticket) -> None:
        self._timer = inf

    def _arrives(self, one: Ticket) -> None:
        if self._endpoint.take(self.seconds):
            took = self._latency * self._chance.uniform(1 - self._spread, 1 + self._spread)
            self._after(took, self._ends, one)
        else:
            self._travel(self._is_refused, one)

    def _ends(self, one: Ticket) -> None:
        self._endpoint.give_back()
        self._travel(self._is_answered, one)

    def _is_answered(self, one: Ticket) -> None:
        self._active -= 1
        self.flow.answered(one, self.seconds)

    def _is_refused(self, one: Ticket) -> None:
        self._active -= 1
        self._left += 1
        self.refused += 1
        self.flow.refused(one, self._active, self.seconds)
