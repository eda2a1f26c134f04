"""The last touches to a reply, the same for every client."""

from dataclasses import replace

from trialkit.text.json import dump, load

from .prices import Price
from .secrets import Secrets
from .text import whole_text
from .types import Reply, ToolCall, Usage


def finished(reply: Reply, usage: Usage | None, price: Price | None, secrets: Secrets) -> Reply:
    """The reply with what it cost, its texts fit to be stored and free of secrets, however they were written."""
    cost = price.cost(usage) if price and usage else reply.cost

    def clean(text: str) -> str:
        return secrets.hide(whole_text(text))

    calls = (
        ToolCall(id=clean(call.id), name=clean(call.name), arguments=clean(call.arguments)) for call in reply.tool_calls
    )
    return replace(
        reply,
        text=clean(reply.text),
        tool_calls=tuple(calls),
        usage=usage,
        cost=cost,
        model=clean(reply.model),
        state=None if reply.state is None else load(clean(dump(reply.state))),
    )
