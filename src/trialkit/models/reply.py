"""The last touches to what came back, the same for every client."""

from dataclasses import replace

from trialkit.errors import ModelError
from trialkit.text.json import dump, load
from trialkit.text.whole import whole_text
from trialkit.vocabulary import Usage

from .secrets import Secrets
from .types import Reply, ToolCall


def billed(error: ModelError, usage: Usage | None, cost: float | None) -> ModelError:
    """The fault, with what was paid for the answer that is none."""
    error.usage, error.cost = usage, cost
    return error


def finished(reply: Reply, usage: Usage | None, cost: float | None, secrets: Secrets) -> Reply:
    """The reply with what it cost, its texts fit to be stored and free of secrets, however they were written."""

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
