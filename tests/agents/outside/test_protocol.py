"""Answers of agents: what is understood, and what is said of the rest."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.agents.outside import Answer, read_answer
from trialkit.agents.outside.protocol import AgentFault, ProtocolError
from trialkit.text.json import dump

USER = {"n": 3, "type": "user", "text": "hi"}
NONE = {"input_tokens": 0, "output_tokens": 0}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(["n", "type", "text", "calls", "usage", "notes", "tools", "name", "protocol", "kind"])


def read(**fields: Any) -> Answer:
    return read_answer(json.dumps({"n": 3, **fields}), USER)


def test_a_reply() -> None:
    answer = read(type="reply", text="hello", notes=["thought"], usage={"input_tokens": 3, "output_tokens": 4})
    assert (answer.text, answer.calls, answer.notes) == ("hello", (), ["thought"])
    assert answer.usage is not None
    assert (answer.usage[0].input_tokens, answer.usage[0].cost) == (3, None)


def test_calls_get_ids_and_arguments_may_be_what_a_model_wrote() -> None:
    calls = [{"name": "a", "arguments": {"x": 1}}, {"id": "mine", "name": "b", "arguments": "{not json"}, {"name": "c"}]
    answer = read(type="calls", calls=calls)
    assert [(call.id, call.name, call.arguments) for call in answer.calls] == [
        ("call_3_0", "a", '{"x": 1}'),
        ("mine", "b", "{not json"),
        ("call_3_2", "c", "{}"),
    ]


def test_fields_of_later_versions_are_let_be() -> None:
    assert read(type="reply", text="x", mood="good").text == "x"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"n": 2, "type": "reply", "text": ""}, "out of turn"),
        ({"n": True, "type": "reply", "text": ""}, "out of turn"),
        ({"type": "ready", "protocol": 1}, "instead of"),
        ({"type": "reply"}, 'without "text"'),
        ({"type": "reply", "text": 5}, "text: .*string .found 5"),
        ({"type": "calls"}, "calls: .*list"),
        ({"type": "calls", "calls": []}, "calls: .*at least 1"),
        ({"type": "calls", "calls": ["x"]}, "calls → 0: .*dictionary .found"),
        ({"type": "calls", "calls": [{"name": "x", "arguments": [1]}]}, "calls → 0 → arguments: .*string"),
        ({"type": "reply", "text": "", "usage": 4}, "usage → 0: .*dictionary .found 4"),
        (
            {"type": "reply", "text": "", "usage": {"input_tokens": -1, "output_tokens": 0}},
            "0 → input_tokens: .*found -1",
        ),
        (
            {"type": "reply", "text": "", "usage": {"input_tokens": 1, "output_tokens": 0, "cost": "1"}},
            "0 → cost",
        ),
        (
            {"type": "reply", "text": "", "usage": {"input_tokens": 2**63, "output_tokens": 0}},
            "tokens: .*less",
        ),
        (
            {"type": "reply", "text": "", "usage": {"input_tokens": 1, "output_tokens": 0, "cost": 1e300}},
            "0 → cost",
        ),
        ({"type": "reply", "text": "", "notes": "x"}, "notes: .*list"),
        ({"type": "calls", "calls": [{"name": "x"}] * 20_000}, "calls: .*at most 1000 items"),
        ({"type": "reply", "text": "", "notes": ["x"] * 1001}, "notes: .*at most 1000 items"),
        ({"type": "reply", "text": "", "usage": [NONE] * 1001}, "usage: .*at most 1000 items"),
    ],
)
def test_what_is_wrong_is_said(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ProtocolError, match=said):
        read(**fields)


@pytest.mark.parametrize("text", ["", "hello", "[1]", '{"n": NaN}', "[" * 100_000, '{"n": 3, "type": "re'])
def test_what_is_no_object_is_no_answer(text: str) -> None:
    with pytest.raises(ProtocolError, match="not"):
        read_answer(text, USER)


def test_an_answer_that_is_nested_too_deeply_is_none() -> None:
    deep = "[" * 5000 + "]" * 5000
    with pytest.raises(ProtocolError, match=r"not JSON|nested too deeply"):
        read_answer(f'{{"n": 3, "type": "calls", "calls": [{{"name": "a", "arguments": {{"b": {deep}}}}}]}}', USER)


def test_another_version_is_not_talked_to() -> None:
    with pytest.raises(ProtocolError, match="protocol 2"):
        read_answer('{"n": 0, "type": "ready", "protocol": 2}', {"n": 0, "type": "start"})


def test_an_agent_may_say_that_it_cannot_go_on() -> None:
    with pytest.raises(AgentFault, match="full") as fault:
        read(type="error", kind="context_overflow", message="full")
    assert fault.value.kind == "context_overflow"
    with pytest.raises(AgentFault) as fault:
        read(type="error", kind="bad mood")
    assert fault.value.kind == "server"


@given(st.dictionaries(FIELDS, JSON, max_size=6), st.sampled_from(["start", "user", "results", "end"]))
def test_any_json_is_understood_or_refused(fields: dict[str, Any], to: str) -> None:
    try:
        answer = read_answer(json.dumps({"n": 3, **fields}), {"n": 3, "type": to})
    except (ProtocolError, AgentFault):
        return
    dump({"text": answer.text, "calls": [call.arguments for call in answer.calls]}).encode()


@given(st.text())
def test_any_text_goes_in_one_line(text: str) -> None:
    assert "\n" not in dump({"text": text})
    assert json.loads(dump({"text": text}))["text"] == text


def test_what_people_are_shown_steers_no_terminal() -> None:
    told = {"n": 3, "type": "ready", "protocol": 1, "name": "a\x1b[31m\nb", "version": "v" * 1000, "mode": "\x07"}
    ready = read_answer(json.dumps(told), {"n": 3, "type": "start"})
    assert (ready.name, ready.version, ready.mode) == ("a\ufffd[31m b", "v" * 100, "\ufffd")
    with pytest.raises(AgentFault) as fault:
        read(type="error", message="no\nmore \x1b[2J")
    assert str(fault.value) == "no more \ufffd[2J"


def test_half_a_character_is_replaced() -> None:
    assert read_answer('{"n": 3, "type": "reply", "text": "\\ud800!"}', USER).text == "\ufffd!"
