"""What a scenario is: the positions and prices that an analyst is shown, and the truth."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from trialkit.suites.commodity import cells
from trialkit.suites.commodity.cells import EvalType, StrictTruth
from trialkit.suites.commodity.portfolio import Position, Price
from trialkit.text.csvfile import KEY_COLUMN

INPUT_COLUMNS = (
    KEY_COLUMN,
    "Description",
    "User Name",
    "Positions JSON",
    "Prices JSON",
    "Eval Type",
    "Ground Truth",
)


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

    def price_of(self, position: Position) -> float:
        return next(one.price for one in self.prices if one.commodity_code == position.commodity_code)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """From a case of the run file, which has the cells of the row as `raw`."""
        raw = data["raw"]
        eval_type, truth = cells.read_eval_type(raw["Eval Type"]), raw["Ground Truth"]
        return cls(
            id=raw[KEY_COLUMN].strip(),
            description=raw["Description"],
            user_name=raw["User Name"],
            positions=cells.read_positions(raw["Positions JSON"]),
            prices=cells.read_prices(raw["Prices JSON"]),
            eval_type=eval_type,
            truth=cells.read_strict(truth) if eval_type == "strict" else cells.read_rules(truth),
        )
