"""A first meeting with an outside agent, before anything is spent on it."""

from collections.abc import Awaitable, Callable, Mapping
from random import Random
from typing import Any, NoReturn

from trialkit.agents.types import Opening
from trialkit.errors import InputError, ModelError
from trialkit.models import Reply, Request, Sent, Tool

from .kinds import OutsideKind
from .protocol import Answer


async def survey(
    name: str, kind: OutsideKind, party: object, *, policy: str, tools: tuple[Tool, ...], settings: Mapping[str, Any]
) -> Answer:
    """What the agent says of itself when a conversation starts, which ends at once; the party stays connected."""
    opening = Opening(
        policy=policy,
        tools=tools,
        ask=_no_model,
        note=lambda _rule, _detail: None,
        draws=Random(0),  # noqa: S311 - nothing is drawn
        party=party,
        exchange=_straight,
        settings=settings,
    )
    try:
        agent = await kind.open(opening)
        await agent.end()
    except ModelError as error:
        raise InputError(f"--agent {name}: {error}; `trialkit agents check` says more") from None
    return agent.ready


async def _straight(_said: str, send: Callable[[], Awaitable[Sent]]) -> Reply:
    return (await send()).reply


async def _no_model(_request: Request) -> NoReturn:
    raise ValueError("nobody asks a model in a survey")
