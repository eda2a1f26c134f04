"""The other end of the line, as a run sees it: who it is, and a seat for each conversation."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from .protocol import Spent


class Seat(Protocol):
    """Where one conversation is held: a process, or an address with a conversation's name."""

    lasting: bool  # whether the agent still wants to hear of the end after a fault; a process is ended instead

    async def say(self, text: str, timeout_s: float) -> str:
        """The agent's answer. Raises `ModelError`; then the seat is broken."""

    def take_stderr(self) -> str:
        """What it wrote beside its answers since this was last asked."""


S = TypeVar("S", bound=Seat)


class Seats(Protocol[S]):
    async def take(self) -> S: ...

    def give_back(self, seat: S) -> None: ...

    async def discard(self, seat: S) -> None: ...

    async def aclose(self) -> None: ...


def told_cost(spent: Spent) -> float | None:
    return spent.cost


@dataclass(frozen=True, kw_only=True, slots=True)
class Host:
    """What a run tells an outside agent about itself."""

    timeout_s: float  # for each answer
    settings: Mapping[str, Any] = field(default_factory=dict)  # as the agent gets them


class Party:
    """Has the attributes of a model's connection, which is what a run holds for each role."""

    billed = True
    storable = False  # an answer means nothing outside of its conversation

    def __init__(
        self,
        *,
        name: str,
        endpoint: str,
        key: str,
        seats: Seats[Any],
        host: Host,
        price_known: bool = True,  # an agent tells what it costs; a budget ends at an answer that does not
        told: Mapping[str, Any] | None = None,
        cost: Callable[[Spent], float | None] = told_cost,
    ) -> None:
        self.name = name
        self.endpoint = endpoint
        self.key = key
        self.price_known = price_known
        self.seats = seats
        self.timeout_s = host.timeout_s
        self.told = told or {}  # settings as this agent wants them, instead of the run's own words
        self.cost = cost

    async def aclose(self) -> None:
        await self.seats.aclose()


def token_of_environment() -> str | None:
    return os.environ.get("TRIALKIT_AGENT_TOKEN", "").strip() or None
