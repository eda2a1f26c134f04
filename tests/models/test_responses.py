"""What only OpenAI's Responses have."""

from typing import Any

import pytest

from tests.models.contract import ALERT, HELLO
from trialkit.models import Message, Reply, Request, ToolCall
from trialkit.models.protocols import ModelAddress, NothingUsableError
from trialkit.models.protocols.responses import RESPONSES, can_reason

USER = HELLO.messages[0]
SEALED: dict[str, Any] = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [],
    "encrypted_content": "sealed",
    "status": None,
}
CALL = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "look", "arguments": "{}"}


def asked(*messages: Message, model: str = "gpt-5") -> Any:
    return RESPONSES.fields(Request(messages=messages), ModelAddress(base=RESPONSES.base, model=model))


def said(*parts: Any, phase: str | None = None) -> dict[str, Any]:
    return {"type": "message", "id": "msg_1", "role": "assistant", "phase": phase, "content": list(parts)}


def text(written: str) -> dict[str, Any]:
    return {"type": "output_text", "text": written, "annotations": []}


def read(*output: Any, **told: Any) -> Reply:
    return RESPONSES.reply({"status": "completed", "output": list(output), **told})


def test_what_was_thought_goes_back_with_all_that_followed() -> None:
    output = [SEALED, said(text("I look."), phase="commentary"), CALL, {**CALL, "id": "fc_2", "call_id": "call_2"}]
    reply = read(*output)
    assert (reply.text, [call.id for call in reply.tool_calls], reply.stop) == (
        "I look.",
        ["call_1", "call_2"],
        "tools",
    )
    turn = Message(role="assistant", text=reply.text, tool_calls=reply.tool_calls, state=reply.state)
    sealed = {name: value for name, value in SEALED.items() if name != "status"}  # null is not taken back
    assert asked(USER, turn)["input"][1:] == [sealed, *output[1:]]


def test_thoughts_are_asked_for_where_there_are_any() -> None:
    assert asked(USER)["include"] == ["reasoning.encrypted_content"]
    assert "include" not in asked(USER, model="gpt-4o")


@pytest.mark.parametrize(
    ("model", "whether"),
    [
        ("gpt-5.1", True),
        ("o3", True),
        ("gpt-10", True),
        ("openai/o4-mini", True),
        ("gpt-4o", False),
        ("gpt-5-chat-latest", False),
    ],
)
def test_who_can_reason(model: str, whether: bool) -> None:
    assert can_reason(model) is whether


def test_what_was_said_by_others_is_written_anew() -> None:
    call = ToolCall(id="a", name="look", arguments="{")
    items = asked(
        USER, Message(role="assistant", tool_calls=(call,)), Message(role="tool", text="ok", tool_call_id="a")
    )
    assert items["input"][1:] == [
        {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{"},
        {"type": "function_call_output", "call_id": "a", "output": "ok"},
    ]


def test_tools_are_not_strict() -> None:
    """Unless a request says so, they are: and a schema with anything optional would be refused."""
    assert RESPONSES.tools((ALERT,))[0]["strict"] is False


@pytest.mark.parametrize(("reason", "stop"), [("max_output_tokens", "length"), ("content_filter", "filter")])
def test_an_answer_that_is_not_complete(reason: str, stop: str) -> None:
    reply = read(said(text("and th")), status="incomplete", incomplete_details={"reason": reason})
    assert (reply.text, reply.stop) == ("and th", stop)


def test_a_refusal_is_what_was_said() -> None:
    reply = read(SEALED, said({"type": "refusal", "refusal": "I will not."}))
    assert (reply.text, reply.stop) == ("I will not.", "filter")


def test_nothing_but_thoughts_is_a_reply() -> None:
    cut = read(SEALED, status="incomplete", incomplete_details={"reason": "max_output_tokens"})
    assert (cut.text, cut.stop) == ("", "length")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "no output"),
        ({"output": []}, "no output"),
        ({"status": "failed", "error": {"code": "server_error", "message": "broken"}, "output": []}, "broken"),
    ],
)
def test_nothing_usable(data: Any, says: str) -> None:
    with pytest.raises(NothingUsableError, match=says):
        RESPONSES.reply(data)
