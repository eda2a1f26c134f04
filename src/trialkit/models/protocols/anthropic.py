"""The Anthropic messages protocol. It knows no seed."""

from collections.abc import Sequence

from trialkit.models.types import Message, Reply, Request, StopReason, Tool, ToolCall
from trialkit.text.json import Json, JsonObject, items, load, members, word
from trialkit.vocabulary import Usage

from .base import ModelAddress, NothingUsableError, Protocol, counted, text_of, tokens, tool_call

_VERSION = "2023-06-01"
_MAX_TOKENS = 4096  # the protocol demands a number
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

    def tidy(self, base: str) -> str:
        return base.removesuffix("/v1")

    def url(self, to: ModelAddress) -> str:
        return f"{to.base}/v1/messages"

    def headers(self, to: ModelAddress) -> dict[str, str]:
        return {"anthropic-version": _VERSION, **({"x-api-key": to.key} if to.key else {})}

    def fields(self, request: Request, to: ModelAddress) -> dict[str, object]:
        fields: dict[str, object] = {
            "model": to.model,
            "max_tokens": request.max_tokens or _MAX_TOKENS,
            "messages": self._messages(request.messages),
        }
        system = "\n\n".join(message.text for message in request.messages if message.role == "system")
        if system:
            fields["system"] = system
        if request.tool_choice is not None:
            fields["tool_choice"] = {"type": "tool", "name": request.tool_choice}
        if request.temperature is not None:
            fields["temperature"] = request.temperature
        return fields

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

    def usage(self, data: JsonObject) -> Usage | None:
        told = members(data.get("usage"))
        read, write = told.get("cache_read_input_tokens"), told.get("cache_creation_input_tokens")
        parts = [tokens(0 if part is None else part) for part in (read, write)]
        plain = tokens(told.get("input_tokens"))  # what is not cached
        given = None if plain is None or None in parts else plain + sum(part or 0 for part in parts)
        return counted(given, told.get("output_tokens"), read=read, write=write)

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
    # text of nothing but white space is refused by the API
    blocks: list[JsonObject] = [{"type": "text", "text": message.text}] if message.text.strip() else []
    blocks += [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": _input(call.arguments)}
        for call in message.tool_calls
    ]
    return blocks


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
