"""What the server can do with a request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Protocol = Literal["openai", "openai-responses", "anthropic", "gemini", "bedrock"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """A tool call. `arguments` as text reaches OpenAI clients as it is, JSON or not."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    id: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Say:
    """An answer. `stop` is in the protocol's own words; `input_tokens` counts all of the input, cached parts too."""

    text: str | None = ""
    calls: tuple[Call, ...] = ()
    stop: str | None = None
    input_tokens: int = 12
    output_tokens: int = 7
    cache_read: int = 0
    cache_write: int = 0
    reasoning_tokens: int = 0  # of the output
    refusal: str | None = None  # said instead of the text, by a model that refuses
    thought: str | None = None  # goes before what is said, signed where the protocol signs
    empty: bool = False  # no reply at all, though its tokens are counted
    model: str | None = None
    latency: float = 0.0


FaultKind = Literal[
    "rate_limit",
    "quota",
    "server",
    "overloaded",
    "bad_key",
    "not_found",
    "bad_request",
    "content_filter",
    "context_overflow",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """An error answer in the shape that the protocol's own provider gives it. `echo` is put into its message."""

    kind: FaultKind
    headers: Mapping[str, str] = field(default_factory=dict)
    echo: str = ""
    latency: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Raw:
    """Exactly this: an HTML page of a proxy, JSON that is broken, a shape that no one expects."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    latency: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Cut:
    """Promises more bytes than it sends, then closes the connection."""

    body: bytes = b'{"id": "x", "choi'
    promised: int = 1000
    latency: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Drop:
    """Closes the connection before a single byte of the answer."""

    latency: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Hang:
    """Never answers."""

    latency: float = 3600.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Endless:
    """The same piece again and again, until the connection is closed."""

    piece: bytes = b" " * 65536
    pause: float = 0.0  # after each piece
    status: int = 200
    latency: float = 0.0


Action = Say | Fault | Raw | Cut | Drop | Hang | Endless
Respond = Callable[[dict[str, Any], Protocol], Action]
