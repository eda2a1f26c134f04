"""OpenAI's Responses, as its servers answer."""

import hashlib
import json
from typing import Any

from tests.server.actions import Say
from tests.server.openai import FAULTS, error

__all__ = ["FAULTS", "answer", "error", "proof", "thoughts", "tool_names"]


def answer(action: Say, model: str) -> dict[str, Any]:
    output: list[dict[str, Any]] = []
    if action.thought is not None:
        sealed: dict[str, Any] = {"encrypted_content": proof(action.thought), "summary": [], "status": None}
        output.append({"type": "reasoning", "id": f"rs_{proof(action.thought)}", **sealed})
    if action.text or action.refusal:
        said: dict[str, Any] = {"type": "output_text", "text": action.text, "annotations": []}
        part = {"type": "refusal", "refusal": action.refusal} if action.refusal else said
        status = {"id": "msg_1", "role": "assistant", "status": "completed"}
        output.append({"type": "message", **status, "content": [part]})
    output += [
        {
            "type": "function_call",
            "id": f"fc_{number}",
            "call_id": call.id or f"call_{number}",
            "name": call.name,
            "arguments": call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments),
            "status": "completed",
        }
        for number, call in enumerate(action.calls)
    ]
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1700000000,
        "status": "incomplete" if action.stop else "completed",
        "incomplete_details": {"reason": action.stop} if action.stop else None,
        "error": None,
        "model": model,
        "output": output,
        "usage": {
            "input_tokens": action.input_tokens,
            "input_tokens_details": {"cached_tokens": action.cache_read, "cache_write_tokens": action.cache_write},
            "output_tokens": action.output_tokens,
            "output_tokens_details": {"reasoning_tokens": action.reasoning_tokens},
            "total_tokens": action.input_tokens + action.output_tokens,
        },
    }


def tool_names(body: dict[str, Any]) -> list[str]:
    return [tool["name"] for tool in body.get("tools") or []]


def proof(thought: str) -> str:
    """What must come back of a thought."""
    return hashlib.sha256(thought.encode()).hexdigest()


def thoughts(body: dict[str, Any]) -> list[Any]:
    """What was thought before each turn that calls tools; None where it is missing."""
    found: list[Any] = []
    held, calling = None, False
    for item in body["input"]:
        kind = item.get("type", "message")
        if kind == "reasoning":
            held = item["encrypted_content"]
        elif kind == "function_call":
            found += [] if calling else [held]
        elif item.get("role") != "assistant":
            held = None
        calling = kind == "function_call"
    return found
