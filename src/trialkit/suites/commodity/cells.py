"""The cells of a golden row: each reader gives the value, or a ValueError that says all that is wrong, and the fix.

The same cell is read once, though a scenario stands in the CSV, in the run file and in a row of each of its trials.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, cast

from trialkit.suites.commodity.alerts import Analysis, Condition
from trialkit.suites.commodity.fields import Check, code, decimal, object_problems, one_of, parse_json, positive, refuse
from trialkit.suites.commodity.portfolio import POSITION_FIELDS, PRICE_FIELDS, Position, Price
from trialkit.text.short import shown

EvalType = Literal["strict", "criteria"]

_POSITION_EXAMPLE = '[{"commodity_code": "CORN", "direction": "long", "volume": 50000, "entry_price": 4.5}]'
_PRICE_EXAMPLE = '[{"commodity_code": "CORN", "price": 4.25}]'
_TRUTH_EXAMPLE = '{"commodity_code": "CORN", "expected_condition": "below", "price_min": 3.8, "price_max": 4.25}'
_TRUTH_FIELDS: Mapping[str, Check] = {
    "commodity_code": code,
    "expected_condition": one_of("above", "below"),
    "price_min": positive,
    "price_max": positive,
}


@dataclass(frozen=True, kw_only=True, slots=True)
class StrictTruth:
    """At least one suggestion must match all of it; the range includes both ends."""

    commodity_code: str
    expected_condition: Condition
    price_min: float
    price_max: float


@cache
def read_positions(cell: str) -> tuple[Position, ...]:
    items = _array(cell, POSITION_FIELDS, "position", _POSITION_EXAMPLE)
    return tuple(Position(**item) for item in items)


@cache
def read_prices(cell: str) -> tuple[Price, ...]:
    prices = tuple(Price(**item) for item in _array(cell, PRICE_FIELDS, "price", _PRICE_EXAMPLE))
    codes = [price.commodity_code for price in prices]
    if twice := sorted({one for one in codes if codes.count(one) > 1}):
        refuse([f"more than one price for {', '.join(map(shown, twice))}; keep one for each commodity"])
    return prices


def _array(cell: str, fields: Mapping[str, Check], name: str, example: str) -> list[dict[str, Any]]:
    items = _json(cell, example)
    if not isinstance(items, list):
        refuse([f"must be an array of {name}s, not {shown(items)}; write e.g. {example}"])
    if not items:
        refuse([f"there are no {name}s; write e.g. {example}"])
    numbered = enumerate(items, start=1)
    if wrong := [f"{name} {n}: {said}" for n, item in numbered for said in object_problems(item, fields)]:
        refuse([*wrong, f"write e.g. {example}"])
    return cast("list[dict[str, Any]]", items)


def _json(cell: str, example: str) -> Any:
    if not cell.strip():
        refuse([f"is empty; write e.g. {example}"])
    try:
        return parse_json(cell)
    except ValueError as error:
        raise ValueError(f"{error}; write e.g. {example}") from None


def read_eval_type(cell: str) -> EvalType:
    word = cell.strip().lower()
    if word not in ("strict", "criteria"):
        refuse(["must be strict or criteria; write one of the two"])
    return cast("EvalType", word)


@cache
def read_strict(cell: str) -> StrictTruth:
    data = _json(cell, _TRUTH_EXAMPLE)
    wrong = object_problems(data, _TRUTH_FIELDS)
    if not wrong and decimal(data["price_min"]) > decimal(data["price_max"]):
        wrong = [f'"price_min" {data["price_min"]} is above "price_max" {data["price_max"]}']
    if wrong:
        refuse([*wrong, f"write e.g. {_TRUTH_EXAMPLE}"])
    return StrictTruth(**data)


@cache
def read_rules(cell: str) -> tuple[str, ...]:
    if not cell.strip():
        refuse(["is empty; write rules with | between them, e.g. must suggest stop-loss|reasoning must mention risk"])
    rules = tuple(rule.strip() for rule in cell.split("|"))
    if "" in rules:
        refuse([f"rule {rules.index('') + 1} of {len(rules)} is empty; write a rule on each side of every |"])
    return rules


def read_response(cell: str) -> Analysis | None:
    if not cell.strip():
        return None
    try:
        return Analysis.from_json(cell)
    except ValueError as error:
        fix = 'write {"reasoning": "…", "suggestions": […]}, or leave the cell empty'
        raise ValueError(f"{error}; {fix}") from None
