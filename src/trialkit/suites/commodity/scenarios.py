"""What a scenario is: the positions and prices that an analyst is shown, and the truth; and how its cells are read.

Each reader gives the value, or a ValueError that says all that is wrong, and the fix. The same cell is read once,
though a scenario stands in the CSV, in the run file and in a row of each of its trials.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Self, cast

from trialkit.text.csvfile import KEY_COLUMN
from trialkit.text.plain import plain
from trialkit.text.short import shown

from .alerts import Condition, Suggestion
from .fields import Positive, Symbol, checks_of, decimal, item_problems, object_problems, parse_json, refuse

INPUT_COLUMNS = (
    KEY_COLUMN,
    "Description",
    "User Name",
    "Positions JSON",
    "Prices JSON",
    "Eval Type",
    "Ground Truth",
)
_POSITION_EXAMPLE = '[{"commodity_code": "CORN", "direction": "long", "volume": 50000, "entry_price": 4.5}]'
_PRICE_EXAMPLE = '[{"commodity_code": "CORN", "price": 4.25}]'
_TRUTH_EXAMPLE = '{"commodity_code": "CORN", "expected_condition": "below", "price_min": 3.8, "price_max": 4.25}'

#: An alert is of use from half the lower of price and entry to twice the higher: a stop at 0.01 limits nothing.
_REACH = 2

EvalType = Literal["strict", "criteria"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Position:
    commodity_code: Symbol
    direction: Literal["long", "short"]
    volume: Positive
    entry_price: Positive

    def __str__(self) -> str:
        return f"{self.direction} {self.volume} {self.commodity_code} @{self.entry_price}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    commodity_code: Symbol
    price: Positive


@dataclass(frozen=True, kw_only=True, slots=True)
class StrictTruth:
    """At least one suggestion must match all of it; the range includes both ends."""

    commodity_code: Symbol
    expected_condition: Condition
    price_min: Positive
    price_max: Positive


@dataclass(frozen=True, kw_only=True, slots=True)
class Scenario:
    """What is asked, and the truth that answers are held against."""

    id: str
    description: str
    user_name: str
    positions: tuple[Position, ...]
    prices: tuple[Price, ...]
    eval_type: EvalType
    truth: StrictTruth | tuple[str, ...]  # criteria: the rules

    @property
    def commodities(self) -> frozenset[str]:
        """The codes that a suggestion may be about."""
        return frozenset(position.commodity_code for position in self.positions)

    @property
    def situation(self) -> dict[str, list[dict[str, Any]]]:
        """As JSON data, for whoever is asked."""
        return {"positions": [plain(one) for one in self.positions], "prices": [plain(one) for one in self.prices]}

    def price_of(self, position: Position) -> float:
        return next(one.price for one in self.prices if one.commodity_code == position.commodity_code)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """From a case of the run file, which has the cells of the row as `raw`."""
        raw = data["raw"]
        eval_type, truth = read_eval_type(raw["Eval Type"]), raw["Ground Truth"]
        return cls(
            id=raw[KEY_COLUMN].strip(),
            description=raw["Description"],
            user_name=raw["User Name"],
            positions=read_positions(raw["Positions JSON"]),
            prices=read_prices(raw["Prices JSON"]),
            eval_type=eval_type,
            truth=read_strict(truth) if eval_type == "strict" else read_rules(truth),
        )


def kind_for(suggestion: Suggestion, position: Position, price: float) -> Literal["stop-loss", "take-profit"] | None:
    """What an alert is to a position: a stop-loss where the position loses, a take-profit where it wins.

    None: it is about another commodity, or it guards nothing, since its threshold is passed already or out of reach. An
    alert exactly at the price guards.
    """
    threshold = suggestion.threshold_price
    passed = threshold < price if suggestion.condition == "above" else threshold > price
    known = price, position.entry_price
    reachable = min(known) / _REACH <= threshold <= max(known) * _REACH
    if suggestion.commodity_code != position.commodity_code or passed or not reachable:
        return None
    winning = (suggestion.condition == "above") == (position.direction == "long")
    return "take-profit" if winning else "stop-loss"


@cache
def read_positions(cell: str) -> tuple[Position, ...]:
    return tuple(Position(**item) for item in _array(cell, Position, "position", _POSITION_EXAMPLE))


@cache
def read_prices(cell: str) -> tuple[Price, ...]:
    prices = tuple(Price(**item) for item in _array(cell, Price, "price", _PRICE_EXAMPLE))
    codes = [price.commodity_code for price in prices]
    if twice := sorted({one for one in codes if codes.count(one) > 1}):
        refuse(f"more than one price for {', '.join(map(shown, twice))}; keep one for each commodity")
    return prices


def _array(cell: str, record: type, name: str, example: str) -> list[dict[str, Any]]:
    items = _json(cell, example)
    if not isinstance(items, list):
        refuse(f"must be an array of {name}s, not {shown(items)}; write e.g. {example}")
    if not items:
        refuse(f"there are no {name}s; write e.g. {example}")
    if wrong := item_problems(items, record, name):
        refuse(*wrong, f"write e.g. {example}")
    return cast("list[dict[str, Any]]", items)


def _json(cell: str, example: str) -> Any:
    if not cell.strip():
        refuse(f"is empty; write e.g. {example}")
    try:
        return parse_json(cell)
    except ValueError as error:
        raise ValueError(f"{error}; write e.g. {example}") from None


def read_eval_type(cell: str) -> EvalType:
    word = cell.strip().lower()
    if word not in ("strict", "criteria"):
        refuse("must be strict or criteria; write one of the two")
    return cast("EvalType", word)


@cache
def read_strict(cell: str) -> StrictTruth:
    data = _json(cell, _TRUTH_EXAMPLE)
    wrong = object_problems(data, checks_of(StrictTruth))
    if not wrong and decimal(data["price_min"]) > decimal(data["price_max"]):
        wrong = [f'"price_min" {data["price_min"]} is above "price_max" {data["price_max"]}']
    if wrong:
        refuse(*wrong, f"write e.g. {_TRUTH_EXAMPLE}")
    return StrictTruth(**data)


@cache
def read_rules(cell: str) -> tuple[str, ...]:
    if not cell.strip():
        refuse("is empty; write rules with | between them, e.g. must suggest stop-loss|reasoning must mention risk")
    rules = tuple(rule.strip() for rule in cell.split("|"))
    if "" in rules:
        refuse(f"rule {rules.index('') + 1} of {len(rules)} is empty; write a rule on each side of every |")
    return rules
