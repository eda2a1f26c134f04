"""The judge of JSON."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from trialkit.judges.kinds import KINDS, Attempt
from trialkit.judges.kinds.paths import at_path, path_of, read_path

from .trying import expected, judge_of, outcomes, verdict

ORDER = {
    "type": "object",
    "properties": {"sku": {"type": "string", "pattern": "^[A-Z]{2}$"}, "n": {"type": "integer", "minimum": 1}},
    "required": ["sku", "n"],
}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text("a.b[]\"' ß"), inside, max_size=3),
)

DEEP = {"$ref": "#/$defs/lists", "$defs": {"lists": {"type": "array", "items": {"$ref": "#/$defs/lists"}}}}


def written(rng: random.Random, value: Any) -> str:
    text = json.dumps(value, indent=rng.choice([None, 2]))
    return rng.choice([text, f"  {text}\n", f"```json\n{text}\n```", f"Here it is:\n```\n{text}\n```\nBye."])


async def test_schemas_whose_truth_is_known() -> None:
    rng = random.Random(7)
    attempts, truths = [], []
    for _ in range(250):
        order: dict[str, Any] = {"sku": rng.choice(["AB", "ZZ"]), "n": rng.randint(1, 9), "x": None}
        right = rng.random() < 0.5
        if not right:
            order |= rng.choice([{"sku": "abc"}, {"n": 0}, {"n": "3"}, {"n": 1.5}, {"sku": None}])
        attempts.append(Attempt(case={}, text=written(rng, order)))
        truths.append(right)
    assert await outcomes(judge_of("json", schema=ORDER), attempts) == expected(truths)


async def test_values_at_a_path_whose_truth_is_known() -> None:
    rng = random.Random(8)
    attempts, truths = [], []
    for _ in range(250):
        teams, right = rng.sample(["a", "b", "c", 3, True, 2.5], 3), rng.random() < 0.5
        case = {"team": rng.choice([teams[1], json.dumps(teams[1]).strip('"')]) if right else teams[0]}
        attempts.append(Attempt(case=case, text=written(rng, {"of": {"the teams": teams}})))
        truths.append(right)
    judge = judge_of("json", path="$.of['the teams'][1]", value="{{ team }}")
    assert await outcomes(judge, attempts) == expected(truths)


@pytest.mark.parametrize(
    ("text", "settings", "outcome"),
    [
        ('{"a": 1}', {}, "pass"),
        ("a: 1", {}, "fail"),
        ("a: 1", {"not": True}, "pass"),
        ('{"a": NaN}', {}, "fail"),
        ("```\n1\n```\n```\n2\n```", {}, "fail"),
        ('{"a": [1]}', {"path": "a[0]"}, "pass"),
        ('{"a": [1]}', {"path": "a[1]"}, "fail"),
        ('{"a": [1]}', {"path": "a[-1]", "value": 1}, "pass"),
        ('{"a": 1}', {"value": {"a": 1}}, "pass"),
        ('{"a": 1, "b": 2}', {"value": {"a": 1}}, "fail"),
        ('{"a": true}', {"path": "a", "value": 1}, "fail"),
        ('\ufeff{"a": 1}', {"path": "a"}, "pass"),
        ('  - so:\n    ```json\n    {"a": 1}\n    ```', {"path": "a"}, "pass"),
        ('```json\r\n{"a": 1}\r\n```\r\n', {"path": "a"}, "pass"),
        ('Here: {"a": 1}', {"path": "a"}, "fail"),
        ('{"a": "1"}', {"path": "a", "value": 1}, "fail"),
        ('{"a": null}', {"path": "a"}, "pass"),
        ("[" * 79 + "]" * 79, {"schema": DEEP}, "pass"),
        ("[" * 90 + "]" * 90, {"schema": DEEP}, "fail"),
        ("[" * 900 + "]" * 900, {"schema": DEEP}, "fail"),
        ("1", {"schema": {"$ref": "#"}}, "error"),
        ("1", {"schema": {"$id": "http://localhost:9/", "$ref": "x"}}, "error"),
        ("[" * 200_000 + "]" * 200_000, {}, "fail"),
        (f'"{"a" * 60}!"', {"schema": {"pattern": "^(a+)+$"}}, "error"),
    ],
)
def test_settings_of_json(text: str, settings: dict[str, Any], outcome: str) -> None:
    assert verdict(judge_of("json", **settings), text).outcome == outcome


def test_the_final_state_can_be_looked_at() -> None:
    judge = judge_of("json", sees="state", path="orders.A1.status", value="{{ status }}")
    assert verdict(judge, "Done", {"status": "sent"}, state={"orders": {"A1": {"status": "sent"}}}).outcome == "pass"
    found = verdict(judge, "Done", {"status": "sent"}, state={"orders": {}})
    assert (found.outcome, found.critique) == ("fail", "there is nothing at $.orders.A1")
    assert judge.explain({"status": "sent"}) == (
        'passes if $.orders.A1.status is "sent" in the environment\'s state at the end'
    )
    assert KINDS["json"].columns(judge.settings) == {"status"}


def test_what_was_read_of_the_answer_already_counts() -> None:
    assert verdict(judge_of("json", path="a", value=1), "no JSON", value={"a": 1}).outcome == "pass"


def test_what_does_not_fit_is_told() -> None:
    found = verdict(judge_of("json", schema=ORDER), '{"sku": "AB", "n": 0}')
    assert found.critique == "it does not fit the schema: $.n: 0 is less than the minimum of 1"


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "numbr"}, "this is no JSON schema: $.type: 'numbr' is not valid"),
        ({"properties": {"a": {"minimum": "x"}}}, "$.properties.a.minimum: 'x' is not of type 'number'"),
        ({"pattern": "("}, "$.pattern: '(' is not a 'regex'"),
        ({"$ref": "http://localhost:9/x"}, "refers to http://localhost:9/x, which is not in it; nothing is fetched"),
        ({"items": {"$ref": "#/$defs/x"}}, "refers to #/$defs/x, which is not in it"),
    ],
)
def test_a_schema_that_is_none_is_refused(schema: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as caught:
        judge_of("json", schema=schema)
    assert said in str(caught.value)


def test_what_looks_like_a_reference_and_is_data_is_none() -> None:
    judge = judge_of("json", schema={"properties": {"$ref": {"type": "string"}}, "enum": [{"$ref": "x"}]})
    assert verdict(judge, '{"$ref": "x"}').outcome == "pass"


def test_a_path_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValidationError, match=r"cannot be read from '\[\]'; write it like"):
        judge_of("json", path="a[]")


@given(VALUES, st.data())
def test_every_place_has_a_path(value: Any, data: st.DataObject) -> None:
    steps: list[str | int] = []
    found: Any = value
    while isinstance(found, list | dict) and found and data.draw(st.booleans()):
        places: list[str | int] = list(found) if isinstance(found, dict) else list(range(len(found)))
        steps.append(data.draw(st.sampled_from(places)))
        found = at_path(found, steps[-1:])
    if not any(isinstance(step, str) and '"' in step for step in steps):
        assert at_path(value, read_path(path_of(steps))) == found
