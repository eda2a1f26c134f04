"""The messages between trialkit and an agent outside of it; docs/agents.md describes them.

Every message of trialkit's gets exactly one answer, with the same number `n`, so that an answer out of turn is noticed.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from trialkit.errors import ModelErrorKind
from trialkit.models import Tool, ToolCall
from trialkit.text.json import JsonError, dump, parse
from trialkit.text.short import shortened, shown
from trialkit.text.shown import one_line

VERSION = 1

AnswerType = Literal["ready", "reply", "calls", "ended"]
#: What may come back to each message.
_EXPECTED: Mapping[str, tuple[AnswerType, ...]] = {
    "start": ("ready",),
    "user": ("reply", "calls"),
    "results": ("reply", "calls"),
    "end": ("ended",),
}
_SHOWN = 200
_LONGEST_LABEL = 100
#: More than any answer takes: a figure beyond these is a mistake, and would drown all the others.
_MOST_TOKENS, _MOST_DOLLARS = 10**12, 10**6


class ProtocolError(ValueError):
    """An answer that breaks the protocol; the message says how."""


class AgentFault(Exception):  # noqa: N818 - the agent's own word for it
    """The agent answered that it cannot go on. `spent` and `notes`: as in any answer."""

    def __init__(
        self,
        kind: ModelErrorKind,
        message: str,
        *,
        spent: "tuple[Spent, ...] | None" = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.spent = spent
        self.notes = notes


@dataclass(frozen=True, kw_only=True, slots=True)
class Spent:
    """What an answer took, all of it or one part of the agent's. None: not told."""

    role: str
    model: str
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int  # of the input
    cost: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    type: AnswerType
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    name: str = ""
    version: str = ""
    mode: str = ""
    tools: tuple[str, ...] | None = None  # None: whichever there are
    spent: tuple[Spent, ...] | None = None  # None: not told
    notes: tuple[str, ...] = ()


def line(message: Mapping[str, object]) -> str:
    """One line, whatever the texts hold."""
    return dump(message)


def start(*, policy: str, tools: Sequence[Tool], greeting: str, settings: Mapping[str, object]) -> dict[str, object]:
    offered = [{"name": tool.name, "description": tool.description, "parameters": tool.parameters} for tool in tools]
    return {
        "type": "start",
        "protocol": VERSION,
        "policy": policy,
        "tools": offered,
        "greeting": greeting,
        "settings": dict(settings),
    }


def read_answer(text: str, to: Mapping[str, object]) -> Answer:
    """The answer in a line, to that message. Raises `ProtocolError`, and `AgentFault` for an `error`."""
    return _read(_object(text), to)


def _read(data: Mapping[str, Any], to: Mapping[str, Any]) -> Answer:
    if data.get("n") != to["n"] or isinstance(data["n"], bool):
        got = data.get("n")
        raise ProtocolError(f'answered with "n": {shown(got)} to message {to["n"]}: out of turn, or "n" was not copied')
    expected = _EXPECTED[to["type"]]
    if data.get("type") == "error":
        raise _fault(data)
    if data.get("type") not in expected:
        wanted = " or ".join(f'"{name}"' for name in expected)
        raise ProtocolError(f'answered "{to["type"]}" with the type {shown(data.get("type"))} instead of {wanted}')
    if data["type"] == "ready" and data.get("protocol") != VERSION:
        raise ProtocolError(f"speaks protocol {shown(data.get('protocol'))}; this trialkit speaks {VERSION}")
    calls = _calls(data.get("calls"), to["n"]) if data["type"] == "calls" else ()
    if data["type"] == "reply" and "text" not in data:
        raise ProtocolError('sent a "reply" without "text"')
    return Answer(
        type=data["type"],
        text=_text(data, "text"),
        calls=calls,
        name=_label(data, "name"),
        version=_label(data, "version"),
        mode=_label(data, "mode"),
        tools=_texts(data, "tools"),
        spent=_spent(data.get("usage")),
        notes=_texts(data, "notes") or (),
    )


def _object(text: str) -> dict[str, object]:
    try:
        data = parse(text, finite=True)
    except JsonError:
        raise ProtocolError(f"wrote what is not JSON: {shortened(text, _SHOWN)!r}") from None
    if not isinstance(data, dict):
        raise ProtocolError(f"wrote what is not a JSON object: {shortened(text, _SHOWN)!r}")
    return data


def _fault(data: Mapping[str, object]) -> AgentFault:
    kinds: tuple[ModelErrorKind, ...] = get_args(ModelErrorKind)
    kind: ModelErrorKind = next((kind for kind in kinds if kind == data.get("kind")), "server")
    return AgentFault(
        kind,
        one_line(_text(data, "message")) or "the agent did not say why",
        spent=_spent(data.get("usage")),
        notes=_texts(data, "notes") or (),
    )


def _text(data: Mapping[str, object], name: str) -> str:
    value = data.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ProtocolError(f'sent "{name}" that is not text: {shown(value, _SHOWN)}')
    return value


def _label(data: Mapping[str, object], name: str) -> str:
    """A text that stands in tables and in names of files."""
    return one_line(_text(data, name))[:_LONGEST_LABEL]


def _texts(data: Mapping[str, object], name: str) -> tuple[str, ...] | None:
    value = data.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ProtocolError(f'sent "{name}" that is not a list of texts: {shown(value, _SHOWN)}')
    return tuple(value)


def _calls(value: object, n: int) -> tuple[ToolCall, ...]:
    if not isinstance(value, list) or not value:
        raise ProtocolError('sent "calls" without a list of calls in it')
    return tuple(_call(one, f"call_{n}_{number}") for number, one in enumerate(value))


def _call(value: object, name_without: str) -> ToolCall:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        raise ProtocolError(f'sent a call without a "name": {shown(value, _SHOWN)}')
    arguments = value.get("arguments", {})
    if isinstance(arguments, dict):
        arguments = json.dumps(arguments, ensure_ascii=False)
    elif not isinstance(arguments, str):
        raise ProtocolError(f'sent "arguments" that are neither an object nor text: {shown(arguments, _SHOWN)}')
    return ToolCall(id=_text(value, "id") or name_without, name=value["name"], arguments=arguments)


def _spent(value: object) -> tuple[Spent, ...] | None:
    if value is None:
        return None
    parts = value if isinstance(value, list) else [value]
    return tuple(_part(part) for part in parts)


def _part(value: object) -> Spent:
    if not isinstance(value, dict):
        raise ProtocolError(f'sent "usage" that is not an object: {shown(value, _SHOWN)}')
    return Spent(
        role=_label(value, "role"),
        model=_label(value, "model"),
        input_tokens=_tokens(value, "input_tokens"),
        output_tokens=_tokens(value, "output_tokens"),
        cache_read_tokens=_tokens({"cache_read_tokens": 0, **value}, "cache_read_tokens"),
        cost=_cost(value.get("cost")),
    )


def _tokens(value: Mapping[str, object], name: str) -> int:
    count = value.get(name)
    if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= _MOST_TOKENS:
        raise ProtocolError(f'sent "usage" whose "{name}" is not a count of tokens: {shown(count, _SHOWN)}')
    return count


def _cost(value: object) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= _MOST_DOLLARS:
        raise ProtocolError(f'sent a "cost" that is not a number of US dollars: {shown(value, _SHOWN)}')
    return float(value)
