"""Tool calls that a model writes as text, as JSON: in a fence, in tags, in a list, or bare."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from trialkit.text.json import JsonObject, dump, members, word

from .types import Reply, Tool, ToolCall

#: Where a reply's own words are kept, so that the model is told what it said as it said it.
SAID = "tools-as-text"
#: Characters of a reply in which calls are looked for, and places where one may begin.
_LONGEST, _MOST = 1_000_000, 200
_NEAR = 50
_BEGIN = re.compile(r'\{\s*"(?:name|tool|function|arguments|parameters)"\s*:')
#: What models write around a call: a fence, or the tags and lists that they were taught.
_BEFORE = re.compile(r"(?:(?:```[\w-]*|<tool_call>|<function_call>|\[TOOL_CALLS\])[\s\[]*|(?<![\s\[])[\s\[]+)\Z")
_AFTER = re.compile(r"[\s\],]*(?:```|</tool_call>|</function_call>)?")
#: Thoughts stand first; where a template has begun them, only their end is said, in a line of its own.
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>|^[ \t]*</think>", re.DOTALL | re.MULTILINE)
_decode = json.JSONDecoder(strict=False).raw_decode


def called(reply: Reply, tools: Sequence[Tool]) -> Reply:
    """The reply with the calls that its text writes."""
    text, calls = read_calls(reply.text, {tool.name for tool in tools})
    if not calls:
        return reply
    stop = "tools" if reply.stop in {"end", "other"} else reply.stop
    state = {**(reply.state or {}), SAID: reply.text}
    return replace(reply, text=text, tool_calls=calls, stop=stop, state=state)


def read_calls(said: str, names: set[str]) -> tuple[str, tuple[ToolCall, ...]]:
    """The text without the calls in it, and these. What a model only thought of calling it does not call."""
    if len(said) > _LONGEST or '"' not in said:
        return said, ()
    kept, calls, at = list[str](), list[ToolCall](), 0
    for begin, end, value in _objects(said, _thought(said)):
        before, after = _BEFORE.search(said, max(at, begin - _NEAR), begin), _AFTER.match(said, end)
        start = before.start() if before else begin
        call = _call(value, names, marked=bool(said[start:begin].strip(" \n\r\t[")), number=len(calls))
        if call is not None:
            kept.append(said[at:start])
            at = after.end() if after else end
            calls.append(call)
    kept = [piece for one in (*kept, said[at:]) if (piece := one.strip())]
    return "\n\n".join(kept) if calls else said, tuple(calls)


def _thought(said: str) -> int:
    """Where the thoughts end that some models write into what they say."""
    found = _THOUGHT.search(said)
    return found.end() if found else 0


def _objects(said: str, at: int) -> Iterator[tuple[int, int, JsonObject]]:
    """Objects that may be calls: where each begins and ends, and what it is."""
    for _ in range(_MOST):
        found = _BEGIN.search(said, at)
        if found is None:
            return
        at = found.start()
        try:
            value, end = _decode(said, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        yield at, end, value
        at = end


def _call(value: JsonObject, names: set[str], *, marked: bool, number: int) -> ToolCall | None:
    """A call, where two things speak for one: there is such a tool, it has arguments, it stands where calls do."""
    function = members(value.get("function")) or value
    name = next((found for key in ("name", "tool", "function") if (found := word(function.get(key)))), "")
    given = next((function[key] for key in ("arguments", "parameters") if key in function), None)
    if not name or [name in names, given is not None, marked].count(True) < 2:
        return None
    arguments = given if isinstance(given, str) else dump({} if given is None else given)
    return ToolCall(id=f"call_{number}", name=name, arguments=arguments)
