"""Gemini's generateContent, as its API answers."""

import hashlib
from typing import Any

from tests.server.actions import FaultKind, Say

FAULTS: dict[FaultKind, tuple[int, dict[str, Any]]] = {
    "rate_limit": (429, {"message": "You exceeded your current quota", "status": "RESOURCE_EXHAUSTED"}),
    "quota": (400, {"message": "Please enable billing on your project", "status": "FAILED_PRECONDITION"}),
    "server": (500, {"message": "An internal error has occurred", "status": "INTERNAL"}),
    "overloaded": (503, {"message": "The model is overloaded", "status": "UNAVAILABLE"}),
    "bad_key": (
        400,
        {"message": "API key not valid", "status": "INVALID_ARGUMENT", "details": [{"reason": "API_KEY_INVALID"}]},
    ),
    "not_found": (404, {"message": "models/none is not found for API version v1beta", "status": "NOT_FOUND"}),
    "bad_request": (400, {"message": "Invalid value at generation_config.temperature", "status": "INVALID_ARGUMENT"}),
    "content_filter": (400, {"message": "Blocked by content filtering policy", "status": "INVALID_ARGUMENT"}),
    "context_overflow": (
        400,
        {"message": "The input token count (1100000) exceeds the maximum (1048576).", "status": "INVALID_ARGUMENT"},
    ),
}


def answer(action: Say, model: str) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": action.text}] if action.text else []
    parts += [
        {"functionCall": {"id": call.id or f"fc_{number}", "name": call.name, "args": call.arguments}}
        for number, call in enumerate(action.calls)
    ]
    if action.thought is not None and parts:
        parts[-1]["thoughtSignature"] = signature(action.thought)
        parts.insert(0, {"text": action.thought, "thought": True})
    return {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": action.stop or "STOP"}],
        "usageMetadata": {
            "promptTokenCount": action.input_tokens,
            "candidatesTokenCount": action.output_tokens,
            "cachedContentTokenCount": action.cache_read,
        },
        "modelVersion": model,
    }


def error(status: int, told: dict[str, Any]) -> dict[str, Any]:
    return {"error": {"code": status, **told}}


def signature(thought: str) -> str:
    return hashlib.sha256(thought.encode()).hexdigest()


def tool_names(body: dict[str, Any]) -> list[str]:
    return [one["name"] for tool in body.get("tools") or [] for one in tool["functionDeclarations"]]


def proof(thought: str) -> str:
    """What must come back of a thought."""
    return signature(thought)


def thoughts(body: dict[str, Any]) -> list[Any]:
    """The signature on the last part of each turn that calls tools; None where it is missing."""
    turns = [turn["parts"] for turn in body["contents"] if turn["role"] == "model"]
    return [turn[-1].get("thoughtSignature") for turn in turns if "functionCall" in turn[-1]]
