"""The protocols that the server speaks, by name: how each says an answer, says a fault, and shows thoughts."""

import json
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from tests.server import anthropic, bedrock, gemini, openai, responses
from tests.server.actions import Fault, Protocol, Say
from tests.server.streams import events

_SPOKEN: Mapping[Protocol, ModuleType] = {
    "openai": openai,
    "openai-responses": responses,
    "anthropic": anthropic,
    "gemini": gemini,
    "bedrock": bedrock,
}

_SAID: Mapping[Protocol, str] = {
    "openai": "choices",
    "openai-responses": "output",
    "anthropic": "content",
    "gemini": "candidates",
    "bedrock": "output",
}


def answer(action: Say, body: Mapping[str, Any], protocol: Protocol) -> bytes:
    """The JSON of a proper answer, or its events where the request wants it in pieces."""
    built = _SPOKEN[protocol].answer(action, action.model or body.get("model", ""))
    if action.empty:
        del built[_SAID[protocol]]
    return events(built, protocol) if body.get("stream") else json.dumps(built).encode()


def fault(action: Fault, protocol: Protocol) -> tuple[int, bytes]:
    """Status and JSON of an error answer."""
    status, told = _SPOKEN[protocol].FAULTS[action.kind]
    told = {**told, "message": f"{told['message']}{action.echo and ': '}{action.echo}"}
    return status, json.dumps(_SPOKEN[protocol].error(status, told)).encode()


def thoughts(body: dict[str, Any], protocol: Protocol) -> list[Any]:
    """What the request brings back of the thoughts that led to its tool calls; None where one is missing."""
    found: list[Any] = _SPOKEN[protocol].thoughts(body)
    return found


def proof(thought: str, protocol: Protocol) -> str:
    """What of a thought must come back with the calls that it led to."""
    return str(_SPOKEN[protocol].proof(thought))


def tool_names(body: dict[str, Any], protocol: Protocol) -> list[str]:
    names: list[str] = _SPOKEN[protocol].tool_names(body)
    return names
