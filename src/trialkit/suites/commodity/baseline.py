"""The built-in analyst: two alerts per position, from entry, price, size and direction alone. The floor to beat.

- stop-loss: 5% from the price on the losing side; 3% where the position is large (worth 250,000 or more at the current
  price) or 10% or more in gain, so that most of the gain is kept.
- take-profit on the winning side: 5% from the price where the position is in gain; at breakeven (within 1%) 10%, twice
  the risk; at a loss the way back to the entry price, but no less than 5% and no more than 20%.
- Thresholds keep three digits of the price's magnitude (4.04, 97, 0.00000123). That moves them by half a percent at
  most, and so never across the price. Good for prices from 1e-300 to 1e300.
- Concentration: the share of the largest commodity in a portfolio of several; it is said, and moves no threshold.
"""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from .alerts import Analysis, Suggestion
from .fields import decimal
from .scenarios import Position, Price

_LARGE = Decimal(250_000)
_STOP, _TIGHT_STOP = Decimal("0.05"), Decimal("0.03")
_BREAKEVEN, _KEEP_GAIN = Decimal("0.01"), Decimal("0.10")
_TARGET, _FAR_TARGET, _FARTHEST_TARGET = Decimal("0.05"), Decimal("0.10"), Decimal("0.20")
_CONCENTRATED = Decimal("0.5")


class _Holding:
    def __init__(self, position: Position, price: Decimal) -> None:
        self.position = position
        self.price = price
        self.volume = decimal(position.volume)
        self.value = price * self.volume
        self.large = self.value >= _LARGE
        entry = decimal(position.entry_price)
        side = 1 if position.direction == "long" else -1
        self.money = side * (price - entry) * self.volume
        self.gain = side * (price - entry) / entry  # as a share of the entry price; negative for a loss
        self.stop_distance = _TIGHT_STOP if self.large or self.gain >= _KEEP_GAIN else _STOP
        way_back = min(max(abs(entry - price) / price, _TARGET), _FARTHEST_TARGET)
        in_profit_or_loss = _TARGET if self.gain > 0 else way_back
        self.target_distance = _FAR_TARGET if abs(self.gain) < _BREAKEVEN else in_profit_or_loss
        self.stop = self._away(-side * self.stop_distance)
        self.target = self._away(side * self.target_distance)

    def _away(self, distance: Decimal) -> float:
        """The price that lies a signed share of the current price away, rounded."""
        return rounded(self.price * (1 + distance), self.price)


def rounded(threshold: Decimal, price: Decimal) -> float:
    """To three digits of the price's magnitude."""
    return float(threshold.quantize(Decimal(1).scaleb(price.adjusted() - 2)))


def analyse(positions: Sequence[Position], prices: Sequence[Price]) -> Analysis:
    """A stop-loss and a take-profit for every position, and why. Every commodity held must have its price."""
    current = {price.commodity_code: decimal(price.price) for price in prices}
    holdings = [_Holding(position, current[position.commodity_code]) for position in positions]
    reasoning = "\n".join([*map(_explained, holdings), *_concentration(holdings)])
    suggestions = tuple(alert for holding in holdings for alert in _alerts(holding))
    return Analysis(reasoning=reasoning, suggestions=suggestions)


def _alerts(holding: _Holding) -> tuple[Suggestion, Suggestion]:
    position = holding.position
    up = position.direction == "long"
    stop = Suggestion(
        commodity_code=position.commodity_code,
        condition="below" if up else "above",
        threshold_price=holding.stop,
        notes=f"Stop-loss for the {position}: limits the risk to about {holding.stop_distance:.0%} from here.",
    )
    target = Suggestion(
        commodity_code=position.commodity_code,
        condition="above" if up else "below",
        threshold_price=holding.target,
        notes=f"Take-profit for the {position}: about {holding.target_distance:.0%} from here.",
    )
    return stop, target


def _explained(holding: _Holding) -> str:
    position = holding.position
    said = [f"{position.direction.capitalize()} {_amount(holding.volume)} {position.commodity_code}:"]
    state = f"entered at {position.entry_price}, now at {holding.price:f}"
    if abs(holding.gain) < _BREAKEVEN:
        said.append(f"{state}, the position is at breakeven.")
    else:
        word = "gain" if holding.gain > 0 else "loss"
        result = f"{abs(holding.gain):.1%} or {_amount(abs(holding.money))}"
        said.append(f"{state}, it has an unrealised {word} of {result}; breakeven is at {position.entry_price}.")
    if holding.large:
        said.append(
            f"The size of this position, worth {_amount(holding.value)}, is itself a risk: each 1% against it costs "
            f"{_amount(holding.value / 100)}, so the stop stands closer."
        )
    elif holding.gain >= _KEEP_GAIN:
        said.append("The stop stands closer, to keep most of the gain.")
    # Money at risk, from here to the stop.
    risked = abs(holding.price - decimal(holding.stop)) * holding.volume
    said.append(f"A stop-loss at {holding.stop} limits the risk from here to {_amount(risked)};")
    said.append(f"the take-profit is at {holding.target}.")
    return " ".join(said)


def _amount(number: Decimal) -> str:
    """Whole from 100 on, three digits below."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _concentration(holdings: Sequence[_Holding]) -> list[str]:
    values: defaultdict[str, Decimal] = defaultdict(Decimal)
    for holding in holdings:
        values[holding.position.commodity_code] += holding.value
    if len(values) < 2:
        return []
    most, code = max((value, code) for code, value in values.items())
    share = most / sum(values.values())
    if share < _CONCENTRATED:
        return []
    return [f"{code} is {share:.0%} of the portfolio's value: a concentration that is a risk of its own."]
