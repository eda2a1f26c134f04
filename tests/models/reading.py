"""What a request asked, read back from its body: the same for every protocol."""

import json
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


def read_request(seen: Seen) -> Asked:
    readers = {"openai": _openai, "anthropic": _anthropic, "gemini": _gemini}
    return readers[seen.protocol](seen.body, seen.headers)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or [])


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
        forced=choice["function"]["name"] if choice else None,
        temperature=body.get("temperature"),
        max_tokens=body.get("max_tokens"),
        seed=body.get("seed"),
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
    assert choice.get("type") in {None, "tool"}
    return Asked(
        key=headers.get("x-api-key", ""),
        model=body["model"],
        system=_text(body.get("system", "")),
        parts=parts,
        tools=[(tool["name"], tool["description"], tool["input_schema"]) for tool in body.get("tools", [])],
        forced=choice.get("name"),
        temperature=body.get("temperature"),
        max_tokens=body.get("max_tokens"),
        seed=body.get("seed"),
    )


def _gemini(body: dict[str, Any], headers: dict[str, str]) -> Asked:
    parts: list[Part] = []
    for turn in body["contents"]:
        for part in turn["parts"]:
            match part:
                case {"text": text}:
                    parts.append(({"model": "assistant"}.get(turn["role"], turn["role"]), text))
                case {"functionCall": call}:
                    parts.append(("call", call["id"], call["name"], json.dumps(call["args"])))
                case {"functionResponse": result}:
                    parts.append(("result", result["id"], result["response"]["result"]))
    config = body.get("generationConfig", {})
    forcing = body.get("toolConfig", {}).get("functionCallingConfig", {"allowedFunctionNames": [None]})
    declared = [one for tool in body.get("tools", []) for one in tool["functionDeclarations"]]
    return Asked(
        key=headers.get("x-goog-api-key", ""),
        model=None,
        system=_text(body.get("systemInstruction", {}).get("parts")),
        parts=parts,
        tools=[(one["name"], one["description"], one["parametersJsonSchema"]) for one in declared],
        forced=forcing["allowedFunctionNames"][0],
        temperature=config.get("temperature"),
        max_tokens=config.get("maxOutputTokens"),
        seed=config.get("seed"),
    )
