"""Gemini's generateContent. A call may come without an id, and what was thought is signed part by part."""

import re
from collections.abc import Mapping, Sequence

from trialkit.errors import ModelErrorKind
from trialkit.models.files import PDF
from trialkit.models.output import in_words
from trialkit.models.types import Message, Reasoning, Reply, Request, StopReason, Tool, ToolCall
from trialkit.text.json import Json, JsonObject, items, load, members, word
from trialkit.vocabulary import Usage

from .base import ModelAddress, NothingUsableError, Protocol, counted, says, tokens, tool_call

_STOPS: dict[str, StopReason] = {
    "STOP": "end",
    "MAX_TOKENS": "length",
    "SAFETY": "filter",
    "RECITATION": "filter",
    "LANGUAGE": "filter",
    "BLOCKLIST": "filter",
    "PROHIBITED_CONTENT": "filter",
    "SPII": "filter",
    "MODEL_ARMOR": "filter",
}
_COUNTING = re.compile(r"gemini-[12]\b")
#: What Google's own OpenAI-compatible address makes of the words.
_BUDGETS = {"low": 1024, "medium": 8192, "high": 24576}
#: What stands for a user who has not said anything yet, and in an answer that said nothing: no turn may be empty.
_SILENCE: JsonObject = {"text": "…"}


