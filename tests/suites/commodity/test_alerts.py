import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.suites.commodity.samples import LONG, SHORT, answer, scenario
from trialkit.errors import ModelError
from trialkit.models import Reply, ToolCall
from trialkit.suites.commodity.alerts import (
    CREATE_ALERT,
    Analysis,
    NoAlert,
    Suggestion,
    read_calls,
    read_response,
    read_service_answer,
)
from trialkit.suites.commodity.analyzer import analyzer_message

GOOD: dict[str, Any] = {"commodity_code": "CORN", "condition": "below", "threshold_price": 4.1, "notes": "stop"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.sampled_from(sorted(GOOD)), inner),
    max_leaves=8,
)


def _call(arguments: object, name: str = "create_alert") -> ToolCall:
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ToolCall(id="1", name=name, arguments=written)


def _read(calls: list[ToolCall], codes: set[str]) -> tuple[list[Suggestion], list[NoAlert]]:
    analysis, malformed = read_calls("", calls, codes)
    return list(analysis.suggestions), malformed


def test_all_calls_count_in_order() -> None:
    calls = [_call(GOOD), _call(GOOD, name="buy"), _call(GOOD | {"condition": "above", "threshold_price": 5})]
    suggestions, malformed = _read(calls, {"CORN"})
    assert [str(one) for one in suggestions] == ["CORN below 4.1", "CORN above 5"]
    assert [(one["index"], one["name"]) for one in malformed] == [(1, "buy")]
    assert malformed[0]["arguments"] == calls[1].arguments


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("{broken", ["the arguments: is not JSON"]),
        ("", ["the arguments: is not JSON"]),
        ("[1]", ["must be an object"]),
        (GOOD | {"size": 1}, ['"size" is not one of its fields']),
        ({"commodity_code": "CORN", "condition": "below"}, ['"threshold_price" is missing', '"notes" is missing']),
        (GOOD | {"threshold_price": True}, ['"threshold_price" must be a number, not true']),
        (GOOD | {"threshold_price": "4.1"}, ['"threshold_price" must be a number, not "4.1"']),
        (GOOD | {"threshold_price": -1}, ["must be a finite number above 0, not -1"]),
        (GOOD | {"threshold_price": 0}, ["must be a finite number above 0"]),
        (GOOD | {"threshold_price": float("inf")}, ["must be a finite number above 0, not Infinity"]),
        (GOOD | {"threshold_price": float("nan")}, ["not NaN"]),
        (GOOD | {"condition": "Below"}, ['"condition" must be "above" or "below"']),
        (GOOD | {"commodity_code": "corn"}, ['"corn" is not among the positions ("CORN")']),
        (GOOD | {"notes": None}, ['"notes" must be a text']),
        (GOOD | {"condition": 1, "commodity_code": "RICE"}, ['"condition" must be', '"RICE" is not among']),
    ],
)
def test_a_malformed_call_says_everything_that_is_wrong(arguments: object, said: str) -> None:
    suggestions, (malformed,) = _read([_call(arguments)], {"CORN"})
    assert suggestions == []
    assert len(malformed["problems"]) == len(said)
    assert all(part in problem for part, problem in zip(said, malformed["problems"], strict=True))


@pytest.mark.parametrize("innermost", ["1", r'"\u0000"'])
def test_however_deep_a_call_is_nested_it_is_malformed(innermost: str) -> None:
    for depth in range(400, 1010):  # of these, some can be read but not looked through or shown again
        calls = [_call(f'{{"notes": {"[" * depth}{innermost}{"]" * depth}}}'), _call("[" * depth + "]" * depth)]
        assert len(_read(calls, {"CORN"})[1]) == 2


@given(st.lists(st.one_of(st.text(), JSON.map(json.dumps), st.just(json.dumps(GOOD)))), st.sampled_from(["CORN", "é"]))
def test_every_call_is_a_suggestion_or_malformed(written: list[str], code: str) -> None:
    calls = [_call(text) for text in written]
    suggestions, malformed = _read(calls, {code})
    assert len(suggestions) + len(malformed) == len(calls)
    assert all(one.commodity_code == code and 0 < one.threshold_price < float("inf") for one in suggestions)
    assert all(one["problems"] for one in malformed)


