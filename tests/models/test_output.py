"""The schema of a reply: closed where a provider holds a model to it, else told in words."""

import json
from typing import Any

import pytest

from tests.models.conftest import Waits
from tests.models.reading import read_request
from tests.server import Server
from trialkit.models import Message, ModelSpec, Request, Traffic, open_model
from trialkit.models.output import HELD, closed, in_words

TEAM = {"type": "object", "properties": {"team": {"type": "string"}, "why": {"type": "string"}}, "required": ["team"]}
ALL = {**TEAM, "required": ["team", "why"]}
SHUT = {"additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "complete", "is_held"),
    [
        (ALL, True, {**ALL, **SHUT}),
        (TEAM, False, {**TEAM, **SHUT}),
        (TEAM, True, None),
        ({**ALL, **SHUT}, True, {**ALL, **SHUT}),
        ({**ALL, "additionalProperties": True}, False, None),
        ({"type": "object"}, False, None),
        ({"type": ["object", "null"]}, False, None),
        ({"type": "array", "items": ALL}, True, {"type": "array", "items": {**ALL, **SHUT}}),
        ({"type": "array", "items": TEAM}, True, None),
        ({"anyOf": [ALL, {"type": "null"}]}, True, {"anyOf": [{**ALL, **SHUT}, {"type": "null"}]}),
        ({"$ref": "#/$defs/a", "$defs": {"a": ALL}}, True, {"$ref": "#/$defs/a", "$defs": {"a": {**ALL, **SHUT}}}),
        ({"type": "string", "minLength": 2}, False, None),
        ({"type": "object", "properties": []}, False, None),
        ({"type": "object", "properties": "team"}, False, None),
        ({"anyOf": [True]}, False, None),
        (True, False, None),
    ],
    ids=lambda value: json.dumps(value)[:50],
)
def test_what_a_model_can_be_held_to(schema: Any, complete: bool, is_held: Any) -> None:
    assert closed(schema, HELD, complete=complete) == is_held


def test_a_schema_of_any_depth_is_read() -> None:
    schema: Any = {"type": "string"}
    for _ in range(5000):
        schema = {"type": "array", "items": schema}
    assert closed(schema, HELD, complete=False) is None


@pytest.mark.parametrize(
    ("schema", "strict"), [(ALL, True), (TEAM, False), ({**ALL, "title": "a", "maxProperties": 3}, False)]
)
async def test_openai_is_given_any_schema_strict_where_it_can_be(
    server: Server, waits: Waits, schema: Any, strict: bool
) -> None:
    sent = (await body(server, waits, "openai/gpt-5", schema))["response_format"]
    assert sent["type"] == "json_schema"
    named = sent["json_schema"]
    assert named == {"name": "answer", "schema": {**schema, **(SHUT if strict else {})}, "strict": strict}


async def test_what_anthropic_refuses_is_told_in_words(server: Server, waits: Waits) -> None:
    sent = await body(server, waits, "anthropic/claude-sonnet-4-5", {"type": "string", "minLength": 2})
    assert "output_config" not in sent
    assert sent["system"].startswith("Be brief.\n\nAnswer with one JSON value that fits this JSON schema")
    assert sent["system"].endswith('{"type":"string","minLength":2}')


async def body(server: Server, waits: Waits, name: str, schema: Any) -> Any:
    model = open_model(
        ModelSpec(name=name, api_base=server.base("openai" if "gpt" in name else "anthropic")), Traffic(sleep=waits)
    )
    system, user = Message(role="system", text="Be brief."), Message(role="user", text="hello")
    await model(Request(messages=(system, user), output=schema))
    await model.aclose()
    assert read_request(server.requests[0]).parts == [("user", "hello")]
    return server.requests[0].body


def test_without_a_system_message_there_is_one_then() -> None:
    hello = Message(role="user", text="hello")
    told = in_words(Request(messages=(hello,), output={"type": "number"}))
    assert [message.role for message in told.messages] == ["system", "user"]
    assert told.messages[0].text.endswith('{"type":"number"}')
    assert (told.messages[1], told.output) == (hello, None)
