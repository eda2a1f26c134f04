"""The JSON schema that a reply is to fit: as providers hold a model to it, or in words where they cannot."""

from collections.abc import Set as AbstractSet
from dataclasses import replace

from trialkit.text.json import Json, JsonObject, dump

from .types import Message, Request

#: More levels than providers take.
_DEEPEST = 10
#: What providers know of JSON schema that hold a model to one; they refuse a schema with anything else.
HELD = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs"}
    | {"definitions", "title", "description", "pattern", "format"}
)


def in_words(request: Request) -> Request:
    """The same request, with the schema told in its system message."""
    told = f"Answer with one JSON value that fits this JSON schema, and with nothing else:\n{dump(request.output)}"
    first, *others = request.messages or (Message(role="system"),)
    if first.role == "system":
        first = replace(first, text=f"{first.text}\n\n{told}".strip())
    else:
        first, others = Message(role="system", text=told), [first, *others]
    return replace(request, messages=(first, *others), output=None)


def closed(schema: Json, known: AbstractSet[str], *, complete: bool) -> JsonObject | None:
    """The schema with objects that take nothing but what they name, as providers want it; None: it cannot be had so.

    `complete`: each object must demand all that it names. What fits the closed schema fits the open one, too.
    """
    try:
        return _closed(schema, known, complete, 0)
    except _NotSoError:
        return None


class _NotSoError(Exception):
    """A part of the schema that providers refuse."""


def _closed(schema: Json, known: AbstractSet[str], complete: bool, level: int) -> JsonObject:
    if not isinstance(schema, dict) or not schema.keys() <= known or level > _DEEPEST:
        raise _NotSoError
    found: JsonObject = dict(schema)
    if "object" in (schema.get("type"), *_list(schema.get("type"))):
        named = schema.get("properties", {})
        if not named or schema.get("additionalProperties", False) is not False:  # it takes what it does not name
            raise _NotSoError
        if complete and {*_list(schema.get("required"))} != {*named}:
            raise _NotSoError
        found["additionalProperties"] = False
    for key, value in schema.items():
        if key in {"properties", "$defs", "definitions"}:
            parts = value if isinstance(value, dict) else {"": None}
            found[key] = {name: _closed(part, known, complete, level + 1) for name, part in parts.items()}
        elif key == "anyOf":
            found[key] = [_closed(part, known, complete, level + 1) for part in _list(value)]
        elif key == "items":
            found[key] = _closed(value, known, complete, level + 1)
    return found


def _list(value: object) -> list[Json]:
    return value if isinstance(value, list) else []
