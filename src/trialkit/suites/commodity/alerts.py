"""Alerts: the tool that a model suggests them with, and what is read from its calls or from a service's answer."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from trialkit.errors import ModelError
from trialkit.models import Tool, ToolCall
from trialkit.suites.commodity.fields import Check, code, object_problems, one_of, parse_json, positive, refuse, text
from trialkit.text.plain import plain
from trialkit.text.short import shown
from trialkit.text.whole import clean

Condition = Literal["above", "below"]

CREATE_ALERT = Tool(
    name="create_alert",
    description="Suggests one price alert: it fires when the commodity's price goes above or below the threshold.",
    parameters={
        "type": "object",
        "properties": {
            "commodity_code": {"type": "string", "description": "The code of a commodity among the positions."},
            "condition": {
                "type": "string",
                "enum": ["above", "below"],
                "description": "The side of the threshold on which the alert fires.",
            },
            "threshold_price": {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": "The price at which the alert fires, in the unit of the prices given.",
            },
            "notes": {"type": "string", "description": "What the alert is for, in one sentence."},
        },
        "required": ["commodity_code", "condition", "threshold_price", "notes"],
        "additionalProperties": False,
    },
)

SUGGESTION_FIELDS: Mapping[str, Check] = {
    "commodity_code": code,
    "condition": one_of("above", "below"),
    "threshold_price": positive,
    "notes": text,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Suggestion:
    commodity_code: str
    condition: Condition
    threshold_price: float
    notes: str

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

    @classmethod
    def from_json(cls, written: str) -> Self:
        """From an answer that a file holds; ValueError names everything that is wrong with it."""
        data = parse_json(written)
        if wrong := object_problems(data, {"reasoning": text, "suggestions": _suggestions}):
            refuse(wrong)
        items = list(enumerate(data["suggestions"], start=1))
        if wrong := [
            f"suggestion {n}: {said}" for n, item in items for said in object_problems(item, SUGGESTION_FIELDS)
        ]:
            refuse(wrong)
        return cls.from_data(data)


@dataclass(frozen=True, kw_only=True, slots=True)
class MalformedSuggestion:
    """A call, or a service's suggestion, that is not an alert. `index` is its place among all of them, from 0."""

    index: int
    name: str  # the tool that was called; "suggestion" for an item of a service's answer
    arguments: str  # as it was written
    problems: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Analysed:
    """An answer with what could not be counted as a suggestion."""

    analysis: Analysis
    malformed: tuple[MalformedSuggestion, ...]


def read_calls(reasoning: str, tool_calls: Sequence[ToolCall], commodities: Collection[str]) -> Analysed:
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


def read_service_answer(answer: str, commodities: Collection[str]) -> Analysed:
    """A service's body `{"reasoning", "suggestions"}`; ModelError (bad_reply) where it is not one.

    Further keys beside the two are the service's own affair. A bad suggestion is kept as malformed, like a bad call.
    """
    try:
        body = parse_json(answer)
    except ValueError as error:
        raise ModelError("bad_reply", f"the service's answer {error}") from None
    if isinstance(body, dict):
        body = {key: value for key, value in body.items() if key in {"reasoning", "suggestions"}}
        if body.get("suggestions", "") is None:  # so Go writes an empty list
            body["suggestions"] = []
    if wrong := object_problems(body, {"reasoning": text, "suggestions": _suggestions}):
        raise ModelError("bad_reply", f"the service's answer: {'; '.join(wrong)}")
    items = [
        ("suggestion", json.dumps(item, ensure_ascii=False), item, _problems(item, commodities))
        for item in body["suggestions"]
    ]
    return _analysed(body["reasoning"], items)


def _analysed(reasoning: str, items: Sequence[tuple[str, str, Any, list[str]]]) -> Analysed:
    """Of each item its name, how it is written, its value, and what is wrong with it."""
    suggestions = tuple(Suggestion(**value) for _, _, value, problems in items if not problems)
    malformed = tuple(
        MalformedSuggestion(index=index, name=name, arguments=written, problems=tuple(problems))
        for index, (name, written, _, problems) in enumerate(items)
        if problems
    )
    return Analysed(analysis=Analysis(reasoning=clean(reasoning), suggestions=suggestions), malformed=malformed)


def _problems(value: object, commodities: Collection[str]) -> list[str]:
    problems = object_problems(value, SUGGESTION_FIELDS)
    named = value.get("commodity_code") if isinstance(value, dict) else None
    if isinstance(named, str) and code(named) is None and named not in commodities:
        known = ", ".join(map(shown, sorted(commodities)))
        problems.append(f'"commodity_code" {shown(named)} is not among the positions ({known})')
    return problems


def _suggestions(value: object) -> str | None:
    return None if isinstance(value, list) else f"must be an array, not {shown(value)}"
