"""The connection that a run holds to an agent outside of trialkit: who it is, and a channel for each conversation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from trialkit.errors import ModelError

from .protocol import Spent


class Channel(Protocol):
    """Where one conversation is held: a process, or an address with a conversation's name."""

    lasting: bool  # whether the agent still wants to hear of the end after a fault; a process is ended instead

    async def say(self, text: str, timeout_s: float) -> str:
        """The agent's answer. Raises `ModelError`; then the channel is broken."""

    def take_stderr(self) -> str:
        """What it wrote beside its answers since this was last asked."""


S = TypeVar("S", bound=Channel)


class Channels(Protocol[S]):
    async def take(self) -> S: ...

    async def give_back(self, channel: S) -> None: ...

    async def discard(self, channel: S) -> None: ...

    async def aclose(self) -> None: ...


def stated_cost(spent: Spent) -> float | None:
    """As the agent says itself."""
    return spent.cost


def no_hint(_error: ModelError) -> str:
    return ""


@dataclass(kw_only=True, slots=True, eq=False)
class AgentConnection:
    """Has the attributes of a model's connection, which is what a run holds for each role."""

    name: str
    endpoint: str
    key: str
    price_known: bool = True  # an agent tells what it costs; a budget ends at an answer that does not
    billed: bool = True
    storable: bool = False  # an answer means nothing outside of its conversation
    channels: Channels[Any]
    timeout_s: float  # for each answer
    settings: Mapping[str, object] = field(default_factory=dict)  # as it wants them, instead of the run's own words
    cost: Callable[[Spent], float | None] = stated_cost
    hint: Callable[[ModelError], str] = no_hint  # what to do about a fault, in a clause of its own

    async def aclose(self) -> None:
        await self.channels.aclose()