def test_the_schema_asks_for_what_is_read() -> None:
    assert set(CREATE_ALERT.parameters["required"]) == set(GOOD) == set(CREATE_ALERT.parameters["properties"])
    assert CREATE_ALERT.parameters["additionalProperties"] is False


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    st.lists(
        st.builds(
            Suggestion,
            commodity_code=st.sampled_from(["CORN", "大豆"]),
            condition=st.sampled_from(["above", "below"]),
            threshold_price=st.floats(1e-9, 1e12) | st.integers(1, 10**9),
            notes=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
        )
    ),
)
def test_an_analysis_survives_json(reasoning: str, suggestions: list[Suggestion]) -> None:
    analysis = Analysis(reasoning=reasoning, suggestions=tuple(suggestions))
    assert read_response(json.dumps(analysis.to_data())) == analysis
    assert Analysis.from_data(json.loads(json.dumps(analysis.to_data()))) == analysis


def test_a_services_answer_is_read() -> None:
    body = {"reasoning": "so\ud800 it is", "suggestions": [GOOD, GOOD | {"threshold_price": -1}, 7], "model": "v3"}
    analysis, malformed = read_service_answer(json.dumps(body), {"CORN"})
    assert analysis == Analysis(reasoning="so\ufffd it is", suggestions=(Suggestion(**GOOD),))
    assert [(one["index"], one["name"]) for one in malformed] == [(1, "suggestion"), (2, "suggestion")]
    assert json.loads(malformed[0]["arguments"])["threshold_price"] == -1


def test_a_field_more_is_a_services_own_affair_and_a_models_fault() -> None:
    more = GOOD | {"id": 7, "created_at": "2026-11-19"}
    analysis, malformed = read_service_answer(json.dumps({"reasoning": "", "suggestions": [more]}), {"CORN"})
    assert (analysis.suggestions, malformed) == ((Suggestion(**GOOD),), [])
    suggestions, (bad,) = _read([_call(more)], {"CORN"})
    assert (suggestions, bad["problems"]) == (
        [],
        ['"id" is not one of its fields', '"created_at" is not one of its fields'],
    )


def test_no_suggestions_may_be_null() -> None:
    analysis, malformed = read_service_answer('{"reasoning": "all is well", "suggestions": null}', {"CORN"})
    assert (analysis.suggestions, malformed) == ((), [])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<html>", "the service's answer is not JSON"),
        ("[]", "must be an object"),
        ("{}", '"reasoning" is missing; "suggestions" is missing'),
        ('{"reasoning": null, "suggestions": []}', '"reasoning" must be a text'),
        ('{"reasoning": "", "suggestions": {}}', '"suggestions" must be an array'),
    ],
)
def test_another_answer_of_a_service_is_no_reply(body: str, said: str) -> None:
    with pytest.raises(ModelError) as error:
        read_service_answer(body, {"CORN"})
    assert error.value.kind == "bad_reply"
    assert said in str(error.value)


def test_a_reply_is_reasoning_and_suggestions() -> None:
    reply = Reply(text=" It may\0 fall. ", tool_calls=(_call(GOOD), _call("no")))
    analysis, malformed = read_calls(reply.text, reply.tool_calls, {"CORN"})
    assert analysis.reasoning == "It may\ufffd fall."
    assert [str(one) for one in analysis.suggestions] == ["CORN below 4.1"]
    assert len(malformed) == 1


def test_the_analyzer_is_told_the_positions_and_not_the_truth() -> None:
    told = analyzer_message(scenario(positions=(LONG, SHORT)))
    assert "User: Alice" in told
    assert '{"commodity_code": "CORN", "direction": "short", "volume": 20000, "entry_price": 4.8}' in told
    assert '{"commodity_code": "CORN", "price": 4.25}' in told
    assert "a test" not in told
    assert "3.8" not in told


def test_an_analysis_without_suggestions_is_one() -> None:
    said = answer(reasoning="nothing to do")
    assert read_response(json.dumps(said.to_data())) == said
