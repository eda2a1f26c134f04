"""What is said to a model and what comes back, the same for every provider."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from operator import attrgetter
from typing import Any, Literal

from trialkit.text.json import Json, JsonObject
from trialkit.text.plain import plain
from trialkit.vocabulary import Usage

from .once import WrittenOnce

MessageRole = Literal["system", "user", "assistant", "tool"]
StopReason = Literal["end", "tools", "length", "filter", "other"]

#: What a provider wants back with the next request, such as signed thoughts, by the name of the protocol that read it.
ProviderState = Mapping[str, Json]
#: The name of the tool in a call that names none; it is one that providers take back.
UNNAMED = "unnamed_tool"


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolCall:
    """A call as the model wrote it: `arguments` is its text, JSON or not."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    role: MessageRole
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None  # role "tool": the call that this answers
    state: ProviderState | None = None  # role "assistant": the reply's


@dataclass(frozen=True, kw_only=True, slots=True)
class Tool:
    name: str
    description: str
    parameters: Mapping[str, Any]  # JSON schema of an object


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    tool_choice: str | None = None  # None: the model decides; else the name of the tool that it must call
    temperature: float | None = None  # None: the provider's default
    max_tokens: int | None = None  # None: the provider's default
    seed: int | None = None  # sent where the protocol knows it

    def key(self, model: str) -> str:
        """Names this request to this model: what recorded and stored replies are found by."""
        text = _dump([model, self.messages, _keyed(self)]) + _tools_text(self.tools)
        return hashlib.sha256(text.encode()).hexdigest()


#: The fields that the first keys were made of, in their order (of a request, besides its messages and tools). Any other
#: is in the key where it is not left at its default, so that the keys of before stay what they were.
_FIRST: Mapping[type, tuple[str, ...]] = {
    Request: ("tool_choice", "temperature", "max_tokens", "seed"),
    Message: ("role", "text", "tool_calls", "tool_call_id"),
    Tool: ("name", "description", "parameters"),
    ToolCall: ("id", "name", "arguments"),
}
_KEYED = {
    kind: (attrgetter(*first), tuple(f for f in fields(kind) if f.name not in {*first, "messages", "tools"}))
    for kind, first in _FIRST.items()
}


def _keyed(part: object) -> tuple[object, ...]:
    """What a part of a request says, for its key."""
    first, later = _KEYED[type(part)]
    said: tuple[object, ...] = first(part)
    for field in later:
        value = getattr(part, field.name)
        if field.default is MISSING or value != field.default:
            said = (*said, {field.name: value})
    return said


_dump = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), sort_keys=True, default=_keyed).encode
_tools_text = WrittenOnce[Tool](_dump)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    stop: StopReason = "end"
    usage: Usage | None = None  # None: the provider did not say
    cost: float | None = None  # US dollars; None: the price or the usage is unknown
    model: str = ""  # as the provider names what answered
    state: ProviderState | None = None  # to go back in the message that stands for this reply

    def to_data(self) -> dict[str, object]:
        data = plain(self)
        data["tool_calls"] = [plain(call) for call in self.tool_calls]
        data["usage"] = plain(self.usage) if self.usage else None
        if self.state is None:
            del data["state"]
        return data

    @classmethod
    def from_data(cls, data: JsonObject) -> "Reply":
        calls = tuple(ToolCall(**call) for call in data["tool_calls"])
        usage = Usage(**data["usage"]) if data["usage"] else None
        return cls(**{**data, "tool_calls": calls, "usage": usage})
