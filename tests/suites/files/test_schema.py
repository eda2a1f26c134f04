"""The JSON schema for editors says of a suite what its reader says."""

import json
from typing import Any

import pytest
from jsonschema import Draft7Validator

from tests.suites.files.here import Here
from trialkit.judges.kinds import KINDS
from trialkit.suites.files.document import Document
from trialkit.suites.files.schema import schema_of_suites

SCHEMA = schema_of_suites()
SOUND = {"cases": [{"id": 1, "text": "a", "n": 1}], "prompt": "{{ text }}", "judges": {"a": {"equals": "{{ text }}"}}}
GOOD: list[dict[str, Any]] = [
    {},
    {"judges": {"a": {"equals": {"value": "{{ text }}", "case": True}}}},
    {"judges": {"a": {"contains": None, "any": ["x", "y"]}}},
    {"judges": {"a": {"tool_call": "look"}, "b": {"tool_call": [{"name": "look", "arguments": {"a": 1}}]}}},
    {"judges": {"a": {"json": {"schema": {"type": "object"}}}, "b": {"latency": 3}, "c": {"number": 4, "within": 0.5}}},
    {"settings": {"trials": 3, "max_cost": 2.5}, "matrix": {"temperature": [0, 1]}},
    {"messages": [{"role": "user", "content": "{{ text }}"}], "prompt": None},
    {"user": {"persona": "You are {{ text }}.", "goal": "x", "may_tell": ["a", "b"]}, "prompt": None},
    {"user": "You want {{ text }}.", "prompt": None},
    {"judges": {"a": {"model": ["x", "y"]}, "b": {"model": {"scale": {1: "bad", 5: "good"}, "question": "how good"}}}},
    {"judges": {"a": {"model": {"classes": ["x", "y"], "passes": "x", "reference": "{{ text }}"}}}},
    {"judges": {"a": {"model": {"scale": [1, 5], "question": "x"}}, "b": {"model": {"against": "{{ text }}"}}}},
    {"judges": {"a": {"label": "{{ text }}", "classes": {"a": ["b", "c"], "d": "e", "f": None}}, "b": {"cost": 0.01}}},
    {"tools": [{"name": "look", "parameters": {"type": "object"}}], "output": {"type": "object"}, "max_steps": 3},
]
BAD: list[dict[str, Any]] = [
    {"promt": "x"},
    {"cases": 5},
    {"judges": {}},
    {"judges": {"a": {"equal": "x"}}},
    {"judges": {"a": {"equals": "x", "cas": True}}},
    {"judges": {"a": {"equals": {"value": "x", "cas": True}}}},
    {"judges": {"a": {"number": 4, "within": "near"}}},
    {"messages": [{"role": "robot", "content": "x"}], "prompt": None},
    {"max_steps": 0},
    {"settings": {"trails": 3}},
    {"settings": {"trials": 0}},
    {"matrix": {"trails": [1]}},
    {"output": 3},
    {"trials": 3},
    {"user": {"gaol": "x"}, "prompt": None},
    {"user": 5, "prompt": None},
]


@pytest.mark.parametrize("change", GOOD, ids=str)
def test_what_is_read_is_right_in_an_editor(here: Here, change: dict[str, Any]) -> None:
    assert list(Draft7Validator(SCHEMA).iter_errors({**SOUND, **change})) == []
    assert _read(here, change) == 0


@pytest.mark.parametrize("change", BAD, ids=str)
def test_what_is_refused_is_wrong_in_an_editor(here: Here, change: dict[str, Any]) -> None:
    assert list(Draft7Validator(SCHEMA).iter_errors({**SOUND, **change})) != []
    assert _read(here, change) == 2


def test_every_key_and_kind_has_a_description() -> None:
    Draft7Validator.check_schema(SCHEMA)
    assert set(SCHEMA["properties"]) == set(Document.model_fields)
    assert all(one["description"] for one in SCHEMA["properties"].values())
    kinds = SCHEMA["properties"]["judges"]["additionalProperties"]["anyOf"]
    assert [one["required"] for one in kinds] == [[name] for name in KINDS]


def _read(here: Here, change: dict[str, Any]) -> int:
    here.write(suite_yaml=json.dumps({**SOUND, **change}))
    return here("check", "suite.yaml").status
