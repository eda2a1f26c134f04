"""A reasoning model, as OpenAI serves it over either of its protocols: it takes no sampling but its own, and no
`max_tokens`."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tests.server.actions import Action, Call, Protocol, Raw, Respond, Say

_REFUSALS = {
    "temperature": "Unsupported value: 'temperature' does not support {} with this model. Only the default (1) value "
    "is supported.",
    "top_p": "Unsupported parameter: 'top_p' is not supported with this model.",
    "max_tokens": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' "
    "instead.",
}
_VALUES: Mapping[str, object] = {"integer": 1, "number": 1, "boolean": True, "string": "same"}


class Reasoner:
    """Says what `respond` does. Without it calls the tool that it must call, with whatever fits its schema; else it
    begins, and takes leave."""

    def __init__(self, respond: Respond | None = None) -> None:
        self._respond = respond
        self.refused = 0
        self.tools: set[str] = set()  # that it had to call

    def __call__(self, body: dict[str, Any], protocol: Protocol) -> Action:
        for name, said in _REFUSALS.items():
            if name in body:
                self.refused += 1
                error = {"message": said.format(body[name]), "type": "invalid_request_error", "param": name}
                return Raw(body=json.dumps({"error": error}).encode(), status=400)
        if self._respond is not None:
            action = self._respond(body, protocol)
            return replace(action, output_tokens=70, reasoning_tokens=64) if isinstance(action, Say) else action
        if body.get("tool_choice") is None:
            said = body["input" if protocol == "openai-responses" else "messages"]
            begun = any(one.get("role") == "assistant" for one in said)
            return Say(text="###STOP###" if begun else "Hello.", output_tokens=70, reasoning_tokens=64)
        (function,) = (tool.get("function", tool) for tool in body["tools"])
        self.tools.add(function["name"])
        arguments = fitting(function["parameters"])
        return Say(text=None, calls=(Call(name=function["name"], arguments=arguments),), reasoning_tokens=5)


def fitting(schema: Mapping[str, Any]) -> Any:
    """The least that fits."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: fitting(part) for name, part in schema["properties"].items()}
    return [fitting(schema["items"])] if kind == "array" else _VALUES[str(kind)]
