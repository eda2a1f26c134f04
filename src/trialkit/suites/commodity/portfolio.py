"""What an analyst is shown: the positions a user holds and the current prices."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from trialkit.suites.commodity.alerts import Suggestion
from trialkit.suites.commodity.fields import Check, code, one_of, positive

Direction = Literal["long", "short"]
Kind = Literal["stop-loss", "take-profit"]

POSITION_FIELDS: Mapping[str, Check] = {
    "commodity_code": code,
    "direction": one_of("long", "short"),
    "volume": positive,
    "entry_price": positive,
}
PRICE_FIELDS: Mapping[str, Check] = {"commodity_code": code, "price": positive}


@dataclass(frozen=True, kw_only=True, slots=True)
class Position:
    commodity_code: str
    direction: Direction
    volume: float
    entry_price: float

    def __str__(self) -> str:
        return f"{self.direction} {self.volume} {self.commodity_code} @{self.entry_price}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    commodity_code: str
    price: float


def kind_for(suggestion: Suggestion, position: Position, price: float) -> Kind | None:
    """What an alert is to a position: a stop-loss where the position loses, a take-profit where it wins.

    None: it is about another commodity, or its threshold is already passed, so that it guards nothing. An alert exactly
    at the price guards.
    """
    gap = suggestion.threshold_price - price
    passed = gap < 0 if suggestion.condition == "above" else gap > 0
    if suggestion.commodity_code != position.commodity_code or passed:
        return None
    winning = (suggestion.condition == "above") == (position.direction == "long")
    return "take-profit" if winning else "stop-loss"
