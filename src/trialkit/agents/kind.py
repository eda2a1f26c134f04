"""What a kind of agent is: what it needs, and how one is opened for a trial."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from trialkit.dialogue import Agent, Opening

#: What a kind of agent must be given: a model to ask, a prompt with the form of its replies, example conversations, the
#: ground truth itself, which is shown to no other, or a connection to a program outside of trialkit.
Need = Literal["model", "prompt", "examples", "truth", "connection"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Solution:
    """The ground truth, for the agent that replays it: `extra["truth"]` of its opening."""

    calls: tuple[tuple[str, Mapping[str, object]], ...]
    says: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Confines:
    """What the process of an agent outside of trialkit is given."""

    environment: tuple[str, ...] = ()  # variables, by NAME or as NAME=VALUE


class AgentKind(Protocol):
    """What an entry point in the group `trialkit.agents` names."""

    summary: str
    needs: frozenset[Need]

    async def open(self, opening: Opening) -> Agent: ...
