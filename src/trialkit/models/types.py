"""What is said to a model and what comes back, the same for every provider."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from operator import attrgetter
from typing import Any, Literal

from trialkit.text.json import Json, JsonObject
from trialkit.text.plain import plain
from trialkit.vocabulary import Usage

from .files import File
from .once import WrittenOnce

MessageRole = Literal["system", "user", "assistant", "tool"]
StopReason = Literal["end", "tools", "length", "filter", "other"]
#: How much a model thinks before it answers: a word, or so many tokens at most.
Reasoning = Literal["low", "medium", "high"] | int

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
    files: tuple[File, ...] = ()  # role "user": what is shown with the text


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
    output: JsonObject | None = None  # JSON schema that the text of the reply is to fit
    top_p: float | None = None  # None: the provider's default
    reasoning: Reasoning | None = None  # None: the provider's default
    tools_as: Literal["text"] | None = None  # None: as the protocol has them; else the model writes its calls as text
    extra: JsonObject | None = None  # goes into the body as it is: what only this provider knows
    sample: str = field(default="", compare=False)  # names what one trial is told, where it is to be found by that

    @property
    def files(self) -> tuple[File, ...]:
        return tuple(file for message in self.messages for file in message.files)

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
    File: ("media_type", "sha256"),
}
_KEYED = {
    kind: (
        attrgetter(*first),
        tuple(f for f in fields(kind) if f.compare and f.name not in {*first, "messages", "tools"}),
    )
    for kind, first in _FIRST.items()
}


def _keyed(part: object) -> tuple[object, ...]:
    """What a part of a request says, for its key."""
    first, later = _KEYED[type(part)]
    said: tuple[object, ...] = first(part)
    for one in later:
        value = getattr(part, one.name)
        if one.default is MISSING or value != one.default:
            said = (*said, {one.name: value})
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
    left_out: tuple[str, ...] = ()  # parameters of the request that the model does not take
    cost_told: bool = False  # the cost is what a gateway told, not what a price list makes of the usage
    call_as_text: bool = False  # tools were offered, and the text writes a call of one, as JSON

    def to_data(self) -> dict[str, object]:
        data = plain(self)
        data["tool_calls"] = [plain(call) for call in self.tool_calls]
        data["usage"] = usage = plain(self.usage) if self.usage else None
        for name in ("state", "left_out", "cost_told", "call_as_text"):
            if not data[name]:
                del data[name]
        if usage and not usage["reasoning_tokens"]:
            del usage["reasoning_tokens"]
        return data

    @classmethod
    def from_data(cls, data: JsonObject) -> "Reply":
        calls = tuple(ToolCall(**call) for call in data["tool_calls"])
        usage = Usage(**data["usage"]) if data["usage"] else None
        left_out = tuple(data.get("left_out", ()))
        return cls(**{**data, "tool_calls": calls, "usage": usage, "left_out": left_out})
