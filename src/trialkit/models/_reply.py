"""The last touches to a reply, the same for every client."""

from dataclasses import replace

from trialkit.models._secrets import Secrets
from trialkit.models._text import whole_text
from trialkit.models._types import Reply, ToolCall
from trialkit.models.prices import Price


def finished(reply: Reply, price: Price | None, doubtful: Secrets | None) -> Reply:
    """The reply with its cost; with `doubtful` given, its texts made fit to be stored and free of those secrets."""
    cost = price.cost(reply.usage) if price and reply.usage else reply.cost
    if doubtful is None:
        return replace(reply, cost=cost)

    def clean(text: str) -> str:
        return doubtful.hide(whole_text(text))

    calls = (
        ToolCall(id=clean(call.id), name=clean(call.name), arguments=clean(call.arguments)) for call in reply.tool_calls
    )
    return replace(reply, cost=cost, text=clean(reply.text), tool_calls=tuple(calls), model=clean(reply.model))
