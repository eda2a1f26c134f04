"""Anthropic's messages, as its API answers."""

import hashlib
from typing import Any

from tests.server.actions import FaultKind, Say

FAULTS: dict[FaultKind, tuple[int, dict[str, Any]]] = {
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


def answer(action: Say, model: str) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if action.thought is not None:
        content.append({"type": "thinking", "thinking": action.thought, "signature": signature(action.thought)})
    said = action.refusal or action.text
    if said:
        content.append({"type": "text", "text": said})
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


def error(_status: int, told: dict[str, Any]) -> dict[str, Any]:
    return {"type": "error", "error": told, "request_id": "req_1"}


def signature(thought: str) -> str:
    return hashlib.sha256(thought.encode()).hexdigest()


def tool_names(body: dict[str, Any]) -> list[str]:
    return [tool["name"] for tool in body.get("tools") or []]


def proof(thought: str) -> str:
    """What must come back of a thought."""
    return thought


def thoughts(body: dict[str, Any]) -> list[Any]:
    """The thought of each turn that calls tools, where it comes first and is signed; None where it is missing."""
    turns = [turn["content"] for turn in body["messages"] if turn["role"] == "assistant"]
    return [_thought(turn[0]) for turn in turns if any(block["type"] == "tool_use" for block in turn)]


def _thought(block: dict[str, Any]) -> Any:
    thought = block.get("thinking", "")
    return thought if block.get("signature") == signature(thought) else None
