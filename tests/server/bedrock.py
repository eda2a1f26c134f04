"""Bedrock's Converse, as its API answers."""

import hashlib
from typing import Any

from tests.server.actions import FaultKind, Say

FAULTS: dict[FaultKind, tuple[int, dict[str, Any]]] = {
    "rate_limit": (429, {"message": "Too many requests, please wait before trying again."}),
    "quota": (403, {"message": "Model access is denied due to INVALID_PAYMENT_INSTRUMENT"}),
    "server": (500, {"message": "The system encountered an unexpected error during processing."}),
    "overloaded": (503, {"message": "Bedrock is unable to process your request."}),
    "bad_key": (403, {"message": "Authentication failed: the API key is not valid"}),
    "not_found": (404, {"message": "Could not resolve the foundation model from the provided model identifier."}),
    "bad_request": (400, {"message": "Malformed input request: temperature: 3 is not less or equal to 1"}),
    "content_filter": (400, {"message": "Output blocked by content filtering policy"}),
    "context_overflow": (400, {"message": "Input is too long for requested model."}),
}


def answer(action: Say, _model: str) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if action.thought is not None:
        thought = {"text": action.thought, "signature": signature(action.thought)}
        content.append({"reasoningContent": {"reasoningText": thought}})
    if action.text:
        content.append({"text": action.text})
    content += [
        {"toolUse": {"toolUseId": call.id or f"tooluse_{number}", "name": call.name, "input": call.arguments}}
        for number, call in enumerate(action.calls)
    ]
    return {
        "output": {"message": {"role": "assistant", "content": content}},
        "stopReason": action.stop or ("tool_use" if action.calls else "end_turn"),
        "usage": {
            "inputTokens": action.input_tokens - action.cache_read - action.cache_write,
            "outputTokens": action.output_tokens,
            "cacheReadInputTokens": action.cache_read,
            "cacheWriteInputTokens": action.cache_write,
        },
        "metrics": {"latencyMs": 1},
    }


def error(_status: int, told: dict[str, Any]) -> dict[str, Any]:
    return told


def signature(thought: str) -> str:
    return hashlib.sha256(thought.encode()).hexdigest()


def tool_names(body: dict[str, Any]) -> list[str]:
    return [tool["toolSpec"]["name"] for tool in body.get("toolConfig", {}).get("tools", [])]


def proof(thought: str) -> str:
    """What must come back of a thought."""
    return thought


def thoughts(body: dict[str, Any]) -> list[Any]:
    """The thought of each turn that calls tools, where it comes first and is signed; None where it is missing."""
    turns = [turn["content"] for turn in body["messages"] if turn["role"] == "assistant"]
    return [_thought(turn[0]) for turn in turns if any("toolUse" in block for block in turn)]


def _thought(block: dict[str, Any]) -> Any:
    told = block.get("reasoningContent", {}).get("reasoningText", {})
    return told["text"] if told and told["signature"] == signature(told["text"]) else None
