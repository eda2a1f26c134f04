"""Answers in pieces, as server-sent events: what each protocol makes of the answer that it would give at once."""

import json
from collections.abc import Iterator
from typing import Any

from tests.server.actions import Protocol


def events(whole: dict[str, Any], protocol: Protocol) -> bytes:
    cut = {"openai": _chat, "anthropic": _messages, "openai-responses": _responses}[protocol]
    lines: list[str] = []
    for event in cut(whole):
        named = [f"event: {event['type']}"] if "type" in event else []
        lines += [*named, f"data: {json.dumps(event)}", ""]
    done = ["data: [DONE]", ""] if protocol == "openai" else []
    return "\n".join([": ping", "", *lines, *done, ""]).encode()


def _halves(text: str | None) -> list[str]:
    return [text[: len(text) // 2], text[len(text) // 2 :]] if text else []


def _chat(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    told = {name: whole[name] for name in ("id", "created", "model")} | {"object": "chat.completion.chunk"}

    def chunk(delta: dict[str, Any], ended: str | None = None) -> dict[str, Any]:
        return {**told, "choices": [{"index": 0, "delta": delta, "finish_reason": ended}]}

    if "choices" in whole:
        (choice,) = whole["choices"]
        message = choice["message"]
        yield chunk({"role": "assistant", "content": "", "refusal": None})
        for name in ("reasoning_content", "content", "refusal"):
            yield from (chunk({name: piece}) for piece in _halves(message.get(name)))
        for number, call in enumerate(message.get("tool_calls") or []):
            function = call["function"]
            yield chunk({"tool_calls": [{**call, "index": number, "function": {**function, "arguments": ""}}]})
            for piece in _halves(function["arguments"]):
                yield chunk({"tool_calls": [{"index": number, "function": {"arguments": piece}}]})
        yield chunk({}, choice["finish_reason"])
    yield {**told, "choices": [], "usage": whole["usage"]}


def _messages(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    counted = whole["usage"]
    begun = {**whole, "content": [], "stop_reason": None, "usage": {**counted, "output_tokens": 1}}
    yield {"type": "message_start", "message": begun}
    for at, block in enumerate(whole.get("content", [])):
        nothing = {"text": "", "thinking": "", "signature": "", "input": {}}
        first = {name: nothing.get(name, value) for name, value in block.items()}
        yield {"type": "content_block_start", "index": at, "content_block": first}
        for name in nothing:
            kind, piece = ("input_json_delta", "partial_json") if name == "input" else (f"{name}_delta", name)
            value = block.get(name)
            for half in _halves(json.dumps(value) if isinstance(value, dict) else value):
                yield {"type": "content_block_delta", "index": at, "delta": {"type": kind, piece: half}}
        yield {"type": "content_block_stop", "index": at}
    yield {"type": "ping"}
    ended = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": counted["output_tokens"]}}
    if "content" in whole:
        yield {"type": "message_stop"}


def _responses(whole: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"type": "response.created", "response": {**whole, "status": "in_progress", "output": [], "usage": None}}
    for item in whole.get("output", []):
        yield {"type": "response.output_item.done", "item": item}
    yield {"type": f"response.{whole['status']}", "response": whole}
