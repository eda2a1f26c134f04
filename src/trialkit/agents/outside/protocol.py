"""The messages between trialkit and an agent outside of it; docs/agents.md describes them.

Every message of trialkit's gets exactly one answer, with the same number `n`, so that an answer out of turn is noticed.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, model_validator

from trialkit.errors import InputError, ModelErrorKind
from trialkit.models import Tool, ToolCall, Usage
from trialkit.text.checked import checked
from trialkit.text.json import JsonError, parse
from trialkit.text.short import shortened, shown
from trialkit.text.shown import one_line

T = TypeVar("T")

VERSION = 1
#: Bytes of an answer, as over HTTP so in a line.
LONGEST = 32 * 1024 * 1024
#: Of what an answer lists: more are an agent that has lost its way.
_MOST_LISTED = 1000

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


def _label(text: str) -> str:
    return one_line(text)[:_LONGEST_LABEL]


def _parts(value: object) -> object:
    return value if isinstance(value, list) else [value]


def _as_text(value: object) -> object:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value


#: It stands in tables and in names of files.
_Label = Annotated[str, AfterValidator(_label)]
_Tokens = Annotated[int, Field(ge=0, le=_MOST_TOKENS)]
_Dollars = Annotated[float, Field(ge=0, le=_MOST_DOLLARS)]


class _AnswerPart(BaseModel):
    """What is read of an answer, or a part of it; other fields are of later versions."""

    model_config = ConfigDict(strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: object) -> object:
        return {name: part for name, part in data.items() if part is not None} if isinstance(data, dict) else data


class Spent(_AnswerPart):
    """What an answer took, all of it or one part of the agent's."""

    role: _Label = ""
    model: _Label = ""
    input_tokens: _Tokens
    output_tokens: _Tokens
    cache_read_tokens: _Tokens = 0  # of the input
    cost: _Dollars | None = None  # None: not told
    calls: _Tokens | None = None  # of a model; None: not told

    @property
    def usage(self) -> Usage:
        return Usage(
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            cache_read_tokens=self.cache_read_tokens,
        )


class _Any(_AnswerPart):
    """What any answer may tell."""

    usage: Annotated[list[Spent] | None, Field(max_length=_MOST_LISTED), BeforeValidator(_parts)] = None  # not told
    notes: Annotated[list[str], Field(max_length=_MOST_LISTED)] = []


class _FaultAnswer(_Any):
    message: str = ""


class Answer(_Any):
    type: AnswerType
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    name: _Label = ""
    version: _Label = ""
    mode: _Label = ""
    tools: list[str] | None = None  # None: whichever there are


class _CallPart(_AnswerPart):
    id: str = ""
    name: str
    arguments: Annotated[str, BeforeValidator(_as_text)] = "{}"  # an object, or the text that a model wrote


_ANSWER, _FAULT = TypeAdapter(Answer), TypeAdapter(_FaultAnswer)
_CALLS = TypeAdapter(Annotated[list[_CallPart], Field(min_length=1, max_length=_MOST_LISTED, strict=True)])


class AgentFault(Exception):  # noqa: N818 - the agent's own word for it
    """The agent answered that it cannot go on. `usage` and `notes`: as in any answer."""

    def __init__(self, kind: ModelErrorKind, fault: _FaultAnswer) -> None:
        super().__init__(one_line(fault.message) or "the agent did not say why")
        self.kind = kind
        self.usage = fault.usage
        self.notes = fault.notes


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
    return _checked(_ANSWER, {**data, "calls": calls})


def _object(text: str) -> dict[str, Any]:
    try:
        data = parse(text, finite=True)
    except JsonError:
        raise ProtocolError(f"wrote what is not JSON: {shortened(text, _SHOWN)!r}") from None
    if not isinstance(data, dict):
        raise ProtocolError(f"wrote what is not a JSON object: {shortened(text, _SHOWN)!r}")
    return data


def _checked(kind: TypeAdapter[T], value: object, *place: str) -> T:
    try:
        return checked(kind, value, "sent what breaks the protocol", *place)
    except InputError as error:
        raise ProtocolError(str(error)) from None


def _fault(data: Mapping[str, Any]) -> AgentFault:
    kinds: tuple[ModelErrorKind, ...] = get_args(ModelErrorKind)
    kind: ModelErrorKind = next((kind for kind in kinds if kind == data.get("kind")), "server")
    return AgentFault(kind, _checked(_FAULT, data))


def _calls(value: object, n: int) -> tuple[ToolCall, ...]:
    calls = _checked(_CALLS, value, "calls")
    return tuple(
        ToolCall(id=call.id or f"call_{n}_{number}", name=call.name, arguments=call.arguments)
        for number, call in enumerate(calls)
    )
