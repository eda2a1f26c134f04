"""Arguments against a tool's schema: as much of JSON Schema as the benchmarks' tools use."""

from collections.abc import Iterator, Mapping
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def mismatches(value: object, schema: Mapping[str, Any], name: str) -> Iterator[str]:
    """What in the value is not as the schema has it, one phrase each; `name` says which value it is."""
    kind = schema.get("type")
    if isinstance(kind, str) and kind in _TYPES and not _is(value, kind):
        yield f"{name} is {value!r} where the schema has {kind}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{name} is {value!r} where the schema has {' or '.join(map(repr, schema['enum']))}"
    if isinstance(value, list):
        for number, part in enumerate(value):
            yield from mismatches(part, schema.get("items", {}), f"{name}[{number}]")
    if isinstance(value, dict):
        yield from _members(value, schema, name)


def _members(value: dict[str, object], schema: Mapping[str, Any], name: str) -> Iterator[str]:
    known = schema.get("properties", {})
    for key in schema.get("required", ()):
        if key not in value:
            yield f"{name} has no {key!r}"
    for key, part in value.items():
        if key in known:
            yield from mismatches(part, known[key], f"{name}.{key}")
        else:
            yield f"{name} has {key!r}, which the schema does not know"


def _is(value: object, kind: str) -> bool:
    # In Python a bool is an int; in JSON it is not a number.
    return isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
