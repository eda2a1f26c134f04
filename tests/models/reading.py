"""What a request asked, read back from its body: the same for every protocol."""

import json
import re
from base64 import b64decode
from dataclasses import dataclass
from typing import Any

from tests.server import Seen

Part = tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    key: str  # the API key that came along
    model: str | None  # None: it stands in the path
    system: str
    #: (role, text), ("call", id, name, arguments) or ("result", id, text), in order
    parts: list[Part]
    tools: list[tuple[str, str, Any]]  # name, description, schema
    forced: str | None
    temperature: float | None
    max_tokens: int | None
    seed: int | None
    files: list[tuple[str, bytes]]  # media type, bytes
    output: Any  # the schema that the reply is to fit


def read_request(seen: Seen) -> Asked:
    readers = {
        "openai": _openai,
        "openai-responses": _responses,
        "anthropic": _anthropic,
        "gemini": _gemini,
        "bedrock": _bedrock,
    }
    return readers[seen.protocol](seen.body, seen.headers)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or [])


def _of_url(url: str) -> tuple[str, bytes]:
    kind, _, data = url.removeprefix("data:").partition(";base64,")
    return kind, b64decode(data, validate=True)


def _all(parts: Any) -> list[tuple[str, bytes]]:
    return [file for part in parts for file in _shown(part)]


def _shown(part: Any) -> list[tuple[str, bytes]]:
    """The file in a part of a message, if it is one."""
    match part:
        case (
            {"type": "image_url", "image_url": {"url": url}}
            | {"type": "file", "file": {"filename": "document.pdf", "file_data": url}}
            | {"type": "input_image", "image_url": url}
            | {"type": "input_file", "filename": "document.pdf", "file_data": url}
        ):
            return [_of_url(url)]
        case {"type": "image" | "document" as kind, "source": {"type": "base64", "media_type": media, "data": data}}:
            assert kind == ("document" if media == "application/pdf" else "image")
        case {"inlineData": {"mimeType": media, "data": data}}:
            pass
        case {"image": {"format": kind, "source": {"bytes": data}}}:
            media = f"image/{kind}"
        case {"document": {"format": "pdf", "source": {"bytes": data}}}:
            media = "application/pdf"
        case _:
            return []
    return [(media, b64decode(data, validate=True))]


def _openai(body: dict[str, Any], headers: dict[str, str]) -> Asked:
    parts: list[Part] = []
    for message in body["messages"]:
        if message["role"] == "tool":
            parts.append(("result", message["tool_call_id"], _text(message["content"])))
        elif message["role"] != "system" and _text(message["content"]):
            parts.append((message["role"], _text(message["content"])))
        called = ((call["id"], call["function"]) for call in message.get("tool_calls") or [])
        parts += [("call", identifier, call["name"], call["arguments"]) for identifier, call in called]
    tools = [tool["function"] for tool in body.get("tools", [])]
    choice = body.get("tool_choice")
    return Asked(
        key=headers.get("authorization", "").removeprefix("Bearer "),
        model=body["model"],
        system="".join(_text(one["content"]) for one in body["messages"] if one["role"] == "system"),
        parts=parts,
        tools=[(tool["name"], tool["description"], tool["parameters"]) for tool in tools],
        forced=tools[0]["name"] if choice == "required" else choice["function"]["name"] if choice else None,
        temperature=body.get("temperature"),
        max_tokens=body.get("max_tokens"),
        seed=body.get("seed"),
        files=[file for one in body["messages"] if isinstance(one["content"], list) for file in _all(one["content"])],
        output=body.get("response_format", {}).get("json_schema", {}).get("schema"),
    )


