"""What the server can do with a request."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Protocol = Literal["openai", "anthropic"]


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
    refusal: str | None = None  # said instead of the text, by a model that refuses
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


Action = Say | Fault | Raw | Cut | Drop | Hang
Respond = Callable[[dict[str, Any], Protocol], Action]

_OPENAI_FAULTS: dict[FaultKind, tuple[int, dict[str, Any]]] = {
    "rate_limit": (
        429,
        {"message": "Rate limit reached for requests", "type": "requests", "code": "rate_limit_exceeded"},
    ),
    "quota": (
        429,
        {"message": "You exceeded your current quota", "type": "insufficient_quota", "code": "insufficient_quota"},
    ),
    "server": (500, {"message": "The server had an error", "type": "server_error", "code": None}),
    "overloaded": (503, {"message": "The engine is overloaded", "type": "server_error", "code": None}),
    "bad_key": (
        401,
        {"message": "Incorrect API key provided", "type": "invalid_request_error", "code": "invalid_api_key"},
    ),
    "not_found": (
        404,
        {"message": "The model does not exist", "type": "invalid_request_error", "code": "model_not_found"},
    ),
    "bad_request": (400, {"message": "Invalid value for 'temperature'", "type": "invalid_request_error", "code": None}),
    "content_filter": (
        400,
        {"message": "The prompt triggered content management policy", "type": None, "code": "content_filter"},
    ),
    "context_overflow": (
        400,
        {
            "message": "This model's maximum context length is 128000 tokens. Your messages resulted in 130011.",
            "type": "invalid_request_error",
            "param": "messages",
            "code": "context_length_exceeded",
        },
    ),
}
_ANTHROPIC_FAULTS: dict[FaultKind, tuple[int, dict[str, Any]]] = {
    "rate_limit": (429, {"type": "rate_limit_error", "message": "This request would exceed your rate limit"}),
    "quota": (400, {"type": "invalid_request_error", "message": "Your credit balance is too low to access the API"}),
    "server": (500, {"type": "api_error", "message": "Internal server error"}),
    "overloaded": (529, {"type": "overloaded_error", "message": "Overloaded"}),
    "bad_key": (401, {"type": "authentication_error", "message": "invalid x-api-key"}),
    "not_found": (404, {"type": "not_found_error", "message": "model: no-such-model"}),
    "bad_request": (400, {"type": "invalid_request_error", "message": "temperature: range: 0..1"}),
    "content_filter": (
        400,
        {"type": "invalid_request_error", "message": "Output blocked by content filtering policy"},
    ),
    "context_overflow": (
        400,
        {"type": "invalid_request_error", "message": "prompt is too long: 210024 tokens > 200000 maximum"},
    ),
}


def answer(action: Say, body: Mapping[str, Any], protocol: Protocol) -> bytes:
    """The JSON of a proper answer."""
    model = action.model or body.get("model", "")
    built = _openai_answer(action, model) if protocol == "openai" else _anthropic_answer(action, model)
    return json.dumps(built).encode()


def fault(action: Fault, protocol: Protocol) -> tuple[int, bytes]:
    """Status and JSON of an error answer."""
    status, error = (_OPENAI_FAULTS if protocol == "openai" else _ANTHROPIC_FAULTS)[action.kind]
    error = {**error, "message": f"{error['message']}{action.echo and ': '}{action.echo}"}
    built = {"error": error} if protocol == "openai" else {"type": "error", "error": error, "request_id": "req_1"}
    return status, json.dumps(built).encode()


def _openai_answer(action: Say, model: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": action.text, "refusal": action.refusal}
    if action.calls:
        message["tool_calls"] = [
            {
                "id": call.id or f"call_{number}",
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments),
                },
            }
            for number, call in enumerate(action.calls)
        ]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1700000000,
        "model": model,
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": action.stop or ("tool_calls" if action.calls else "stop"),
            }
        ],
        "usage": {
            "prompt_tokens": action.input_tokens,
            "completion_tokens": action.output_tokens,
            "total_tokens": action.input_tokens + action.output_tokens,
            "prompt_tokens_details": {"cached_tokens": action.cache_read},
        },
    }


def _anthropic_answer(action: Say, model: str) -> dict[str, Any]:
    said = action.refusal or action.text
    content: list[dict[str, Any]] = [{"type": "text", "text": said}] if said else []
    content += [
        {"type": "tool_use", "id": call.id or f"toolu_{number}", "name": call.name, "input": call.arguments}
        for number, call in enumerate(action.calls)
    ]
    natural = "refusal" if action.refusal else "tool_use" if action.calls else "end_turn"
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": action.stop or natural,
        "stop_sequence": None,
        "usage": {
            "input_tokens": action.input_tokens - action.cache_read - action.cache_write,
            "output_tokens": action.output_tokens,
            "cache_read_input_tokens": action.cache_read,
            "cache_creation_input_tokens": action.cache_write,
        },
    }
