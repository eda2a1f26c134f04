"""The other end of the line, as a run sees it: who it is, and a seat for each conversation."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from trialkit.models import Connection, Identity, Reply, Request, Traffic

from ._protocol import Spent


class Seat(Protocol):
    """Where one conversation is held: a process, or an address with a conversation's name."""

    async def say(self, text: str, timeout_s: float) -> str:
        """The agent's answer. Raises `ModelError`; then the seat is broken."""

    def take_stderr(self) -> str:
        """What it wrote beside its answers since this was last asked."""


S = TypeVar("S", bound=Seat)


class Seats(Protocol[S]):
    """Has the shape of a model's client too, so that a run closes it like one."""

    async def take(self) -> S: ...

    def give_back(self, seat: S) -> None: ...

    async def discard(self, seat: S) -> None: ...

    async def send(self, request: Request) -> Reply: ...

    async def aclose(self) -> None: ...


def told_cost(spent: Spent) -> float | None:
    return spent.cost


@dataclass(frozen=True, kw_only=True, slots=True)
class Host:
    """What a run tells an outside agent about itself."""

    traffic: Traffic
    timeout_s: float  # for each answer
    settings: Mapping[str, Any] = field(default_factory=dict)  # as the agent gets them


class Party(Connection):
    def __init__(
        self, identity: Identity, seats: Seats[Any], host: Host, cost: Callable[[Spent], float | None] = told_cost
    ) -> None:
        super().__init__(identity, seats, host.traffic, 0)
        self.seats = seats
        self.timeout_s = host.timeout_s
        self.cost = cost


def token_of_environment() -> str | None:
    return os.environ.get("TRIALKIT_AGENT_TOKEN", "").strip() or None
