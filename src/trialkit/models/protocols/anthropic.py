"""The Anthropic messages protocol. It knows no seed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from trialkit.models.files import PDF, PICTURES_AND_PDF, File
from trialkit.models.output import HELD, closed
from trialkit.models.types import Message, Reasoning, Reply, Request, StopReason, Tool, ToolCall
from trialkit.text.json import Json, JsonObject, dump, items, load, members, word
from trialkit.vocabulary import Usage

from . import streams
from .base import ModelAddress, NothingUsableError, Protocol, counted, text_of, tokens, tool_call

_VERSION = "2023-06-01"
_MAX_TOKENS = 4096  # the protocol demands a number
_LEAST_BUDGET = 1024
#: What marks the end of what Anthropic keeps for five minutes: written at 1.25 times the price, read at a tenth.
_KEPT: JsonObject = {"type": "ephemeral"}
#: Characters: fewer than about 1,024 tokens are not kept. A parameter of a tool takes about so many.
_CACHED = 4 * 1024
_SCHEMA = 60
#: Claude up to 4.5 is told how many tokens it may think with; later ones how much effort to make.
_BUDGETED = re.compile(r"claude-(?:\d|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8}|@|$))")
_BUDGETS: dict[str, int] = {"low": 2048, "medium": 8192, "high": 16384}
_STOPS: dict[str, StopReason] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tools",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "filter",
}
#: Blocks that are text or calls in a reply; the others, thoughts with their signatures, go back as they came.
_READ = frozenset({"text", "tool_use"})
#: What stands for a user who has not said anything yet; text of nothing but white space is refused.
_SILENCE = "…"


class Anthropic(Protocol):
    name = "anthropic"
    base = "https://api.anthropic.com"
    base_variable = "ANTHROPIC_BASE_URL"
    key_variable = "ANTHROPIC_API_KEY"
    files = PICTURES_AND_PDF
    stream = streams.IN_PIECES

    def tidy(self, base: str) -> str:
        return base.removesuffix("/v1")

    def url(self, to: ModelAddress) -> str:
        return f"{to.base}/v1/messages"

    def headers(self, to: ModelAddress) -> dict[str, str]:
        return {"anthropic-version": _VERSION, **({"x-api-key": to.key} if to.key else {})}

    def fields(self, request: Request, to: ModelAddress) -> dict[str, object]:
        thoughts = _thoughts_in(request.reasoning)
        fields: dict[str, object] = {
            "model": to.model,
            "max_tokens": (request.max_tokens or _MAX_TOKENS) + thoughts,
            "messages": self._messages(request.messages),
        }
        said = [message.text for message in request.messages if message.role == "system"]
        if request.tool_choice is not None and request.reasoning is None:
            fields["tool_choice"] = {"type": "tool", "name": request.tool_choice}
        elif request.tool_choice is not None:
            said.append(f"Answer with one call of {request.tool_choice}, and with nothing else.")
        if system := "\n\n".join(said):
            fields["system"] = _marked(system) if _is_long(system, request.tools) else system
        _mark_growing(fields, request)
        if request.temperature is not None:
            fields["temperature"] = request.temperature
        if request.top_p is not None:
            fields["top_p"] = request.top_p
        config: dict[str, object] = {}
        if request.output is not None:
            config["format"] = {"type": "json_schema", "schema": _held(request.output)}
        if isinstance(request.reasoning, int) or (thoughts and _BUDGETED.search(to.model)):
            fields["thinking"] = {"type": "enabled", "budget_tokens": thoughts}
        elif request.reasoning is not None:
            fields["thinking"] = {"type": "adaptive"}
            config["effort"] = request.reasoning
        return {**fields, "output_config": config} if config else fields

    def untaken(self, request: Request, to: ModelAddress) -> frozenset[str]:  # noqa: ARG002 - whoever it is
        return frozenset() if request.reasoning is None else frozenset({"temperature", "top_p"})

    def reasoning_fault(self, reasoning: Reasoning) -> str:
        least = isinstance(reasoning, int) and reasoning < _LEAST_BUDGET
        return f"Claude thinks with at least {_LEAST_BUDGET:,} tokens" if least else ""

    def holds(self, output: JsonObject) -> bool:
        return _held(output) is not None

    def tools(self, tools: Sequence[Tool]) -> list[dict[str, object]]:
        return [{"name": one.name, "description": one.description, "input_schema": one.parameters} for one in tools]

    def reply(self, data: JsonObject) -> Reply:
        content = data.get("content")
        if not isinstance(content, list):
            raise NothingUsableError("no list of content")
        blocks = items(content)
        if not blocks and "stop_reason" not in data:
            raise NothingUsableError("an empty message that does not say why it ended")
        written = [block for block in blocks if block.get("type") == "tool_use"]
        return Reply(
            text=text_of(blocks),
            tool_calls=tuple(_call(one, number) for number, one in enumerate(written)),
            stop=_STOPS.get(word(data.get("stop_reason")), "other"),
            model=word(data.get("model")),
            state={self.name: kept} if (kept := _thoughts(blocks)) else None,
        )

    def joined(self, events: Sequence[JsonObject]) -> JsonObject:
        return streams.message(events)

    def usage(self, data: JsonObject) -> Usage | None:
        told = members(data.get("usage"))
        read, write = told.get("cache_read_input_tokens"), told.get("cache_creation_input_tokens")
        parts = [tokens(0 if part is None else part) for part in (read, write)]
        plain = tokens(told.get("input_tokens"))  # what is not cached
        given = None if plain is None or None in parts else plain + sum(part or 0 for part in parts)
        thought = members(told.get("output_tokens_details")).get("thinking_tokens")
        return counted(given, told.get("output_tokens"), read=read, write=write, thought=thought)

    def _messages(self, messages: tuple[Message, ...]) -> list[JsonObject]:
        """Turns of strictly alternating roles, as the protocol wants them: neighbours of one role become one."""
        turns: list[JsonObject] = []
        for message in messages:
            blocks = self._blocks(message)
            if not blocks:
                continue
            role = "assistant" if message.role == "assistant" else "user"
            if turns and turns[-1]["role"] == role:
                turns[-1]["content"] += blocks
            else:
                turns.append({"role": role, "content": blocks})
        if turns and turns[0]["role"] == "assistant":  # an agent that greets; the protocol lets the user begin
            turns.insert(0, {"role": "user", "content": [{"type": "text", "text": _SILENCE}]})
        return turns

    def _blocks(self, message: Message) -> list[JsonObject]:
        """Thoughts stand where they stood: the API takes no other order."""
        blocks = _blocks(message)
        if blocks:  # thoughts alone are refused
            for one in items(self.kept(message)):
                blocks.insert(one["at"], one["block"])
        return blocks


def _blocks(message: Message) -> list[JsonObject]:
    if message.role == "system":
        return []
    if message.role == "tool":
        return [{"type": "tool_result", "tool_use_id": message.tool_call_id or "", "content": message.text}]
    blocks: list[JsonObject] = [*map(_file, message.files)]  # models read better what comes before the question
    if message.text.strip():  # text of nothing but white space is refused by the API
        blocks.append({"type": "text", "text": message.text})
    blocks += [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": _input(call.arguments)}
        for call in message.tool_calls
    ]
    return blocks


def _file(file: File) -> JsonObject:
    source = {"type": "base64", "media_type": file.media_type, "data": file.base64()}
    return {"type": "document" if file.media_type == PDF else "image", "source": source}


def _is_long(system: str, tools: Sequence[Tool]) -> bool:
    """Whether what all requests of a role begin with is worth keeping at Anthropic, counted roughly."""
    known = sum(len(tool.description) + _SCHEMA * len(tool.parameters.get("properties", ())) for tool in tools)
    return len(system) + known >= _CACHED


def _marked(text: str) -> list[JsonObject]:
    return [{"type": "text", "text": text, "cache_control": _KEPT}]


def _mark_growing(fields: Mapping[str, Any], request: Request) -> None:
    """Of a conversation that is under way all is kept, for the next request begins with it. A mark on a thought is
    refused, and each turn of the user's ends with something else."""
    turns = fields["messages"]
    under_way = any(message.role == "assistant" for message in request.messages)
    if not under_way or not turns or turns[-1]["role"] != "user":
        return
    if len(dump(turns)) + len(dump(fields.get("system", ""))) >= _CACHED:
        turns[-1]["content"][-1]["cache_control"] = _KEPT


def _thoughts_in(reasoning: Reasoning | None) -> int:
    """Tokens to think with, which count as part of a reply."""
    return _BUDGETS[reasoning] if isinstance(reasoning, str) else reasoning or 0


def _held(output: JsonObject) -> JsonObject | None:
    return closed(output, HELD, complete=False)


def _input(arguments: str) -> dict[str, object]:
    """The protocol takes objects only: what the model wrote otherwise goes back to it as the text that it was."""
    value = load(arguments)
    return value if isinstance(value, dict) else {"arguments": arguments}


def _thoughts(blocks: Sequence[JsonObject]) -> Json:
    return [{"at": at, "block": dict(one)} for at, one in enumerate(blocks) if word(one.get("type")) not in _READ]


def _call(block: JsonObject, number: int) -> ToolCall:
    written = block.get("input")
    return tool_call(block.get("id"), block.get("name"), {} if written is None else written, number)


ANTHROPIC = Anthropic()
