"""JSON schemas that a suite brings: what is wrong with one is told before anything is asked."""

from collections.abc import Iterator
from typing import Any

from trialkit.text.json import JsonObject
from trialkit.text.short import shortened

#: What stands there is data, whatever it looks like.
_DATA = {"const", "default", "enum", "examples"}


def check_schema(schema: JsonObject) -> None:
    """ValueError says what is wrong, and where in the schema."""
    from jsonschema.exceptions import SchemaError  # noqa: PLC0415 - 0.1 s to import
    from jsonschema.validators import validator_for  # noqa: PLC0415 - likewise
    from referencing import Registry  # noqa: PLC0415 - likewise
    from referencing.exceptions import Unresolvable  # noqa: PLC0415 - likewise
    from referencing.jsonschema import DRAFT202012  # noqa: PLC0415 - likewise

    try:
        validator_for(schema).check_schema(schema)
    except SchemaError as error:
        told = shortened(error.message, 150)
        raise ValueError(
            f"this is no JSON schema: {error.json_path}: {told}; write it as json-schema.org says"
        ) from None
    except RecursionError:
        raise ValueError("the JSON schema is nested too deeply to be read; write a flatter one") from None
    found = list(_references(schema))
    if any("$id" in part for _, part in found):  # these are told from another place than the top
        return
    resolver = Registry().with_resource("", DRAFT202012.create_resource(schema)).resolver()
    for reference, _ in found:
        try:
            resolver.lookup(reference)
        except (Unresolvable, ValueError):
            wrong = f"the JSON schema refers to {shortened(reference)}, which is not in it"
            raise ValueError(f"{wrong}; nothing is fetched: write it under `$defs`") from None


def _references(schema: Any) -> Iterator[tuple[str, JsonObject]]:
    """Of each object in it, what it refers to; an empty one is the top."""
    parts = [schema]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            reference = part.get("$ref")
            yield reference if isinstance(reference, str) else "", part
            parts += [value for key, value in part.items() if key not in _DATA]
        elif isinstance(part, list):
            parts += part
