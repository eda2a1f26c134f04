"""What agents share: asking a model for a move, and what a benchmark takes for a reply."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from trialkit.models import Reply, Request, ToolCall

from .arguments import read_arguments
from .types import Move, Opening

#: Where the benchmark has it so, whoever calls a tool of this name replies to the user with its `content`.
RESPOND = "respond"


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


def reply_by_call(opening: Opening, calls: Sequence[ToolCall]) -> Move | None:
    """The reply in a call of a tool named `respond`, where such a call is one; None: it is a call like others."""
    if not opening.respond_is_reply or not calls or calls[0].name != RESPOND:
        return None
    if any(tool.name == RESPOND for tool in opening.tools):
        return None
    try:
        content = read_arguments(calls[0].arguments).get("content")
    except ValueError:
        return None
    if not isinstance(content, str):
        return None
    opening.note("respond_called", "a call of `respond` is a reply to the user")
    return Move(text=content)
