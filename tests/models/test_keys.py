"""What names a request: whatever can change the answer, and the same today as when the first runs were recorded."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from trialkit.models import File, Message, Request, Tool, ToolCall

MODEL = "openai https://api.openai.com/v1 gpt-4o"
CALL = ToolCall(id="a", name="f", arguments='{"x": 1}')
TOOL = Tool(name="f", description="Does f.", parameters={"type": "object", "properties": {"x": {"type": "number"}}})
SHOWN = File(media_type="image/png", sha256="ab", size=7, path=Path("a.png"))
ASKED = Request(
    messages=(
        Message(role="system", text="Sei kürz."),
        Message(role="assistant", text="Two.", tool_calls=(CALL,)),
        Message(role="tool", text="set", tool_call_id="a"),
    ),
    tools=(TOOL,),
    tool_choice="f",
    temperature=0.5,
    max_tokens=77,
    seed=5,
)
#: Another value for every field: one that is added without one here fails the test below.
OTHERS: dict[type, dict[str, Any]] = {
    Request: {
        "messages": ASKED.messages[:-1],
        "tools": (),
        "tool_choice": None,
        "temperature": 1.0,
        "max_tokens": 78,
        "seed": 6,
        "output": {"type": "string"},
        "top_p": 0.9,
        "reasoning": "high",
        "extra": {"top_k": 20},
        "tools_as": "text",
    },
    Message: {
        "role": "user",
        "text": "Three.",
        "tool_calls": (),
        "tool_call_id": "b",
        "state": {"anthropic": [{"at": 0, "block": {"type": "thinking", "signature": "s"}}]},
        "files": (SHOWN,),
    },
    Tool: {"name": "g", "description": "Does g.", "parameters": {"type": "object"}},
    ToolCall: {"id": "b", "name": "g", "arguments": '{"x": 2}'},
}


@pytest.mark.parametrize(
    ("request_", "key"),
    [
        (
            Request(messages=(Message(role="user", text="hello"),)),
            "3e8f1962a770f25762b63ac843975daa41e93707f7a7e8e28781d8091529d40f",
        ),
        (ASKED, "100d96b9bae11f10d6501f3f1ab32c211960c4ad47e64f274c57d29120e4cb89"),
    ],
    ids=["the least", "all there was"],
)
def test_recorded_keys_stay_valid(request_: Request, key: str) -> None:
    assert request_.key(MODEL) == key


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, field.name) for kind in OTHERS for field in fields(kind) if field.compare]
)
def test_every_field_is_in_the_key(kind: type, name: str) -> None:
    other = _with_another(kind, {name: OTHERS[kind][name]})
    assert other.key(MODEL) != ASKED.key(MODEL)
    assert other.key(MODEL) == replace(other).key(MODEL)


def test_whose_sample_it_is_is_not_in_the_key() -> None:
    assert replace(ASKED, sample="of a trial").key(MODEL) == ASKED.key(MODEL)


def _with_another(kind: type, change: dict[str, Any]) -> Request:
    said = ASKED.messages[1]
    if kind is Request:
        return replace(ASKED, **change)
    if kind is Tool:
        return replace(ASKED, tools=(replace(TOOL, **change),))
    return _with(replace(said, tool_calls=(replace(CALL, **change),)) if kind is ToolCall else replace(said, **change))


def _with(message: Message) -> Request:
    return replace(ASKED, messages=(ASKED.messages[0], message, ASKED.messages[2]))


def test_a_file_is_its_bytes_wherever_it_lies() -> None:
    def key(file: File) -> str:
        return _with(replace(ASKED.messages[1], files=(file,))).key(MODEL)

    assert key(SHOWN) == key(replace(SHOWN, size=8, path=Path("b.png")))
    assert key(SHOWN) != key(replace(SHOWN, sha256="cd"))
    assert key(SHOWN) != key(replace(SHOWN, media_type="application/pdf"))


def test_the_model_is_in_the_key() -> None:
    assert ASKED.key(MODEL) != ASKED.key("anthropic https://api.anthropic.com gpt-4o")


def test_states_are_told_apart() -> None:
    first, second = ({"openai": {"reasoning_content": text}} for text in ("a", "b"))
    message = ASKED.messages[1]
    assert _with(replace(message, state=first)).key(MODEL) != _with(replace(message, state=second)).key(MODEL)
