"""What an agent is: opened for one trial, told what the user or the tools say, it answers with a move."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, Protocol

from trialkit.models import Reply, Request, Sent, Tool, ToolCall

#: What a kind of agent must be given: a model to ask, a prompt with the form of its replies, example conversations, or
#: the ground truth itself, which is shown to no other; or a party outside of trialkit, which the kind connects to.
Need = Literal["model", "prompt", "examples", "truth", "party"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Move:
    """What an agent does next. With calls, the user does not see `text`; without, `text` is the reply to the user."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()

    @property
    def empty(self) -> bool:
        return not self.calls and not self.text.strip()


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolResult:
    call: ToolCall
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Truth:
    """The ground truth, for the agent that replays it."""

    calls: tuple[tuple[str, Mapping[str, Any]], ...]
    says: tuple[str, ...]


async def _no_exchange(said: str, send: Callable[[], Awaitable[Sent]]) -> Reply:  # noqa: ARG001 - a place-holder
    raise ValueError("this agent was opened without a party to talk to")


def _no_log(kind: str, **data: Any) -> None:
    pass


@dataclass(frozen=True, kw_only=True, slots=True)
class Opening:
    """All that an agent is given for a trial. What its kind does not need is empty."""

    policy: str
    tools: tuple[Tool, ...]
    ask: Callable[[Request], Awaitable[Reply]]
    note: Callable[[str, str], None]  # a rule that was applied to what the model said, and to what in it
    draws: Random  # the same in every run of the same trial
    greeting: str = ""  # what the user takes the agent to have said first, where the agent knows of it
    respond_is_reply: bool = True  # whether a call of a tool named `respond` is a reply to the user
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    prompt: str = ""  # the system message for an agent that needs one of its own: policy, tools and form
    examples: Sequence[str] = ()
    truth: Truth | None = None
    party: Any = None  # None: there is none, or this is a replay
    exchange: Callable[[str, Callable[[], Awaitable[Sent]]], Awaitable[Reply]] = _no_exchange
    log: Callable[..., None] = _no_log  # adds to the transcript: a kind, and data by name
    settings: Mapping[str, Any] = field(default_factory=dict)  # what a party is told of the run's


class Agent(Protocol):
    """One trial's agent."""

    async def hear(self, text: str) -> Move:
        """The user says something."""

    async def observe(self, results: Sequence[ToolResult]) -> Move:
        """The calls of the last move that were executed, in order; calls without a result were dropped."""

    async def end(self) -> None:
        """The conversation is over, however it ended."""


class AgentKind(Protocol):
    """What an entry point in the group `trialkit.agents` names."""

    summary: str
    needs: frozenset[Need]

    async def open(self, opening: Opening) -> Agent: ...
