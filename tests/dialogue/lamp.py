"""A lamp that hums when it is on: the agent sees it from afar, the user can press its button."""

import json
from collections.abc import Mapping
from typing import Any

from trialkit.dialogue import By, Move
from trialkit.models import ToolCall


class Lamp:
    def __init__(self) -> None:
        self.on = False
        self.calls: list[tuple[str, Mapping[str, Any], str]] = []

    def call(self, name: str, arguments: Mapping[str, Any], by: By = "agent") -> str:
        self.calls.append((name, dict(arguments), by))
        if (name, by) == ("look", "agent"):
            return "on" if self.on else "off"
        if (name, by) == ("press", "user"):
            self.on = not self.on
            return "click"
        return f"Error: the {by} has no tool {name}"


def calls(*names: str, text: str = "", arguments: Any = None) -> Move:
    written = arguments if isinstance(arguments, str) else json.dumps(arguments or {})
    return Move(text=text, calls=tuple(ToolCall(id=f"{name}_id", name=name, arguments=written) for name in names))
