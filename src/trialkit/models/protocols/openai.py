"""The OpenAI chat completions protocol, which most servers speak."""

import re
from collections.abc import Mapping, Sequence

from trialkit.errors import ModelErrorKind
from trialkit.models.files import PDF, PICTURES_AND_PDF, File
from trialkit.models.output import HELD, closed
from trialkit.models.types import Message, Reasoning, Reply, Request, StopReason, Tool, ToolCall
from trialkit.text.json import JsonObject, items, members, word
from trialkit.vocabulary import Usage

from . import streams
from .base import ModelAddress, NothingUsableError, Protocol, counted, dollars, text_of, tool_call

_STOPS: dict[str, StopReason] = {
    "stop": "end",
    "tool_calls": "tools",
    "function_call": "tools",
    "length": "length",
    "content_filter": "filter",
}
#: What servers put into a message beside OpenAI's own fields, and want back as it was, even if it is empty: thoughts as
#: DeepSeek, Kimi, vLLM and Groq have them, as OpenRouter has them, and Anthropic's through a proxy of LiteLLM.
_THOUGHTS = ("reasoning_content", "reasoning", "reasoning_details", "thinking_blocks")
#: The same in a tool call: Gemini's signatures.
_SIGNED = "extra_content"
#: Models that take no other sampling than their own.
_REASONING = re.compile(r"(?:^|/)(?:o[134]|gpt-5)(?:-(?!chat)|$)")
_FIXED = frozenset({"temperature", "top_p"})
#: What OpenAI itself knows of a schema that is `strict`.
STRICT = HELD | {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"}


class OpenAI(Protocol):
    name = "openai"
    base = "https://api.openai.com/v1"
    base_variable = "OPENAI_BASE_URL"
    key_variable = "OPENAI_API_KEY"
    files = PICTURES_AND_PDF
    stream = streams.COUNTED

    def url(self, to: ModelAddress) -> str:
        return f"{to.base}/chat/completions"

    def headers(self, to: ModelAddress) -> dict[str, str]:
        return {"Authorization": f"Bearer {to.key}"} if to.key else {}

    def is_openais(self, to: ModelAddress) -> bool:
        """Whether OpenAI's own models answer there, not a server that speaks like them."""
        return to.base.startswith(OPENAI.base)

    def fields(self, request: Request, to: ModelAddress) -> dict[str, object]:
        fields: dict[str, object] = {
            "model": to.model,
            "messages": [self._message(message) for message in request.messages],
        }
        if request.tool_choice is not None:
            fields["tool_choice"] = _forced(request.tool_choice, request.tools)
        if request.temperature is not None:
            fields["temperature"] = request.temperature
        if request.top_p is not None:
            fields["top_p"] = request.top_p
        if request.reasoning is not None:
            fields |= _thinking(request.reasoning, to)
        if request.max_tokens is not None:
            newer = self.is_openais(to) or is_reasoning(to.model)  # other servers know the older name alone
            fields["max_completion_tokens" if newer else "max_tokens"] = request.max_tokens
        if request.seed is not None:
            fields["seed"] = request.seed
        if request.output is not None:
            strict = closed(request.output, STRICT, complete=True)
            named = {"name": "answer", "schema": strict or request.output, "strict": strict is not None}
            fields["response_format"] = {"type": "json_schema", "json_schema": named}
        return fields

    def untaken(self, request: Request, to: ModelAddress) -> frozenset[str]:  # noqa: ARG002 - whatever is asked
        return _FIXED if is_reasoning(to.model) else frozenset()

    def reasoning_fault(self, reasoning: Reasoning) -> str:
        return "" if isinstance(reasoning, str) else "such servers are told low, medium or high; --extra takes more"

    def holds(self, output: JsonObject) -> bool:  # noqa: ARG002 - any of them
        return True

    def tools(self, tools: Sequence[Tool]) -> list[dict[str, object]]:
        return [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
            }
            for tool in tools
        ]

    def reply(self, data: JsonObject) -> Reply:
        choices = items(data.get("choices"))
        message = members(choices[0].get("message")) if choices else {}
        if not message:
            raise NothingUsableError("no message in choices[0]")
        written = items(message.get("tool_calls"))
        calls = tuple(_call(one, number) for number, one in enumerate(written))
        refusal = word(message.get("refusal"))
        text = text_of(message.get("content")) or refusal
        ended = word(choices[0].get("finish_reason"))
        if not calls and not text and not ended:
            raise NothingUsableError("an empty message that does not say why it ended")
        stop = _STOPS.get(ended, "other")
        if refusal:
            stop = "filter"
        elif calls and stop in {"end", "other"}:  # a forced call ends with "stop" at some providers
            stop = "tools"
        kept = {name: message[name] for name in _THOUGHTS if message.get(name) is not None}
        signed = {call.id: one[_SIGNED] for call, one in zip(calls, written, strict=True) if one.get(_SIGNED)}
        state = {**kept, **({_SIGNED: signed} if signed else {})}
        return Reply(
            text=text,
            tool_calls=calls,
            stop=stop,
            model=word(data.get("model")),
            state={self.name: state} if state else None,
        )

    def joined(self, events: Sequence[JsonObject]) -> JsonObject:
        return streams.chat_completion(events)

    def usage(self, data: JsonObject) -> Usage | None:
        told = members(data.get("usage"))
        given = members(told.get("prompt_tokens_details"))
        return counted(
            told.get("prompt_tokens"),
            told.get("completion_tokens"),
            read=given.get("cached_tokens"),
            # LiteLLM's word for it, of all providers that charge for it; then OpenAI's own
            write=told.get("cache_creation_input_tokens", given.get("cache_write_tokens")),
            thought=members(told.get("completion_tokens_details")).get("reasoning_tokens"),
        )

    def cost(self, data: JsonObject, headers: Mapping[str, str]) -> float | None:
        told = dollars(members(data.get("usage")).get("cost"))  # OpenRouter's
        return super().cost(data, headers) if told is None else told

    def hint(self, kind: ModelErrorKind, said: str, to: ModelAddress) -> str:
        if kind == "not_found" and not to.base.endswith("/v1"):
            return " (the base URL of such a server usually ends in /v1)"
        return super().hint(kind, said, to)

    def _message(self, message: Message) -> dict[str, object]:
        fields: dict[str, object] = {"role": message.role, "content": message.text}
        if message.files:
            shown = [{"type": "text", "text": message.text}] if message.text else []
            fields["content"] = [*shown, *map(_part, message.files)]
        if message.tool_calls:
            fields["content"] = message.text or None
            fields["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in message.tool_calls
            ]
        if message.tool_call_id is not None:
            fields["tool_call_id"] = message.tool_call_id
        kept = self.kept(message)
        return _with_kept(fields, kept) if isinstance(kept, dict) else fields


