"""A first meeting with an outside agent, before anything is spent on it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import NoReturn

from trialkit.dialogue import Opening
from trialkit.errors import InputError, ModelError
from trialkit.models import Reply, Request, Sent, Tool

from .connection import AgentConnection
from .kinds import open_outside
from .protocol import Answer


async def meet(
    name: str, connection: AgentConnection, *, policy: str, tools: tuple[Tool, ...], settings: Mapping[str, object]
) -> Answer:
    """What the agent says of itself when a conversation starts, which ends at once.

    The process that was met stays with the connection, and serves the first conversation.
    """
    opening = Opening(
        policy=policy,
        tools=tools,
        ask=_no_model,
        note=lambda _rule, _detail: None,
        connection=connection,
        exchange=_unrecorded,
        settings=settings,
    )
    try:
        agent = await open_outside(opening)
        await agent.end()
    except ModelError as error:
        raise InputError(f"--agent {name}: {error}; `trialkit agents check` says more") from None
    return agent.ready


async def _unrecorded(_message: str, send: Callable[[], Awaitable[Sent]]) -> Reply:
    return (await send()).reply


async def _no_model(_request: Request) -> NoReturn:
    raise ValueError("nobody asks a model in a first meeting")
