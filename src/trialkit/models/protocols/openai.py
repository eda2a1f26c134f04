"""The OpenAI chat completions protocol, which most servers speak."""

from collections.abc import Sequence

from trialkit.errors import ModelErrorKind
from trialkit.models.types import Message, Reply, Request, StopReason, Tool, ToolCall
from trialkit.text.json import JsonObject, items, members, word
from trialkit.vocabulary import Usage

from .base import ModelAddress, NothingUsableError, Protocol, counted, text_of, tool_call

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


class OpenAI(Protocol):
    name = "openai"
    base = "https://api.openai.com/v1"
    base_variable = "OPENAI_BASE_URL"
    key_variable = "OPENAI_API_KEY"

    def url(self, to: ModelAddress) -> str:
        return f"{to.base}/chat/completions"

    def headers(self, to: ModelAddress) -> dict[str, str]:
        return {"Authorization": f"Bearer {to.key}"} if to.key else {}

    def fields(self, request: Request, to: ModelAddress) -> dict[str, object]:
        fields: dict[str, object] = {
            "model": to.model,
            "messages": [self._message(message) for message in request.messages],
        }
        if request.tool_choice is not None:
            fields["tool_choice"] = {"type": "function", "function": {"name": request.tool_choice}}
        if request.temperature is not None:
            fields["temperature"] = request.temperature
        if request.max_tokens is not None:
            theirs = to.base.startswith("https://api.openai.com/")
            fields["max_completion_tokens" if theirs else "max_tokens"] = request.max_tokens
        if request.seed is not None:
            fields["seed"] = request.seed
        return fields

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

    def usage(self, data: JsonObject) -> Usage | None:
        told = members(data.get("usage"))
        return counted(
            told.get("prompt_tokens"),
            told.get("completion_tokens"),
            read=members(told.get("prompt_tokens_details")).get("cached_tokens"),
            # not OpenAI's own: LiteLLM tells it of the providers that charge for it
            write=told.get("cache_creation_input_tokens"),
        )

    def hint(self, kind: ModelErrorKind, said: str, to: ModelAddress) -> str:
        if kind == "not_found" and not to.base.endswith("/v1"):
            return " (the base URL of such a server usually ends in /v1)"
        return super().hint(kind, said, to)

    def _message(self, message: Message) -> dict[str, object]:
        fields: dict[str, object] = {"role": message.role, "content": message.text}
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


def _with_kept(fields: JsonObject, kept: JsonObject) -> dict[str, object]:
    signed = kept.get(_SIGNED, {})
    for call in fields.get("tool_calls", ()):
        if call["id"] in signed:
            call[_SIGNED] = signed[call["id"]]
    return {**fields, **{name: kept[name] for name in _THOUGHTS if name in kept}}


def _call(written: JsonObject, number: int) -> ToolCall:
    function = members(written.get("function"))
    arguments = function.get("arguments")  # some servers give the object itself
    return tool_call(written.get("id"), function.get("name"), "" if arguments is None else arguments, number)


OPENAI = OpenAI()
