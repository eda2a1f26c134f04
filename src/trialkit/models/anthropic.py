"""The Anthropic messages protocol: requests to JSON, JSON to replies."""

from collections.abc import Mapping
from typing import Any

from .json import NothingUsableError, count, dump, items, load, text_of, word
from .types import UNNAMED, Message, Reply, Request, Stop, Tool, ToolCall, Usage

VERSION = "2023-06-01"
_MAX_TOKENS = 4096  # the protocol demands a number
_STOPS: dict[str, Stop] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tools",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "filter",
}
#: What stands for a user who has not said anything yet; text of nothing but white space is refused.
_SILENCE = "…"


def request_fields(request: Request) -> dict[str, Any]:
    """All of a request but its tools, in the protocol's words. It knows no seed."""
    fields: dict[str, Any] = {
        "max_tokens": request.max_tokens or _MAX_TOKENS,
        "messages": _messages(request.messages),
    }
    system = "\n\n".join(message.text for message in request.messages if message.role == "system")
    if system:
        fields["system"] = system
    if request.tool_choice is not None:
        fields["tool_choice"] = {"type": "tool", "name": request.tool_choice}
    if request.temperature is not None:
        fields["temperature"] = request.temperature
    return fields


def tool_fields(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}


def read_reply(data: Mapping[str, Any]) -> Reply:
    """The reply. Raises `NothingUsableError` where there is neither text nor call nor a plain end."""
    content = data.get("content")
    if not isinstance(content, list):
        raise NothingUsableError("no list of content")
    blocks = items(content)
    written = [block for block in blocks if block.get("type") == "tool_use"]
    calls = tuple(_call(one, number) for number, one in enumerate(written))
    text = text_of(blocks)
    if not blocks and "stop_reason" not in data:
        raise NothingUsableError("an empty message that does not say why it ended")
    return Reply(
        text=text,
        tool_calls=calls,
        stop=_STOPS.get(word(data.get("stop_reason")), "other"),
        usage=_usage(data.get("usage")),
        model=word(data.get("model")),
    )


def _messages(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """Turns of strictly alternating roles, as the protocol wants them: neighbours of one role become one."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        blocks = _blocks(message)
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


def _blocks(message: Message) -> list[dict[str, Any]]:
    if message.role == "system":
        return []
    if message.role == "tool":
        return [{"type": "tool_result", "tool_use_id": message.tool_call_id or "", "content": message.text}]
    # text of nothing but white space is refused by the API
    blocks: list[dict[str, Any]] = [{"type": "text", "text": message.text}] if message.text.strip() else []
    blocks += [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": _input(call.arguments)}
        for call in message.tool_calls
    ]
    return blocks


def _input(arguments: str) -> dict[str, Any]:
    """The protocol takes objects only: what the model wrote otherwise goes back to it as the text that it was."""
    value = load(arguments)
    return value if isinstance(value, dict) else {"arguments": arguments}


def _call(block: Mapping[str, Any], number: int) -> ToolCall:
    """A call without a name is one all the same: of a tool that there is not."""
    name, identifier = block.get("name"), block.get("id")
    written = block.get("input")
    return ToolCall(
        id=identifier if isinstance(identifier, str) and identifier else f"call_{number}",
        name=name if isinstance(name, str) and name else UNNAMED,
        arguments=written if isinstance(written, str) else dump({} if written is None else written),
    )


def _usage(data: Any) -> Usage | None:
    if not isinstance(data, dict):
        return None
    plain, taken = count(data.get("input_tokens")), count(data.get("output_tokens"))
    if plain is None or taken is None:
        return None
    read, write = count(data.get("cache_read_input_tokens")) or 0, count(data.get("cache_creation_input_tokens")) or 0
    return Usage(
        input_tokens=plain + read + write, output_tokens=taken, cache_read_tokens=read, cache_write_tokens=write
    )
