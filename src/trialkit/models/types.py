"""What is said to a model and what comes back, the same for every provider."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from trialkit.text.plain import plain

from .once import WrittenOnce

MessageRole = Literal["system", "user", "assistant", "tool"]
StopReason = Literal["end", "tools", "length", "filter", "other"]

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


@dataclass(frozen=True, kw_only=True, slots=True)
class Tool:
    name: str
    description: str
    parameters: Mapping[str, Any]  # JSON schema of an object


_dump = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), sort_keys=True).encode
_tools_text = WrittenOnce[Tool](lambda tools: _dump([(t.name, t.description, t.parameters) for t in tools]))


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    tool_choice: str | None = None  # None: the model decides; else the name of the tool that it must call
    temperature: float | None = None  # None: the provider's default
    max_tokens: int | None = None  # None: the provider's default
    seed: int | None = None  # sent where the protocol knows it

    def key(self, model: str) -> str:
        """Names this request to this model: what stored replies are found by."""
        messages = [
            (m.role, m.text, [(c.id, c.name, c.arguments) for c in m.tool_calls], m.tool_call_id) for m in self.messages
        ]
        rest = (self.tool_choice, self.temperature, self.max_tokens, self.seed)
        text = _dump([model, messages, rest]) + _tools_text(self.tools)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Tokens as the provider counted them. `input_tokens` is all of the input, cached parts included."""

    input_tokens: int
    output_tokens: int
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    stop: StopReason = "end"
    usage: Usage | None = None  # None: the provider did not say
    cost: float | None = None  # US dollars; None: the price or the usage is unknown
    model: str = ""  # as the provider names what answered

    def to_data(self) -> dict[str, Any]:
        calls = [plain(call) for call in self.tool_calls]
        return {**plain(self), "tool_calls": calls, "usage": plain(self.usage) if self.usage else None}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Reply":
        calls = tuple(ToolCall(**call) for call in data["tool_calls"])
        usage = Usage(**data["usage"]) if data["usage"] else None
        return cls(**{**data, "tool_calls": calls, "usage": usage})
