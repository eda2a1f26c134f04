"""The last touches to what came back, the same for every client."""

from collections.abc import Sequence
from dataclasses import replace

from trialkit.errors import ModelError
from trialkit.text.json import dump, load
from trialkit.text.whole import whole_text
from trialkit.vocabulary import Usage

from .secrets import Secrets
from .text_calls import called
from .types import Reply, Request, ToolCall

#: Tool calls in one reply: more are a model, or a server, that has lost its way.
MOST_CALLS = 1000
#: Bytes of an answer, and characters of what was read of it by somebody else's client.
LONGEST_BODY = 32 * 1024 * 1024


def noted(request: Request, reply: Reply) -> Reply:
    """The reply, marked where it writes a call of a tool as text, though tools were offered."""
    if not request.tools or reply.tool_calls or called(reply, request.tools) is reply:
        return reply
    return replace(reply, call_as_text=True)


def billed(error: ModelError, usage: Usage | None, cost: float | None) -> ModelError:
    """The fault, with what was paid for the answer that is none."""
    error.usage, error.cost = usage, cost
    return error


def finished(
    reply: Reply, usage: Usage | None, cost: float | None, secrets: Secrets, *, cost_told: bool = False
) -> Reply:
    """The reply with what it cost, its texts fit to be stored and free of secrets, however they were written.

    A `ModelError` where it holds more tool calls, or text, than anybody could want.
    """
    if len(reply.text) + sum(len(call.arguments) for call in reply.tool_calls) > LONGEST_BODY:
        fault = f"a reply of more than {LONGEST_BODY // 1024**2} MB came"
        raise billed(ModelError("bad_reply", fault), usage, cost)
    if len(reply.tool_calls) > MOST_CALLS:
        fault = f"{len(reply.tool_calls):,} tool calls came in one reply; at most {MOST_CALLS:,} are taken"
        raise billed(ModelError("bad_reply", fault), usage, cost)

    def clean(text: str) -> str:
        return secrets.hide(whole_text(text))

    calls = [
        ToolCall(id=clean(call.id), name=clean(call.name), arguments=clean(call.arguments)) for call in reply.tool_calls
    ]
    return replace(
        reply,
        text=clean(reply.text),
        tool_calls=_told_apart(calls),
        usage=usage,
        cost=cost,
        cost_told=cost_told,
        model=clean(reply.model),
        state=None if reply.state is None else load(clean(dump(reply.state))),
    )


def _told_apart(calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Each under an id of its own: results are found by it, and providers refuse one that stands twice."""
    found = dict[str, ToolCall]()
    for number, call in enumerate(calls):
        own = call.id if call.id not in found else f"{call.id}_{number}"
        found[own] = call if own == call.id else replace(call, id=own)
    return tuple(found.values())
