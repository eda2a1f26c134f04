"""Answers that come in pieces (server-sent events), put together to what they would have been in one."""

import re
from collections.abc import Sequence

from trialkit.text.json import JsonObject, items, load, members, word

#: What of a request asks for an answer in pieces; and, of a Chat Completion, for its tokens as well.
IN_PIECES: JsonObject = {"stream": True}
COUNTED: JsonObject = {"stream": True, "stream_options": {"include_usage": True}}
_LINES = re.compile(r"\r\n|\n|\r")  # there may be other ends of lines in what is said
_SAID = ("content", "refusal", "reasoning_content", "reasoning")
_LISTED = ("reasoning_details", "thinking_blocks")
#: What of a block of Anthropic's comes in pieces, and where each kind of them adds to it.
_ADDED = {"text": "text", "thinking": "thinking", "signature": "signature", "partial_json": "input"}


def events_of(text: str) -> list[JsonObject]:
    """The JSON objects in the events of a stream; what else there is, such as `[DONE]`, says nothing."""
    found: list[JsonObject] = []
    data: list[str] = []
    for line in [*_LINES.split(text), ""]:
        if line.startswith("data:"):
            data.append(line[5:])
        elif not line and data:
            event = load("\n".join(data))
            found += [event] if isinstance(event, dict) else []
            data = []
    return found


def chat_completion(events: Sequence[JsonObject]) -> JsonObject:
    """Of OpenAI's Chat Completions. One that did not come to its end holds no choices: it is no reply."""
    whole: JsonObject = {"choices": []}
    for event in events:
        whole |= {name: event[name] for name in ("model", "usage", "error") if event.get(name)}
    choices = [choice for event in events for choice in items(event.get("choices"))[:1]]
    ended = [reason for choice in choices if (reason := word(choice.get("finish_reason")))]
    if not ended or "error" in whole:
        return whole
    deltas = [members(choice.get("delta")) for choice in choices]
    message: JsonObject = {name: _joined(deltas, name) for name in _SAID if any(name in delta for delta in deltas)}
    for name in _LISTED:
        if listed := [part for delta in deltas for part in items(delta.get(name))]:
            message[name] = listed
    if calls := _calls([piece for delta in deltas for piece in items(delta.get("tool_calls"))]):
        message["tool_calls"] = calls
    return {**whole, "choices": [{"message": message or {"content": ""}, "finish_reason": ended[-1]}]}


def message(events: Sequence[JsonObject]) -> JsonObject:
    """Of Anthropic's Messages. One that did not come to its end has no content: it is no reply."""
    whole: JsonObject = {}
    blocks: dict[object, JsonObject] = {}
    pieces: dict[object, list[JsonObject]] = {}
    for event in events:
        match event:
            case {"type": "message_start", "message": dict(begun)}:
                whole |= begun
            case {"type": "content_block_start", "index": int(at), "content_block": dict(block)}:
                blocks[at], pieces[at] = dict(block), []
            case {"type": "content_block_delta", "index": int(at), "delta": dict(delta)} if at in pieces:
                pieces[at].append(delta)
            case {"type": "message_delta"}:
                counted = {name: count for name, count in members(event.get("usage")).items() if count is not None}
                whole |= members(event.get("delta"))
                whole["usage"] = {**members(whole.get("usage")), **counted}
            case {"type": "error"}:
                whole["error"] = event.get("error")
    ended = any(event.get("type") == "message_stop" for event in events) and "error" not in whole
    content = [_block(block, pieces[at]) for at, block in blocks.items()]
    return {**whole, "content": content if ended else None}


def response(events: Sequence[JsonObject]) -> JsonObject:
    """Of OpenAI's Responses: the last event holds all of it. One that did not come to its end holds no output."""
    told = [members(event.get("response")) for event in events if "response" in event]
    last = told[-1] if told else {}
    return last if last.get("status") in {"completed", "incomplete", "failed"} else {"usage": last.get("usage")}


def _joined(pieces: Sequence[JsonObject], name: str) -> str:
    return "".join(word(piece.get(name)) for piece in pieces)


def _calls(pieces: Sequence[JsonObject]) -> list[JsonObject]:
    """Each from its pieces: the same index is the same call; some servers give none, and an id to the first piece."""
    calls: dict[object, list[JsonObject]] = {}
    at: int | str = 0
    for piece in pieces:
        told = piece.get("index", piece.get("id"))
        at = told if isinstance(told, int | str) else at
        calls.setdefault(at, []).append(piece)
    return [_call(parts) for parts in calls.values()]


def _call(pieces: Sequence[JsonObject]) -> JsonObject:
    functions = [members(piece.get("function")) for piece in pieces]
    name = next((found for one in functions if (found := word(one.get("name")))), "")
    whole = {key: value for piece in reversed(pieces) for key, value in piece.items() if value}
    return {**whole, "function": {"name": name, "arguments": _joined(functions, "arguments")}}


def _block(begun: JsonObject, deltas: Sequence[JsonObject]) -> JsonObject:
    block = dict(begun)
    for piece, name in _ADDED.items():
        if any(piece in delta for delta in deltas):
            said = _joined(deltas, piece)
            block[name] = said if name != "input" else _input(said)
    return block


def _input(written: str) -> object:
    """The object; its text where it broke off."""
    value = load(written) if written else {}
    return value if isinstance(value, dict) else written
