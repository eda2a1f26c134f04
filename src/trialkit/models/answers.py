"""What a server answered to a request, read: a reply with its cost, or how it failed."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from trialkit.errors import ModelError
from trialkit.text.json import JsonObject, load
from trialkit.text.short import shortened

from .classify import LONGEST, HttpAnswer, is_html, message_of, retry_after, status_in
from .prices import TokenPrice
from .protocols import ModelAddress, NothingUsableError, Protocol
from .protocols.streams import events_of
from .reply import billed, finished
from .secrets import Secrets
from .types import Reply

#: Lists and objects in an answer: 32 MB of nothing else take a gigabyte when they are read.
_MOST_PARTS = 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers:
    """Of one model."""

    protocol: Protocol
    to: ModelAddress
    price: TokenPrice | None
    secrets: Secrets

    @property
    def where(self) -> str:
        return self.secrets.hide(self.to.base)

    def reply(self, answer: HttpAnswer) -> Reply:
        """Raises `ModelError`."""
        data = self.data(answer)
        if not isinstance(data, dict):
            said = f"what is no JSON object: {shortened(answer.text, LONGEST)!r}"
            what = "a web page" if is_html(answer.text) else said
            raise ModelError("bad_reply", f"{self.where} answered with {what}", status=answer.status)
        usage = self.protocol.usage(data)
        told = self.protocol.cost(data, answer.headers)
        cost = self.price.cost(usage) if told is None and self.price and usage else told
        try:
            reply = self.protocol.reply(data)
        except NothingUsableError as error:
            raise billed(self._unusable(error, answer, data), usage, cost) from None
        if reply.stop == "filter" and not reply.text and not reply.tool_calls:
            fault = ModelError("content_filter", f"{self.where} withheld the reply", status=answer.status)
            raise billed(fault, usage, cost)
        return finished(reply, usage, cost, self.secrets, cost_told=told is not None)

    def data(self, answer: HttpAnswer) -> Any:
        """The JSON of what is no refusal. Raises `ModelError`."""
        if answer.text.count("[") + answer.text.count("{") > _MOST_PARTS:
            raise ModelError("bad_reply", f"{self.where} answered with more than {_MOST_PARTS:,} lists and objects")
        data = self._read(answer)
        if not 200 <= answer.status < 300:
            raise self._refusal(answer, data)
        return data

    def hinted(self, error: ModelError) -> ModelError:
        """Of a server that was not reached: with what may help."""
        return ModelError(error.kind, f"{error}{self.protocol.hint(error.kind, '', self.to)}")

    def _read(self, answer: HttpAnswer) -> Any:
        if answer.headers.get("content-type", "").startswith("text/event-stream"):
            return self.protocol.joined(events_of(answer.text))
        return load(answer.text)

    def _refusal(self, answer: HttpAnswer, data: object) -> ModelError:
        kind = self.protocol.kind(answer.status, answer.text)
        hint = self.protocol.hint(kind, answer.text, self.to)
        message = f"{self.where} answered {answer.status}: {message_of(answer, data)}{hint}"
        wish = retry_after(answer.headers, datetime.now(UTC), answer.text)
        return ModelError(kind, message, status=answer.status, retry_after=wish)

    def _unusable(self, error: NothingUsableError, answer: HttpAnswer, data: JsonObject) -> ModelError:
        """Some gateways answer 200 and put the real status into the body."""
        status = status_in(data.get("error"))
        if status is not None:
            return self._refusal(replace(answer, status=status), data)
        message = f"{self.where} answered without a reply ({error}): {shortened(answer.text, LONGEST)}"
        return ModelError("bad_reply", message, status=answer.status)