class Gemini(Protocol):
    name = "gemini"
    base = "https://generativelanguage.googleapis.com/v1beta"
    base_variable = "GEMINI_BASE_URL"
    key_variable = "GEMINI_API_KEY"
    files = frozenset({"image/png", "image/jpeg", "image/webp", PDF})

    def url(self, to: ModelAddress) -> str:
        return f"{to.base}/models/{to.model}:generateContent"

    def headers(self, to: ModelAddress) -> dict[str, str]:
        return {"x-goog-api-key": to.key} if to.key else {}

    def fitted(self, request: Request) -> Request:
        fitted = super().fitted(request)
        return in_words(fitted) if fitted.output is not None and fitted.tools else fitted  # not both, up to Gemini 2.5

    def fields(self, request: Request, to: ModelAddress) -> dict[str, object]:
        config: dict[str, object] = {
            "temperature": request.temperature,
            "topP": request.top_p,
            "maxOutputTokens": request.max_tokens,
            "seed": request.seed,
            "thinkingConfig": None if request.reasoning is None else _thinking(request.reasoning, to.model),
        }
        if request.output is not None:
            config |= {"responseMimeType": "application/json", "responseJsonSchema": request.output}
        fields: dict[str, object] = {
            "contents": self._contents(request.messages),
            "generationConfig": {name: value for name, value in config.items() if value is not None},
        }
        system = [{"text": message.text} for message in request.messages if message.role == "system" and message.text]
        if system:
            fields["systemInstruction"] = {"parts": system}
        if request.tool_choice is not None:
            forced = {"mode": "ANY", "allowedFunctionNames": [request.tool_choice]}
            fields["toolConfig"] = {"functionCallingConfig": forced}
        return fields

    def holds(self, output: JsonObject) -> bool:  # noqa: ARG002 - any of them
        return True

    def tools(self, tools: Sequence[Tool]) -> list[dict[str, object]]:
        declared = [
            {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters}
            for tool in tools
        ]
        return [{"functionDeclarations": declared}]

    def reply(self, data: JsonObject) -> Reply:
        candidates = items(data.get("candidates"))
        if not candidates:
            if members(data.get("promptFeedback")).get("blockReason"):  # the question itself was refused
                return Reply(stop="filter")
            raise NothingUsableError("no candidates")
        parts = items(members(candidates[0].get("content")).get("parts"))
        ended = word(candidates[0].get("finishReason"))
        if not parts and not ended:
            raise NothingUsableError("an empty candidate that does not say why it ended")
        text, calls = _said(parts), _calls(parts)
        stop = _STOPS.get(ended, "filter" if ended.startswith("IMAGE_") else "other")
        if not parts and stop == "other":  # such as a function call that could not be read
            text = word(candidates[0].get("finishMessage"))
        return Reply(
            text=text,
            tool_calls=calls,
            stop="tools" if calls and stop == "end" else stop,
            model=word(data.get("modelVersion")),
            state={self.name: _plain(parts)} if any(part.get("thoughtSignature") for part in parts) else None,
        )

    def usage(self, data: JsonObject) -> Usage | None:
        """Thoughts are output; what a tool of Google's own put in is input. What is zero is left out."""
        told = members(data.get("usageMetadata"))
        given, used, said, thought = (
            tokens(told.get(f"{name}TokenCount") or 0) for name in ("prompt", "toolUsePrompt", "candidates", "thoughts")
        )
        if not told or given is None or used is None or said is None or thought is None:
            return None
        return counted(given + used, said + thought, read=told.get("cachedContentTokenCount"), thought=thought)

    def kind(self, status: int, said: str) -> ModelErrorKind:
        if status == 400 and "API_KEY_INVALID" in said:
            return "auth"
        # nobody pays, or no waiting helps today
        if (status == 400 and "FAILED_PRECONDITION" in said) or (status == 429 and "PerDay" in said):
            return "quota"
        return super().kind(status, said)

    def _contents(self, messages: Sequence[Message]) -> list[JsonObject]:
        """Turns that alternate: the results of calls that were made together must come back together."""
        names: dict[str, str] = {}  # ids may come again, turn by turn
        turns: list[JsonObject] = []
        for message in messages:
            if message.role == "system":
                continue
            names |= {call.id: call.name for call in message.tool_calls}
            role = "model" if message.role == "assistant" else "user"
            parts = self._parts(message, names)
            if turns and turns[-1]["role"] == role:
                turns[-1]["parts"] += parts
            else:
                turns.append({"role": role, "parts": parts})
        for turn in turns:
            turn["parts"] = turn["parts"] or [_SILENCE]
        if turns and turns[0]["role"] == "model":  # an agent that greets; the user is to begin
            turns.insert(0, {"role": "user", "parts": [_SILENCE]})
        return turns

    def _parts(self, message: Message, names: Mapping[str, str]) -> list[JsonObject]:
        if message.role == "tool":
            answered = message.tool_call_id or ""
            result = {"id": answered, "name": names.get(answered, ""), "response": {"result": message.text}}
            return [{"functionResponse": result}]
        calls = iter(message.tool_calls)
        kept = items(self.kept(message))
        if kept and says(message, _said(kept), _calls(kept)):
            return [_named(part, next(calls)) if "functionCall" in part else dict(part) for part in kept]
        return [
            *({"inlineData": {"mimeType": one.media_type, "data": one.base64()}} for one in message.files),
            *([{"text": message.text}] if message.text else []),
            *({"functionCall": {"id": one.id, "name": one.name, "args": _args(one)}} for one in message.tool_calls),
        ]


def _thinking(much: Reasoning, model: str) -> JsonObject:
    """Up to Gemini 2.5 a number of tokens; from then on a word as well."""
    if isinstance(much, str) and not _COUNTING.match(model):
        return {"thinkingLevel": much.upper()}
    return {"thinkingBudget": _BUDGETS[much] if isinstance(much, str) else much}


def _said(parts: Sequence[JsonObject]) -> str:
    return "".join(word(part.get("text")) for part in parts if not part.get("thought"))


def _calls(parts: Sequence[JsonObject]) -> tuple[ToolCall, ...]:
    called = [members(part["functionCall"]) for part in parts if "functionCall" in part]
    return tuple(
        tool_call(one.get("id"), one.get("name"), one.get("args") or {}, number) for number, one in enumerate(called)
    )


def _named(part: JsonObject, call: ToolCall) -> JsonObject:
    """The part of a call, with the id that its result goes by."""
    return {**part, "functionCall": {**members(part["functionCall"]), "id": call.id}}


def _plain(parts: Sequence[JsonObject]) -> Json:
    return [dict(part) for part in parts]


def _args(call: ToolCall) -> dict[str, object]:
    value = load(call.arguments)
    return value if isinstance(value, dict) else {"arguments": call.arguments}


GEMINI = Gemini()
