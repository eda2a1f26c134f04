"""The OpenAI chat completions protocol: requests to JSON, JSON to replies."""

from collections.abc import Mapping
from typing import Any

from .json import NothingUsableError, count, dump, items, text_of, word
from .types import UNNAMED, Message, Reply, Request, Stop, Tool, ToolCall, Usage

_STOPS: dict[str, Stop] = {
    "stop": "end",
    "tool_calls": "tools",
    "function_call": "tools",
    "length": "length",
    "content_filter": "filter",
}


def request_fields(request: Request, *, max_tokens_field: str = "max_tokens") -> dict[str, Any]:
    """All of a request but its tools, in the protocol's words."""
    fields: dict[str, Any] = {"messages": [_message(message) for message in request.messages]}
    if request.tool_choice is not None:
        fields["tool_choice"] = {"type": "function", "function": {"name": request.tool_choice}}
    if request.temperature is not None:
        fields["temperature"] = request.temperature
    if request.max_tokens is not None:
        fields[max_tokens_field] = request.max_tokens
    if request.seed is not None:
        fields["seed"] = request.seed
    return fields


def tool_fields(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def read_reply(data: Mapping[str, Any]) -> Reply:
    """The reply. Raises `NothingUsableError` where there is neither text nor call nor a plain end."""
    choices = items(data.get("choices"))
    message = choices[0].get("message") if choices else None
    if not isinstance(message, dict) or not message:
        raise NothingUsableError("no message in choices[0]")
    written = items(message.get("tool_calls"))
    calls = tuple(_call(one, number) for number, one in enumerate(written))
    refusal = message.get("refusal")
    text = text_of(message.get("content")) or (refusal if isinstance(refusal, str) else "")
    if not calls and not text and not choices[0].get("finish_reason"):
        raise NothingUsableError("an empty message that does not say why it ended")
    stop = _STOPS.get(word(choices[0].get("finish_reason")), "other")
    if refusal:
        stop = "filter"
    elif calls and stop in {"end", "other"}:  # a forced call ends with "stop" at some providers
        stop = "tools"
    return Reply(
        text=text,
        tool_calls=calls,
        stop=stop,
        usage=_usage(data.get("usage")),
        model=word(data.get("model")),
    )


def _message(message: Message) -> dict[str, Any]:
    fields: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.tool_calls:
        fields["content"] = message.text or None
        fields["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        fields["tool_call_id"] = message.tool_call_id
    return fields


def _call(written: Mapping[str, Any], number: int) -> ToolCall:
    """A call without a name is one all the same: of a tool that there is not."""
    told = written.get("function")
    function = told if isinstance(told, dict) else {}
    name = function.get("name")
    arguments = function.get("arguments")
    if not isinstance(arguments, str):  # some servers give the object itself
        arguments = "" if arguments is None else dump(arguments)
    identifier = written.get("id")
    return ToolCall(
        id=identifier if isinstance(identifier, str) and identifier else f"call_{number}",
        name=name if isinstance(name, str) and name else UNNAMED,
        arguments=arguments,
    )


def _usage(data: Any) -> Usage | None:
    if not isinstance(data, dict):
        return None
    given, taken = count(data.get("prompt_tokens")), count(data.get("completion_tokens"))
    if given is None or taken is None:
        return None
    details = data.get("prompt_tokens_details")
    cached = count(details.get("cached_tokens")) if isinstance(details, dict) else None
    return Usage(
        input_tokens=given,
        output_tokens=taken,
        cache_read_tokens=cached or 0,
        # not OpenAI's own: LiteLLM tells it of the providers that charge for it
        cache_write_tokens=count(data.get("cache_creation_input_tokens")) or 0,
    )
