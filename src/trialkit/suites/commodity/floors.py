"""Answerers that look at no position: what a suite's checks let them pass is the suite's floor.

Both say the same words of every portfolio, so that half of them are untrue, and go both ways at every price.
"""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from .alerts import Analysis, Suggestion
from .baseline import analyse, rounded
from .fields import decimal
from .scenarios import Position, Price

_WORDS = (
    "This is a large position, and its size is a risk. The position has an unrealised gain. The position has an "
    "unrealised loss. The portfolio has a concentration in one commodity. The position is at breakeven."
)
_APART = Decimal("0.05")
#: In shares of the price: 70 thresholds from 65% to 134%, each of them with both conditions.
_EVERYWHERE = tuple(Decimal(percent) / 100 for percent in range(65, 135))


def constant(positions: Sequence[Position], prices: Sequence[Price]) -> Analysis:
    """One alert 5% above and one 5% below the price of every commodity that is held."""
    return _answer(positions, prices, {"below": [1 - _APART], "above": [1 + _APART]})


def shotgun(positions: Sequence[Position], prices: Sequence[Price]) -> Analysis:
    """140 alerts for every commodity that is held."""
    return _answer(positions, prices, {"below": _EVERYWHERE, "above": _EVERYWHERE})


def _answer(
    positions: Sequence[Position], prices: Sequence[Price], shares: Mapping[str, Sequence[Decimal]]
) -> Analysis:
    held = {position.commodity_code for position in positions}
    suggestions = tuple(
        Suggestion(
            commodity_code=price.commodity_code,
            condition="below" if condition == "below" else "above",
            threshold_price=rounded(decimal(price.price) * share, decimal(price.price)),
            notes="The same for every portfolio.",
        )
        for price in prices
        if price.commodity_code in held
        for condition in shares
        for share in shares[condition]
    )
    return Analysis(reasoning=_WORDS, suggestions=suggestions)


#: What can be put on trial without a model, by the name that `--model` takes.
BASELINES: Mapping[str, Callable[[Sequence[Position], Sequence[Price]], Analysis]] = {
    "baseline": analyse,
    "baseline:constant": constant,
    "baseline:shotgun": shotgun,
}
