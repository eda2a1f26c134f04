"""Bedrock's Converse with an API key, without LiteLLM: an example of a wire format that another package adds."""

from collections.abc import Sequence

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
from trialkit.text.json import JsonObject, dump, items, load, members, word

_STOPS: dict[str, StopReason] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tools",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "guardrail_intervened": "filter",
    "content_filtered": "filter",
}


class Bedrock(Protocol):
    name = "bedrock"
    base = "https://bedrock-runtime.us-east-1.amazonaws.com"
    base_variable = "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"
    key_variable = "AWS_BEARER_TOKEN_BEDROCK"
    files = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"})

    def url(self, to: ModelAddress) -> str:
        return f"{to.base}/model/{to.model}/converse"

    def headers(self, to: ModelAddress) -> dict[str, str]:
        return {"Authorization": f"Bearer {to.key}"} if to.key else {}

    def fields(self, request: Request, to: ModelAddress) -> dict[str, object]:  # noqa: ARG002 - it is in the URL
        config = {"temperature": request.temperature, "maxTokens": request.max_tokens}
        fields: dict[str, object] = {
            "messages": self._messages(request.messages),
            "inferenceConfig": {name: value for name, value in config.items() if value is not None},
        }
        system = [{"text": message.text} for message in request.messages if message.role == "system" and message.text]
        if system:
            fields["system"] = system
        if request.output is not None:
            held = {"jsonSchema": {"name": "answer", "schema": dump(request.output)}}
            fields["outputConfig"] = {"textFormat": {"type": "json_schema", "structure": held}}
        if request.tools:
            forced = {"toolChoice": {"tool": {"name": request.tool_choice}}} if request.tool_choice else {}
            fields["toolConfig"] = {"tools": self.tools(request.tools), **forced}
        return fields

    def body(self, request: Request, to: ModelAddress) -> str:
        return dump(self.fields(request, to))  # the tools stand one level deeper than elsewhere

    def holds(self, output: JsonObject) -> bool:  # noqa: ARG002 - any of them
        return True

    def tools(self, tools: Sequence[Tool]) -> list[dict[str, object]]:
        return [{"toolSpec": _specification(tool)} for tool in tools]

    def reply(self, data: JsonObject) -> Reply:
        message = members(members(data.get("output")).get("message"))
        if not message:
            raise NothingUsableError("no message in output")
        blocks = items(message.get("content"))
        calls = [members(block["toolUse"]) for block in blocks if "toolUse" in block]
        thoughts: list[JsonObject] = [
            {"at": at, "block": block} for at, block in enumerate(blocks) if "reasoningContent" in block
        ]
        return Reply(
            text="".join(word(block.get("text")) for block in blocks),
            tool_calls=tuple(_call(call, number) for number, call in enumerate(calls)),
            stop=_STOPS.get(word(data.get("stopReason")), "other"),
            state={self.name: thoughts} if thoughts else None,
        )

    def usage(self, data: JsonObject) -> Usage | None:
        told = members(data.get("usage"))
        read, write = (told.get(f"cache{what}InputTokens", 0) for what in ("Read", "Write"))
        plain = [tokens(part) for part in (told.get("inputTokens"), read, write)]  # each without the others
        given = None if None in plain else sum(part or 0 for part in plain)
        return counted(given, told.get("outputTokens"), read=read, write=write)

    def kind(self, status: int, said: str) -> ModelErrorKind:
        if status == 424:  # the model failed, not the request
            return "server"
        return super().kind(status, said)

    def _messages(self, messages: Sequence[Message]) -> list[JsonObject]:
        """Turns that alternate: neighbours of one role become one."""
        turns: list[JsonObject] = []
        for message in messages:
            role, blocks = "assistant" if message.role == "assistant" else "user", self._blocks(message)
            if turns and turns[-1]["role"] == role:
                turns[-1]["content"] += blocks
            elif blocks:
                turns.append({"role": role, "content": blocks})
        return turns

    def _blocks(self, message: Message) -> list[JsonObject]:
        if message.role == "system":
            return []
        if message.role == "tool":
            return [{"toolResult": {"toolUseId": message.tool_call_id, "content": [{"text": message.text}]}}]
        blocks: list[JsonObject] = []
        for number, file in enumerate(message.files):
            kind = file.media_type.rpartition("/")[2]
            shown = {"format": kind, "source": {"bytes": file.base64()}}
            blocks.append({"document": {**shown, "name": f"document {number}"}} if kind == "pdf" else {"image": shown})
        if message.text.strip():
            blocks.append({"text": message.text})
        blocks += [
            {"toolUse": {"toolUseId": call.id, "name": call.name, "input": _input(call)}} for call in message.tool_calls
        ]
        for thought in items(self.kept(message)):
            blocks.insert(thought["at"], thought["block"])
        return blocks


def _specification(tool: Tool) -> dict[str, object]:
    described = {"description": tool.description} if tool.description else {}  # an empty one is refused
    return {"name": tool.name, **described, "inputSchema": {"json": tool.parameters}}


def _call(written: JsonObject, number: int) -> ToolCall:
    return tool_call(written.get("toolUseId"), written.get("name"), written.get("input") or {}, number)


def _input(call: ToolCall) -> dict[str, object]:
    value = load(call.arguments)
    return value if isinstance(value, dict) else {"arguments": call.arguments}


BEDROCK = Bedrock()
