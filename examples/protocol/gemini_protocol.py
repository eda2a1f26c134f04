"""Gemini's generateContent, spoken to without LiteLLM: an example of a wire format that another package adds."""

from collections.abc import Mapping, Sequence

from trialkit import (
    Message,
    ModelAddress,
    ModelErrorKind,
    NothingUsableError,
    Protocol,
    Reply,
    Request,
    StopReason,
    Tool,
    ToolCall,
    Usage,
)
from trialkit.models.protocols import counted, tokens, tool_call
from trialkit.text.json import JsonObject, items, load, members, word

_STOPS: dict[str, StopReason] = {
    "STOP": "end",
    "MAX_TOKENS": "length",
    "SAFETY": "filter",
    "RECITATION": "filter",
    "BLOCKLIST": "filter",
    "PROHIBITED_CONTENT": "filter",
}


class Gemini(Protocol):
    name = "gemini"
    base = "https://generativelanguage.googleapis.com/v1beta"
    base_variable = "GEMINI_BASE_URL"
    key_variable = "GEMINI_API_KEY"

    def url(self, to: ModelAddress) -> str:
        return f"{to.base}/models/{to.model}:generateContent"

    def headers(self, to: ModelAddress) -> dict[str, str]:
        return {"x-goog-api-key": to.key} if to.key else {}

    def fields(self, request: Request, to: ModelAddress) -> dict[str, object]:  # noqa: ARG002 - it is in the URL
        config = {"temperature": request.temperature, "maxOutputTokens": request.max_tokens, "seed": request.seed}
        fields: dict[str, object] = {
            "contents": self._contents(request.messages),
            "generationConfig": {name: value for name, value in config.items() if value is not None},
        }
        system = [{"text": message.text} for message in request.messages if message.role == "system"]
        if system:
            fields["systemInstruction"] = {"parts": system}
        if request.tool_choice is not None:
            forced = {"mode": "ANY", "allowedFunctionNames": [request.tool_choice]}
            fields["toolConfig"] = {"functionCallingConfig": forced}
        return fields

    def tools(self, tools: Sequence[Tool]) -> list[dict[str, object]]:
        declared = [
            {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters}
            for tool in tools
        ]
        return [{"functionDeclarations": declared}]

    def reply(self, data: JsonObject) -> Reply:
        candidates = items(data.get("candidates"))
        if not candidates:
            if data.get("promptFeedback"):  # the question itself was refused
                return Reply(stop="filter")
            raise NothingUsableError("no candidates")
        parts = items(members(candidates[0].get("content")).get("parts"))
        ended = word(candidates[0].get("finishReason"))
        if not parts and not ended:
            raise NothingUsableError("an empty candidate that does not say why it ended")
        said = [part for part in parts if not part.get("thought")]
        called = [part for part in said if isinstance(part.get("functionCall"), dict)]
        calls = tuple(_call(part["functionCall"], number) for number, part in enumerate(called))
        signed = {call.id: part["thoughtSignature"] for call, part in zip(calls, called, strict=True) if _signed(part)}
        return Reply(
            text="".join(word(part.get("text")) for part in said),
            tool_calls=calls,
            stop="tools" if calls and ended == "STOP" else _STOPS.get(ended, "other"),
            model=word(data.get("modelVersion")),
            state={self.name: signed} if signed else None,
        )

    def usage(self, data: JsonObject) -> Usage | None:
        told = members(data.get("usageMetadata"))
        taken = [tokens(told.get(name)) or 0 for name in ("candidatesTokenCount", "thoughtsTokenCount")]
        return counted(told.get("promptTokenCount"), sum(taken), read=told.get("cachedContentTokenCount"))

    def kind(self, status: int, said: str) -> ModelErrorKind:
        if status == 400 and ("API_KEY_INVALID" in said or "FAILED_PRECONDITION" in said):
            return "auth"
        return super().kind(status, said)

    def _contents(self, messages: Sequence[Message]) -> list[dict[str, object]]:
        names = {call.id: call.name for message in messages for call in message.tool_calls}
        return [
            {"role": "model" if one.role == "assistant" else "user", "parts": self._parts(one, names)}
            for one in messages
            if one.role != "system"
        ]

    def _parts(self, message: Message, names: Mapping[str, str]) -> list[dict[str, object]]:
        if message.role == "tool":
            answered = message.tool_call_id or ""
            result = {"id": answered, "name": names.get(answered, ""), "response": {"result": message.text}}
            return [{"functionResponse": result}]
        signed = self.kept(message)
        parts: list[dict[str, object]] = [{"text": message.text}] if message.text else []
        for call in message.tool_calls:
            part: dict[str, object] = {"functionCall": {"id": call.id, "name": call.name, "args": _args(call)}}
            if isinstance(signed, dict) and call.id in signed:
                part["thoughtSignature"] = signed[call.id]
            parts.append(part)
        return parts


def _signed(part: JsonObject) -> bool:
    return isinstance(part.get("thoughtSignature"), str)


def _call(written: JsonObject, number: int) -> ToolCall:
    return tool_call(written.get("id"), written.get("name"), written.get("args") or {}, number)


def _args(call: ToolCall) -> dict[str, object]:
    value = load(call.arguments)
    return value if isinstance(value, dict) else {"arguments": call.arguments}


GEMINI = Gemini()
