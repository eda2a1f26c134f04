"""What a party is given for a trial."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from trialkit.models import Reply, Request, Sent, Tool

from .record import Log, no_log
from .rules import Rules


async def _no_exchange(message: str, send: Callable[[], Awaitable[Sent]]) -> Reply:  # noqa: ARG001 - a place-holder
    raise ValueError("this agent was opened without a connection")


@dataclass(frozen=True, kw_only=True, slots=True)
class Opening:
    """What a kind of agent or user does not need is empty."""

    policy: str  # what it has to keep to: the system message, for most
    ask: Callable[[Request], Awaitable[Reply]]
    note: Callable[[str, str], None]  # a rule that was applied to what the model said, and to what in it
    tools: tuple[Tool, ...] = ()
    rules: Rules = field(default_factory=Rules)
    draws: Random = field(default_factory=lambda: Random(0))  # noqa: S311 - the same in every run of the same trial
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    prompt: str = ""  # the system message for an agent that needs one of its own: policy, tools and form
    examples: Sequence[str] = ()
    extra: Mapping[str, object] = field(default_factory=dict)  # what only some kind knows, such as the ground truth
    connection: object = None  # to an agent outside of trialkit; None: there is none, or this is a replay
    exchange: Callable[[str, Callable[[], Awaitable[Sent]]], Awaitable[Reply]] = _no_exchange
    log: Log = no_log
    settings: Mapping[str, object] = field(default_factory=dict)  # what an outside agent is told of the run's
