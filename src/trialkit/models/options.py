"""What every request to a model asks for, unless it says otherwise: what is set for a role, whatever it is asked."""

from dataclasses import dataclass, fields, replace
from typing import Literal

from trialkit.text.json import JsonObject, merged

from .types import Reasoning, Request


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """None: the provider's default. The names are those of a `Request`."""

    max_tokens: int | None = None
    reasoning: Reasoning | None = None
    tools_as: Literal["text"] | None = None
    extra: JsonObject | None = None

    def of(self, request: Request) -> Request:
        """The request with them. What both say to go into the body as it is goes there together."""
        own = {one.name: value for one in fields(self) if (value := getattr(self, one.name)) is not None}
        missing = {name: value for name, value in own.items() if getattr(request, name) is None}
        if self.extra and request.extra:
            missing["extra"] = merged(self.extra, request.extra)
        return replace(request, **missing) if missing else request
