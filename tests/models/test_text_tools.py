"""Tools as text: a model that knows none is told of them, and what it writes is read as the calls that they are."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.models.conftest import Waits
from tests.models.contract import ALERT, FORECAST, HELLO
from tests.models.reading import read_request
from tests.server import Protocol, Say, Server, Thinker, in_turn
from trialkit.models import Message, ModelSpec, Reply, Request, ToolCall, Traffic, open_model
from trialkit.models.text_calls import called
from trialkit.models.text_tools import in_text

TOOLS = (ALERT, FORECAST)
CALL = '{"name": "create_alert", "arguments": {"price": 4.1}}'
ASKED = Request(messages=(Message(role="system", text="Be brief."), *HELLO.messages), tools=TOOLS, tools_as="text")


def calls(text: str) -> list[tuple[str, Any]]:
    return [(call.name, json.loads(call.arguments)) for call in called(Reply(text=text), TOOLS).tool_calls]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (f"I set it.\n\n```json\n{CALL}\n```", "I set it."),
        (f"```\n{CALL}\n```\n", ""),
        (f"I set it.\n```tool_call\n{CALL}", "I set it."),
        (f"<tool_call>\n{CALL}\n</tool_call>", ""),
        (f"[TOOL_CALLS] [{CALL}]", ""),
        (f"Sure! {CALL} That is it.", "Sure!\n\nThat is it."),
        ('```json\n{"name": "create_alert", "parameters": {"price": 4.1}}\n```', ""),
        ('```json\n{"arguments": {"price": 4.1}, "name": "create_alert"}\n```', ""),
        ('{"function": {"name": "create_alert", "arguments": {"price": 4.1}}}', ""),
        ('{"tool": "create_alert", "arguments": "{\\"price\\": 4.1}"}', ""),
        (
            f"<think>I could {CALL} or not.</think>Yes.\n```json\n{CALL}\n```",
            f"<think>I could {CALL} or not.</think>Yes.",
        ),
    ],
)
def test_a_call_is_read_however_it_is_written(written: str, text: str) -> None:
    reply = called(Reply(text=written), TOOLS)
    assert [(call.name, json.loads(call.arguments)) for call in reply.tool_calls] == [("create_alert", {"price": 4.1})]
    assert (reply.text, reply.stop) == (text, "tools")


def test_several_calls_keep_their_order() -> None:
    written = f'```json\n{CALL}\n```\nand\n```json\n[{{"name": "forecast", "arguments": {{}}}},\n {CALL}]\n```'
    expected = [("create_alert", {"price": 4.1}), ("forecast", {}), ("create_alert", {"price": 4.1})]
    assert calls(written) == expected
    assert len({call.id for call in called(Reply(text=written), TOOLS).tool_calls}) == 3


def test_what_is_marked_as_a_call_is_one_even_of_a_tool_that_there_is_not() -> None:
    assert calls('```json\n{"name": "nosuch", "arguments": {}}\n```') == [("nosuch", {})]
    assert calls('```json\n{"name": "forecast"}\n```') == [("forecast", {})]


@pytest.mark.parametrize(
    "text",
    [
        "No call.",
        '{"name": "Bob", "arguments": {"age": 3}}',
        '{"name": "forecast"}',
        '```json\n{"name": "Bob"}\n```',
        f"<think>{CALL}</think>No.",
        f"{CALL}?\n</think>\n\nNo.",
        '```json\n{"name": "forecast", "arguments": {"a": ',
        '{"name": ["forecast"], "arguments": {}}',
        '{"name":' * 3000,
        "\n" * 300_000 + '"',
    ],
)
def test_anything_else_is_text(text: str) -> None:
    reply = Reply(text=text)
    assert called(reply, TOOLS) is reply


_VALUE = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(), part, max_size=3),
    max_leaves=8,
)
_ARGUMENTS = st.dictionaries(st.text(), _VALUE, max_size=3)


@given(st.lists(st.tuples(st.sampled_from(["forecast", "create_alert"]), _ARGUMENTS), min_size=1, max_size=4))
def test_what_is_told_of_calls_is_read_as_the_same(made: list[tuple[str, Any]]) -> None:
    written = tuple(
        ToolCall(id=str(number), name=name, arguments=json.dumps(arguments))
        for number, (name, arguments) in enumerate(made)
    )
    said = in_text(replace(ASKED, messages=(Message(role="assistant", text="So:", tool_calls=written),))).messages[-1]
    reply = called(Reply(text=said.text), TOOLS)
    assert (reply.text, [(call.name, json.loads(call.arguments)) for call in reply.tool_calls]) == ("So:", made)


@pytest.mark.parametrize("protocol", ["openai", "openai-responses", "anthropic", "gemini"])
async def test_a_conversation(server: Server, waits: Waits, protocol: Protocol) -> None:
    odd = f"Two.\n```json\n{CALL}\n\n{CALL}\n```"
    thinker = Thinker(in_turn(Say(text=odd), Say(text="Done.")))
    server.behave(thinker)
    model = open_model(ModelSpec(name=f"{protocol}/some-model", api_base=server.base(protocol)), Traffic(sleep=waits))
    reply = (await model(ASKED)).reply
    again = Reply.from_data(json.loads(json.dumps(reply.to_data())))  # as from a run file
    said = Message(role="assistant", text=again.text, tool_calls=again.tool_calls, state=again.state)
    results = [Message(role="tool", text=f"set {n}", tool_call_id=call.id) for n, call in enumerate(again.tool_calls)]
    last = Message(role="user", text="And now?")
    done = (await model(replace(ASKED, messages=(*ASKED.messages, said, *results, last)))).reply
    await model.aclose()
    assert (reply.text, len(reply.tool_calls), done.text, done.tool_calls) == ("Two.", 2, "Done.", ())
    first, second = map(read_request, server.requests)
    assert (first.tools, first.parts) == ([], [("user", "hello")])
    assert first.system.startswith("Be brief.\n\nYou can call tools.")
    assert json.dumps("Sets an alert.") in first.system
    returned = "create_alert returned:\nset 0\n\ncreate_alert returned:\nset 1\n\nAnd now?"
    assert second.parts == [("user", "hello"), ("assistant", odd), ("user", returned)]


def test_a_reply_that_was_changed_is_told_as_it_is() -> None:
    reply = called(Reply(text=f"Two.\n{CALL}\n{CALL}"), TOOLS)
    said = Message(role="assistant", text="One.", tool_calls=reply.tool_calls[:1], state=reply.state)
    told = in_text(replace(ASKED, messages=(said,))).messages[-1]
    assert (told.text, told.state) == (f"One.\n\n```json\n{CALL.replace(': ', ':').replace(', ', ',')}\n```", None)


def test_a_forced_tool_is_told() -> None:
    asked = in_text(replace(ASKED, tool_choice="forecast"))
    assert (asked.tool_choice, asked.messages[0].text.endswith("Your next message must call forecast.")) == (None, True)


def test_other_requests_stay_as_they_are() -> None:
    asked = replace(ASKED, tools_as=None)
    assert in_text(asked) is asked
