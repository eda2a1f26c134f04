"""Requests of all sorts. What an assistant says in them is what a protocol read of a reply."""

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from trialkit.models import File, Message, Reply, Request, Tool
from trialkit.models.protocols import NothingUsableError, Protocol
from trialkit.text.json import Json, object_schema

_TEXT = st.text(max_size=20)
_LEAF: st.SearchStrategy[Json] = st.sampled_from(
    [{"type": "string"}, {"type": "integer", "minimum": 0}, {"enum": ["a", None]}, {"type": ["number", "null"]}, {}]
)
_SCHEMA = st.recursive(
    _LEAF,
    lambda inner: st.one_of(
        st.builds(lambda parts: object_schema(**parts), st.dictionaries(st.sampled_from("pqr"), inner, min_size=1)),
        st.builds(lambda part: {"type": "array", "items": part}, inner),
        st.builds(lambda part: {"anyOf": [part, {"type": "null"}]}, inner),
    ),
    max_leaves=4,
)
_OBJECT = st.builds(lambda parts: object_schema(**parts), st.dictionaries(st.sampled_from("abc"), _SCHEMA))
_TOOLS = st.lists(
    st.builds(Tool, name=st.sampled_from(["look", "book", "pay_bill"]), description=_TEXT, parameters=_OBJECT),
    max_size=2,
    unique_by=lambda tool: tool.name,
)


def requests(
    protocol: Protocol, answers: st.SearchStrategy[Any], folder: Path, *, streamed: bool = True
) -> st.SearchStrategy[Request]:
    """`answers`: the JSON of a provider's replies; `streamed`: whether some want theirs in pieces."""
    for name, data in (("a.png", b"\x89PNG\r\n\x1a\n"), ("b.pdf", b"%PDF-1.7")):
        (folder / name).write_bytes(data)
    files = st.sampled_from([(), (), (), (File.at(folder / "a.png"),), (File.at(folder / "b.pdf"),)])
    user = st.builds(lambda text, files: [Message(role="user", text=text, files=files)], _TEXT, files)
    turn = user | st.builds(lambda data, result: _said(protocol, data, result), answers, _TEXT)
    system = st.lists(st.builds(Message, role=st.just("system"), text=_TEXT), max_size=1)
    return st.builds(
        _request,
        system=system,
        turns=st.lists(turn, max_size=4),
        last=user,
        tools=_TOOLS,
        forced=st.booleans(),
        temperature=st.none() | st.floats(0, 1),
        top_p=st.none() | st.floats(0, 1),
        reasoning=st.none() | st.sampled_from(["low", "medium", "high"]) | _budgets(protocol),
        max_tokens=st.none() | st.integers(1, 9999),
        seed=st.none() | st.integers(0, 9999),
        output=st.none() | _OBJECT,
        tools_as=st.sampled_from([None, None, None, "text"]),
        extra=st.sampled_from([None, None, protocol.stream if streamed else None]),
    )


def _budgets(protocol: Protocol) -> st.SearchStrategy[int]:
    """Tokens to think with, where the provider's own protocol knows them; OpenAI's does not."""
    return st.integers(1024, 9999) if protocol.name in {"anthropic", "gemini"} else st.nothing()


def _request(
    *,
    system: list[Message],
    turns: list[list[Message]],
    last: list[Message],
    tools: list[Tool],
    forced: bool,
    **other: Any,
) -> Request:
    messages = (*system, *(message for turn in [*turns, last] for message in turn))
    return Request(
        messages=messages, tools=tuple(tools), tool_choice=tools[0].name if tools and forced else None, **other
    )


def _said(protocol: Protocol, data: Any, result: str) -> list[Message]:
    """A reply that was kept in a run file, and the results of its calls."""
    try:
        reply = Reply.from_data(json.loads(json.dumps(protocol.reply(data).to_data())))
    except NothingUsableError:
        return []
    said = Message(role="assistant", text=reply.text, tool_calls=reply.tool_calls, state=reply.state)
    return [said, *(Message(role="tool", text=result, tool_call_id=call.id) for call in reply.tool_calls)]
