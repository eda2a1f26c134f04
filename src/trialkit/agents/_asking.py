"""What all agents share that ask a model for their moves."""

from collections.abc import Callable
from typing import NamedTuple

from trialkit.models import Reply, Request

from ._types import Move, Opening


class Asked(NamedTuple):
    reply: Reply
    move: Move


async def next_move(opening: Opening, request: Request, read: Callable[[Reply], Move]) -> Asked:
    """The move in the model's reply. If there is none, it is asked once more: a new sample of the same request."""
    reply = await opening.ask(request)
    move = read(reply)
    if move.empty:
        opening.note("empty_reply", f"neither a reply nor a call (stop: {reply.stop}); asked once more")
        reply = await opening.ask(request)
        move = read(reply)
    return Asked(reply, move)
