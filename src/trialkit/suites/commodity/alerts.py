"""Alerts: the tool that a model suggests them with, and what is read from its calls or from a service's answer."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from trialkit.errors import ModelError
from trialkit.models import Tool, ToolCall
from trialkit.text.json import object_schema
from trialkit.text.plain import plain
from trialkit.text.short import shown
from trialkit.text.whole import clean

from .fields import Positive, Symbol, Text, checks_of, code, item_problems, object_problems, parse_json, refuse, text

Condition = Literal["above", "below"]

CREATE_ALERT = Tool(
    name="create_alert",
    description="Suggests one price alert: it fires when the commodity's price goes above or below the threshold.",
    parameters=object_schema(
        commodity_code={"type": "string", "description": "The code of a commodity among the positions."},
        condition={
            "type": "string",
            "enum": ["above", "below"],
            "description": "The side of the threshold on which the alert fires.",
        },
        threshold_price={
            "type": "number",
            "exclusiveMinimum": 0,
            "description": "The price at which the alert fires, in the unit of the prices given.",
        },
        notes={"type": "string", "description": "What the alert is for, in one sentence."},
    ),
)
#: The same tuple for all requests, so that it is written as JSON once.
TOOLS = (CREATE_ALERT,)


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    commodity_code: Symbol
    condition: Condition
    threshold_price: Positive
    notes: Text

    def __str__(self) -> str:
        return f"{self.commodity_code} {self.condition} {self.threshold_price}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Analysis:
    """An analyst's answer."""

    reasoning: str
    suggestions: tuple[Suggestion, ...]

    def to_data(self) -> dict[str, object]:
        return {"reasoning": self.reasoning, "suggestions": [plain(item) for item in self.suggestions]}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """From what `to_data` gave."""
        return cls(reasoning=data["reasoning"], suggestions=tuple(Suggestion(**item) for item in data["suggestions"]))


#: The kind of event that tells of one of these.
MALFORMED = "malformed alert"
#: What is no alert among a model's calls or a service's suggestions, as data for the transcript: its `index` among all
#: of them, from 0; the `name` of the tool that was called, or "suggestion"; the `arguments` as they were written; and
#: the `problems`.
NoAlert = Mapping[str, Any]


def read_response(cell: str) -> Analysis | None:
    """The answer that a cell of a golden CSV holds; ValueError names everything that is wrong with it."""
    if not cell.strip():
        return None
    try:
        data = parse_json(cell)
        if wrong := object_problems(data, _ANSWER) or item_problems(data["suggestions"], Suggestion, "suggestion"):
            refuse(*wrong)
    except ValueError as error:
        raise ValueError(f'{error}; write {{"reasoning": "…", "suggestions": […]}}, or leave the cell empty') from None
    return Analysis.from_data(data)


def read_calls(
    reasoning: str, tool_calls: Sequence[ToolCall], commodities: Collection[str]
) -> tuple[Analysis, list[NoAlert]]:
    """A model's answer: its calls that are suggestions, in order, and those that are none, with all that is wrong."""
    items = [(call.name, call.arguments, *_read_call(call, commodities)) for call in tool_calls]
    return _analysed(reasoning.strip(), items)


def _read_call(call: ToolCall, commodities: Collection[str]) -> tuple[Any, list[str]]:
    problems = []
    if call.name != CREATE_ALERT.name:
        problems.append(f"there is no tool {shown(call.name)}; the only one is {CREATE_ALERT.name}")
    try:
        value = parse_json(call.arguments)
    except ValueError as error:
        return None, [*problems, f"the arguments: {error}"]
    # Another tool's arguments follow a schema that is not ours to check.
    return value, problems or _problems(value, commodities)


def read_service_answer(answer: str, commodities: Collection[str]) -> tuple[Analysis, list[NoAlert]]:
    """A service's body `{"reasoning", "suggestions"}`; ModelError (bad_reply) where it is not one.

    Further keys, of the answer and of a suggestion, are the service's own affair: they stay in the recorded reply. A
    bad suggestion is kept as malformed, like a bad call.
    """
    try:
        body = parse_json(answer)
    except ValueError as error:
        raise ModelError("bad_reply", f"the service's answer {error}") from None
    if isinstance(body, dict):
        body = {key: value for key, value in body.items() if key in {"reasoning", "suggestions"}}
        if body.get("suggestions", "") is None:  # so Go writes an empty list
            body["suggestions"] = []
    if wrong := object_problems(body, _ANSWER):
        raise ModelError("bad_reply", f"the service's answer: {'; '.join(wrong)}")
    items = []
    for item in body["suggestions"]:
        value = {name: item[name] for name in checks_of(Suggestion) if name in item} if isinstance(item, dict) else item
        written = json.dumps(item, ensure_ascii=False)
        items.append(("suggestion", written, value, _problems(value, commodities)))
    return _analysed(body["reasoning"], items)


def _analysed(reasoning: str, items: Sequence[tuple[str, str, Any, list[str]]]) -> tuple[Analysis, list[NoAlert]]:
    """Of each item its name, how it is written, its value, and what is wrong with it."""
    suggestions = tuple(Suggestion(**value) for _, _, value, problems in items if not problems)
    malformed: list[NoAlert] = [
        {"index": index, "name": name, "arguments": written, "problems": problems}
        for index, (name, written, _, problems) in enumerate(items)
        if problems
    ]
    return Analysis(reasoning=clean(reasoning), suggestions=suggestions), malformed


def _problems(value: object, commodities: Collection[str]) -> list[str]:
    problems = object_problems(value, checks_of(Suggestion))
    named = value.get("commodity_code") if isinstance(value, dict) else None
    if isinstance(named, str) and code(named) is None and named not in commodities:
        known = ", ".join(map(shown, sorted(commodities)))
        problems.append(f'"commodity_code" {shown(named)} is not among the positions ({known})')
    return problems


def _suggestions(value: object) -> str | None:
    return None if isinstance(value, list) else f"must be an array, not {shown(value)}"


_ANSWER = {"reasoning": text, "suggestions": _suggestions}
