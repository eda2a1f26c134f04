"""OpenAI's Responses, of which nothing is stored there. A model that reasons gets its thoughts back, encrypted."""

import re
from collections.abc import Mapping, Sequence

from trialkit.models.files import PDF, PICTURES_AND_PDF, File
from trialkit.models.output import closed
from trialkit.models.types import Message, Reasoning, Reply, Request, StopReason, Tool, ToolCall
from trialkit.text.json import Json, JsonObject, items, members, word
from trialkit.vocabulary import Usage

from . import streams
from .base import ModelAddress, NothingUsableError, Protocol, counted, says, text_of, tool_call
from .openai import OPENAI, STRICT

#: Why an answer is not complete.
_CUT: dict[str, StopReason] = {"max_output_tokens": "length", "content_filter": "filter"}
_CALLS = frozenset({"function_call", "custom_tool_call"})
#: Models of OpenAI's that think before they answer, if only where they are told to.
_CAN_REASON = re.compile(r"(?:.*/)?(?:o\d|gpt-(?:[5-9]|\d\d)(?!.*-chat))")


class Responses(Protocol):
    name = "openai-responses"
    provider = OPENAI.name
    base = OPENAI.base
    base_variable = OPENAI.base_variable
    key_variable = OPENAI.key_variable
    files = PICTURES_AND_PDF
    stream = streams.IN_PIECES

    def url(self, to: ModelAddress) -> str:
        return f"{to.base}/responses"

    def headers(self, to: ModelAddress) -> dict[str, str]:
        return OPENAI.headers(to)

    def fields(self, request: Request, to: ModelAddress) -> dict[str, object]:
        fields: dict[str, object] = {
            "model": to.model,
            "input": [item for message in request.messages for item in self._items(message)],
            "store": False,
        }
        system = "\n\n".join(message.text for message in request.messages if message.role == "system")
        if system:
            fields["instructions"] = system
        if can_reason(to.model):  # the others refuse it
            fields["include"] = ["reasoning.encrypted_content"]
        if request.tool_choice is not None:
            fields["tool_choice"] = {"type": "function", "name": request.tool_choice}
        if request.temperature is not None:
            fields["temperature"] = request.temperature
        if request.top_p is not None:
            fields["top_p"] = request.top_p
        if request.reasoning is not None:
            fields["reasoning"] = {"effort": request.reasoning}
        if request.max_tokens is not None:
            fields["max_output_tokens"] = request.max_tokens
        if request.output is not None:
            strict = closed(request.output, STRICT, complete=True)
            held = {"name": "answer", "schema": strict or request.output, "strict": strict is not None}
            fields["text"] = {"format": {"type": "json_schema", **held}}
        return fields

    def untaken(self, request: Request, to: ModelAddress) -> frozenset[str]:
        return OPENAI.untaken(request, to)

    def reasoning_fault(self, reasoning: Reasoning) -> str:
        return OPENAI.reasoning_fault(reasoning)

    def holds(self, output: JsonObject) -> bool:  # noqa: ARG002 - any of them
        return True

    def tools(self, tools: Sequence[Tool]) -> list[dict[str, object]]:
        return [  # strict unless they say that they are not
            {
                "type": "function",
                "name": one.name,
                "description": one.description,
                "parameters": one.parameters,
                "strict": False,
            }
            for one in tools
        ]

    def reply(self, data: JsonObject) -> Reply:
        if word(data.get("status")) == "failed":
            raise NothingUsableError(word(members(data.get("error")).get("message")) or "it failed")
        output = items(data.get("output"))
        if not output and not ("output" in data and data.get("status")):
            raise NothingUsableError("no output")
        text, calls, refused = _said(output), _calls(output), _refusal(output)
        stop: StopReason = "end" if data.get("status") == "completed" else "other"
        if calls:
            stop = "tools"
        stop = _CUT.get(word(members(data.get("incomplete_details")).get("reason")), stop)
        return Reply(
            text=text,
            tool_calls=calls,
            stop="filter" if refused else stop,
            model=word(data.get("model")),
            state={self.name: _plain(output)} if any(one.get("type") == "reasoning" for one in output) else None,
        )

    def joined(self, events: Sequence[JsonObject]) -> JsonObject:
        return streams.response(events)

    def usage(self, data: JsonObject) -> Usage | None:
        told = members(data.get("usage"))
        given = members(told.get("input_tokens_details"))
        return counted(
            told.get("input_tokens"),
            told.get("output_tokens"),
            read=given.get("cached_tokens"),
            write=given.get("cache_write_tokens"),
            thought=members(told.get("output_tokens_details")).get("reasoning_tokens"),
        )

    def _items(self, message: Message) -> list[JsonObject]:
        if message.role == "system":
            return []
        if message.role == "tool":
            return [{"type": "function_call_output", "call_id": message.tool_call_id or "", "output": message.text}]
        calls = iter(message.tool_calls)
        kept = items(self.kept(message))
        if kept and says(message, _said(kept), _calls(kept)):
            return [{**one, "call_id": next(calls).id} if one.get("type") in _CALLS else dict(one) for one in kept]
        said: list[JsonObject] = []
        if message.text or message.files or not message.tool_calls:
            said.append({"role": message.role, "content": _content(message) if message.files else message.text})
        return said + [
            {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}
            for call in message.tool_calls
        ]


def can_reason(model: str) -> bool:
    return _CAN_REASON.match(model) is not None


def _content(message: Message) -> list[JsonObject]:
    shown = [{"type": "input_text", "text": message.text}] if message.text else []
    return [*shown, *map(_part, message.files)]


def _part(file: File) -> JsonObject:
    if file.media_type == PDF:  # it must have a name
        return {"type": "input_file", "filename": "document.pdf", "file_data": file.url()}
    return {"type": "input_image", "image_url": file.url(), "detail": "auto"}


def _parts(output: Sequence[JsonObject]) -> list[JsonObject]:
    return [part for one in output if one.get("type") == "message" for part in items(one.get("content"))]


def _refusal(output: Sequence[JsonObject]) -> str:
    return "".join(word(part.get("refusal")) for part in _parts(output))


def _said(output: Sequence[JsonObject]) -> str:
    return text_of(_parts(output)) or _refusal(output)


def _calls(output: Sequence[JsonObject]) -> tuple[ToolCall, ...]:
    called = [one for one in output if one.get("type") in _CALLS]
    return tuple(
        tool_call(one.get("call_id"), one.get("name"), one.get("arguments", one.get("input")) or "", number)
        for number, one in enumerate(called)
    )


def _plain(value: Json) -> Json:
    """As it came, but for what is null: that is not taken back."""
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items() if part is not None}
    return [_plain(part) for part in value] if isinstance(value, list) else value


RESPONSES = Responses()
