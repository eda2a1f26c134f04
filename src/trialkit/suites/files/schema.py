"""The JSON schema of a suite's file, for editors: made of what the reader itself goes by."""

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from trialkit.judges.kinds import KINDS, JudgeKind
from trialkit.text.json import JsonObject

from .document import Document
from .settings import all_settings
from .tools import without_titles

#: What the file that `trialkit init` writes beside a suite is called.
SCHEMA_FILE = "suite.schema.json"
_DIALECT = "http://json-schema.org/draft-07/schema#"


def schema_of_suites() -> JsonObject:
    """Draft 7, which every editor knows."""
    schema, settings = _schema_of(Document), _schema_of(all_settings())
    shared = {**schema.pop("$defs", {}), **settings.pop("$defs", {})}
    kinds = [_judge(kind, shared) for kind in KINDS.values()]
    schema["properties"]["judges"]["additionalProperties"] = {"anyOf": kinds}
    schema["properties"]["settings"] |= {key: settings[key] for key in ("properties", "additionalProperties")}
    schema["properties"]["matrix"]["propertyNames"] = {"enum": list(settings["properties"])}
    return {"$schema": _DIALECT, "title": "A suite of trialkit", **schema, "definitions": _draft7(shared)}


def _judge(kind: JudgeKind, shared: JsonObject) -> JsonObject:
    """Settings stand under the kind, or beside it; the main one may stand right behind it."""
    inside = _schema_of(kind.settings)
    shared |= inside.pop("$defs", {})
    settings = inside["properties"]
    behind = {"allOf": [settings[kind.main], {"not": {"type": "object"}}]}
    named = {"description": kind.summary, "anyOf": [{**inside, "required": []}, behind, {"type": "null"}]}
    return {
        "type": "object",
        "required": [kind.name],
        "properties": {kind.name: named, **{name: one for name, one in settings.items() if name != kind.name}},
        "additionalProperties": False,
    }


def _schema_of(model: type[BaseModel]) -> JsonObject:
    found: JsonObject = _draft7(without_titles(model.model_json_schema(schema_generator=_AsWritten)))
    found.pop("description", None)
    return found


def _draft7(schema: Any) -> Any:
    """Other names for two words of a later draft."""
    if isinstance(schema, dict):
        turned = {key: _draft7(part) for key, part in schema.items()}
        if "prefixItems" in turned:
            turned["items"] = turned.pop("prefixItems")
        if isinstance(place := turned.get("$ref"), str):
            turned["$ref"] = place.replace("#/$defs/", "#/definitions/")
        return turned
    return [_draft7(part) for part in schema] if isinstance(schema, list) else schema


class _AsWritten(GenerateJsonSchema):
    """What a file may say: where code of ours reads a value first, that takes more than the type it comes to."""

    def function_before_schema(self, schema: core_schema.BeforeValidatorFunctionSchema) -> JsonSchemaValue:
        inside = schema["schema"]
        written = inside if inside["type"] == "model-fields" else schema.get("json_schema_input_schema")
        return self.generate_inner(written) if written is not None else {}