def _anthropic(body: dict[str, Any], headers: dict[str, str]) -> Asked:
    parts: list[Part] = []
    for turn in body["messages"]:
        content = turn["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            match block["type"]:
                case "text":
                    parts.append((turn["role"], block["text"]))
                case "tool_use":
                    parts.append(("call", block["id"], block["name"], json.dumps(block["input"])))
                case "tool_result":
                    parts.append(("result", block["tool_use_id"], _text(block["content"])))
    assert headers["anthropic-version"] == "2023-06-01"
    choice = body.get("tool_choice", {})
    assert choice.get("type") in {None, "tool", "any"}
    offered = [tool["name"] for tool in body.get("tools", [])]
    return Asked(
        key=headers.get("x-api-key", ""),
        model=body["model"],
        system=_text(body.get("system", "")),
        parts=parts,
        tools=[(tool["name"], tool["description"], tool["input_schema"]) for tool in body.get("tools", [])],
        forced=offered[0] if choice.get("type") == "any" and len(offered) == 1 else choice.get("name"),
        temperature=body.get("temperature"),
        max_tokens=body.get("max_tokens"),
        seed=body.get("seed"),
        files=[
            file for turn in body["messages"] if isinstance(turn["content"], list) for file in _all(turn["content"])
        ],
        output=body.get("output_config", body).get("format", body.get("output_format", {})).get("schema"),
    )


def _camel(value: Any) -> Any:
    """Google takes its names in either way."""
    if isinstance(value, list):
        return [_camel(part) for part in value]
    if not isinstance(value, dict):
        return value
    return {re.sub("_([a-z])", lambda found: found[1].upper(), key): _camel(part) for key, part in value.items()}


def _gemini(body: dict[str, Any], headers: dict[str, str]) -> Asked:
    body = _camel(body)
    parts: list[Part] = []
    for turn in body["contents"]:
        for part in turn["parts"]:
            match part:
                case {"thought": True}:
                    pass
                case {"text": text}:
                    parts.append(({"model": "assistant"}.get(turn["role"], turn["role"]), text))
                case {"functionCall": call}:
                    parts.append(("call", call.get("id", ""), call["name"], json.dumps(call["args"])))
                case {"inlineData": _}:
                    pass  # a file
                case {"functionResponse": result}:
                    (said,) = result["response"].values()
                    parts.append(("result", result.get("id", ""), said))
    config = body.get("generationConfig", {})
    forcing = body.get("toolConfig", {}).get("functionCallingConfig", {})
    declared = [one for tool in body.get("tools", []) for one in tool["functionDeclarations"]]
    names = [one["name"] for one in declared]
    return Asked(
        key=headers.get("x-goog-api-key", "") or headers.get("authorization", "").removeprefix("Bearer "),
        model=None,
        system=_text(body.get("systemInstruction", {}).get("parts")),
        parts=parts,
        tools=[
            (one["name"], one["description"], one.get("parametersJsonSchema", one.get("parameters")))
            for one in declared
        ],
        forced=_forced(
            {"any": {}} if forcing.get("mode") == "ANY" else {}, forcing.get("allowedFunctionNames") or names
        ),
        temperature=config.get("temperature"),
        max_tokens=config.get("maxOutputTokens"),
        seed=config.get("seed"),
        files=[file for turn in body["contents"] for file in _all(turn["parts"])],
        output=config.get("responseJsonSchema"),
    )


def _responses(body: dict[str, Any], headers: dict[str, str]) -> Asked:
    parts: list[Part] = []
    for item in body["input"]:
        match item:
            case {"type": "function_call", "call_id": call, "name": name, "arguments": arguments}:
                parts.append(("call", call, name, arguments))
            case {"type": "function_call_output", "call_id": call, "output": output}:
                parts.append(("result", call, output))
            case {"role": role, "content": content} if _text(content):
                parts.append((role, _text(content)))
    assert body["store"] is False
    choice = body.get("tool_choice")
    assert all(tool["type"] == "function" and tool["strict"] is False for tool in body.get("tools", []))
    return Asked(
        key=headers.get("authorization", "").removeprefix("Bearer "),
        model=body["model"],
        system=body.get("instructions", ""),
        parts=parts,
        tools=[(tool["name"], tool["description"], tool["parameters"]) for tool in body.get("tools", [])],
        forced=choice["name"] if choice else None,
        temperature=body.get("temperature"),
        max_tokens=body.get("max_output_tokens"),
        seed=body.get("seed"),
        files=[file for one in body["input"] if isinstance(one.get("content"), list) for file in _all(one["content"])],
        output=body.get("text", {}).get("format", {}).get("schema"),
    )


def _bedrock(body: dict[str, Any], headers: dict[str, str]) -> Asked:
    parts: list[Part] = []
    for turn in body["messages"]:
        for block in turn["content"]:
            match block:
                case {"text": text}:
                    parts.append((turn["role"], text))
                case {"toolUse": call}:
                    parts.append(("call", call["toolUseId"], call["name"], json.dumps(call["input"])))
                case {"toolResult": result}:
                    parts.append(("result", result["toolUseId"], _text(result["content"])))
    config, tools = body["inferenceConfig"], body.get("toolConfig", {})
    declared = [tool["toolSpec"] for tool in tools.get("tools", [])]
    held = body.get("outputConfig", {}).get("textFormat", {}).get("structure", {}).get("jsonSchema")
    return Asked(
        key=headers.get("authorization", "").removeprefix("Bearer "),
        model=None,
        system=_text(body.get("system")),
        parts=parts,
        tools=[(one["name"], one["description"], one["inputSchema"]["json"]) for one in declared],
        forced=_forced(tools.get("toolChoice", {}), [one["name"] for one in declared]),
        temperature=config.get("temperature"),
        max_tokens=config.get("maxTokens"),
        seed=None,
        files=[file for turn in body["messages"] for file in _all(turn["content"])],
        output=held and json.loads(held["schema"]),
    )


def _forced(choice: dict[str, Any], names: list[str]) -> str | None:
    """Where one tool is offered, any is that one."""
    (only,) = names if len(names) == 1 else (None,)
    named: str | None = choice.get("tool", {}).get("name")
    return only if "any" in choice else named