def is_reasoning(model: str) -> bool:
    """Whether the model always thinks, by OpenAI's names. From gpt-5.1 on that is a matter of its effort."""
    return _REASONING.search(model) is not None


def _thinking(reasoning: Reasoning, to: ModelAddress) -> dict[str, object]:
    """A number of tokens is known to OpenRouter and LiteLLM alone, in forms of their own."""
    if isinstance(reasoning, str):
        return {"reasoning_effort": reasoning}
    if "openrouter.ai" in to.base:
        return {"reasoning": {"max_tokens": reasoning}}
    return {"thinking": {"type": "enabled", "budget_tokens": reasoning}}


def _forced(name: str, tools: Sequence[Tool]) -> object:
    """Of one tool it says the same, and is what llama.cpp's server understands."""
    return "required" if len(tools) == 1 else {"type": "function", "function": {"name": name}}


def _part(file: File) -> JsonObject:
    if file.media_type == PDF:  # it must have a name
        return {"type": "file", "file": {"filename": "document.pdf", "file_data": file.url()}}
    return {"type": "image_url", "image_url": {"url": file.url()}}


def _with_kept(fields: JsonObject, kept: JsonObject) -> dict[str, object]:
    signed = kept.get(_SIGNED, {})
    for call in fields.get("tool_calls", ()):
        if call["id"] in signed:
            call[_SIGNED] = signed[call["id"]]
    return {**fields, **{name: kept[name] for name in _THOUGHTS if name in kept}}


def _call(written: JsonObject, number: int) -> ToolCall:
    function = members(written.get("function") or written.get("custom"))
    arguments = function.get("arguments", function.get("input"))  # some servers give the object itself
    return tool_call(written.get("id"), function.get("name"), "" if arguments is None else arguments, number)


OPENAI = OpenAI()
