"""OpenAI's chat completions, as its servers answer."""

import json
from typing import Any

from tests.server.actions import FaultKind, Say

FAULTS: dict[FaultKind, tuple[int, dict[str, Any]]] = {
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


def answer(action: Say, model: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": action.text, "refusal": action.refusal}
    if action.thought is not None:
        message["reasoning_content"] = action.thought
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
            "completion_tokens_details": {"reasoning_tokens": action.reasoning_tokens},
        },
    }


def error(_status: int, told: dict[str, Any]) -> dict[str, Any]:
    return {"error": told}


def tool_names(body: dict[str, Any]) -> list[str]:
    return [tool["function"]["name"] for tool in body.get("tools") or []]


def proof(thought: str) -> str:
    """What must come back of a thought."""
    return thought


def thoughts(body: dict[str, Any]) -> list[Any]:
    """The thought of each message that calls tools; None where it is missing."""
    return [message.get("reasoning_content") for message in body["messages"] if message.get("tool_calls")]
