"""The move in whatever an agent's function gives: a text, a message, a whole completion of OpenAI's SDK, or a move."""

import json
from collections.abc import Mapping
from typing import Any

from trialkit.dialogue import Move
from trialkit.models import ToolCall

from .trial import AgentTrial


def read_move(given: object, trial: AgentTrial) -> Move:
    """What a completion took is told. TypeError where there is no move."""
    if isinstance(given, Move):
        return given
    if isinstance(given, str):
        return Move(text=given)
    if choices := part(given, "choices"):
        _tell_usage(given, trial)
        given = part(choices[0], "message")
    text, calls = part(given, "content"), part(given, "tool_calls")
    if not isinstance(text, str | None) or (text is None and not calls):
        raise TypeError(
            f"the agent gave {given!r:.80}: no text, no message with content or tool_calls, no trialkit.Move"
        )
    return Move(text=text or "", calls=tuple(_call(one, number) for number, one in enumerate(calls or ())))


def part(whole: object, name: str) -> Any:
    """Of a mapping or of an object; None where it has none."""
    return whole.get(name) if isinstance(whole, Mapping) else getattr(whole, name, None)


def _call(written: object, number: int) -> ToolCall:
    function = part(written, "function") or written
    name, arguments = part(function, "name"), part(function, "arguments")
    if not isinstance(name, str):
        raise TypeError(f"the agent gave the tool call {written!r:.80}, which has no name")
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments or {}, ensure_ascii=False)
    return ToolCall(id=part(written, "id") or f"call_{number}", name=name, arguments=arguments)


def _tell_usage(completion: object, trial: AgentTrial) -> None:
    usage = part(completion, "usage")
    if usage is None:
        return
    cached = part(part(usage, "prompt_tokens_details"), "cached_tokens") or 0
    trial.spent(
        part(usage, "prompt_tokens") or 0,
        part(usage, "completion_tokens") or 0,
        cache_read_tokens=cached,
        model=part(completion, "model") or "",
    )
