"""Families of scenarios: one for each of the ten that are shipped, which is its seed, and how others are drawn like it.

The truth holds by construction: a strict range is the seed's, scaled to the price (or, at the entry, to the entry);
criteria are the seed's rules, about the one position that the scenario is about.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, get_args

from .alerts import Condition
from .counting import MOST_PLAUSIBLE
from .scenarios import Position, StrictTruth

Direction = Literal["long", "short"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)


@dataclass(frozen=True, kw_only=True, slots=True)
class Range:
    """Of a threshold, as the seed has it."""

    condition: Condition
    low: Decimal
    high: Decimal
    of: Literal["price", "entry"]  # what it grows with

    def scaled(self, drawn: "Drawn", seed: "Drawn") -> StrictTruth:
        by, whole = (one.price if self.of == "price" else one.entry for one in (drawn, seed))
        low, high = (end * by / whole for end in (self.low, self.high))
        return StrictTruth(
            commodity_code=drawn.code,
            expected_condition=self.condition,
            price_min=float(to_tick(low, by)),
            price_max=float(to_tick(high, by)),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawn:
    """The parameters of a scenario."""

    direction: Direction
    volume: int
    entry: Decimal
    price: Decimal
    code: str = "CORN"
    other: tuple[int, Decimal] | None = None  # volume and entry of a position the other way
    beside: tuple[tuple[Position, Decimal], ...] = ()  # further commodities, each with its price

    @property
    def positions(self) -> tuple[Position, ...]:
        held = [(self.direction, self.volume, self.entry)]
        if self.other:
            held.append(("short" if self.direction == "long" else "long", *self.other))
        own = (position_in(self.code, *one) for one in held)
        return (*own, *(position for position, _ in self.beside))

    @property
    def prices(self) -> list[tuple[str, Decimal]]:
        return [(self.code, self.price), *((position.commodity_code, price) for position, price in self.beside)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Family:
    title: str
    seed: Drawn
    truth: Range | tuple[str, ...]
    #: What the position has gained, as a share of the entry; that which is nearest to another truth first.
    gain: tuple[str, str]
    directions: tuple[Direction, ...] = DIRECTIONS  # that the truth holds for
    large: bool = False  # whether the position is worth 250,000 or more

    def truth_of(self, drawn: Drawn) -> StrictTruth | tuple[str, ...]:
        """Of the seed's parameters, the seed's truth; other criteria name the commodity, and the most alerts."""
        if isinstance(self.truth, Range):
            return self.truth.scaled(drawn, self.seed)
        if drawn == self.seed:
            return self.truth
        rules = (rule.replace("both positions", "all positions") for rule in self.truth)
        scoped = (f"{rule} for {drawn.code}" if rule.endswith(("stop-loss", "take-profit")) else rule for rule in rules)
        return (*scoped, f"at most {MOST_PLAUSIBLE * len(drawn.positions)} alerts")


def to_tick(price: Decimal, like: Decimal) -> Decimal:
    """Four digits of the magnitude of such a price."""
    return price.quantize(Decimal(1).scaleb(like.adjusted() - 3))


def position_in(code: str, direction: Direction, volume: int, entry: Decimal) -> Position:
    return Position(commodity_code=code, direction=direction, volume=volume, entry_price=float(entry))


def _seed(direction: Direction, volume: int, entry: str, price: str, other: tuple[int, Decimal] | None = None) -> Drawn:
    return Drawn(direction=direction, volume=volume, entry=Decimal(entry), price=Decimal(price), other=other)


def _range(condition: Condition, low: str, high: str, of: Literal["price", "entry"] = "price") -> Range:
    return Range(condition=condition, low=Decimal(low), high=Decimal(high), of=of)


FAMILIES: Mapping[str, Family] = {
    "S01": Family(
        title="A long position at a loss needs a protective stop",
        seed=_seed("long", 50000, "4.5", "4.25"),
        truth=_range("below", "3.80", "4.25"),
        gain=("-0.005", "-0.09"),
        directions=("long",),
    ),
    "S02": Family(
        title="A short position at a loss needs a protective stop",
        seed=_seed("short", 20000, "4.4", "4.6"),
        truth=_range("above", "4.60", "4.85"),
        gain=("-0.005", "-0.09"),
        directions=("short",),
    ),
    "S03": Family(
        title="A long position in profit should have a target above the market",
        seed=_seed("long", 30000, "4.55", "5.1"),
        truth=_range("above", "5.10", "5.80"),
        gain=("0.011", "0.2"),
        directions=("long",),
    ),
    "S04": Family(
        title="A large long position close to its entry needs a protective stop",
        seed=_seed("long", 100000, "4.5", "4.52"),
        truth=_range("below", "4.20", "4.50", "entry"),
        gain=("0", "0.01"),
        directions=("long",),
        large=True,
    ),
    "S05": Family(
        title="A short position in profit should have a target below the market",
        seed=_seed("short", 15000, "4.8", "4.35"),
        truth=_range("below", "4.10", "4.40"),
        gain=("0.011", "0.16"),
        directions=("short",),
    ),
    "S06": Family(
        title="A long and a short position in the same commodity, both in need of attention",
        seed=_seed("long", 50000, "4.5", "4.55", other=(20000, Decimal("4.8"))),
        truth=("must address both positions", "must suggest alerts in both directions"),
        gain=("0.0005", "0.05"),
    ),
    "S07": Family(
        title="A very large position, where the size itself is a danger",
        seed=_seed("long", 100000, "4.5", "4.45"),
        truth=("must mention size/concentration risk",),
        gain=("-0.03", "0.03"),
        large=True,
    ),
    "S08": Family(
        title="A position in profit, whose gains should be taken care of",
        seed=_seed("long", 25000, "4.5", "5.04"),
        truth=("must suggest take-profit", "reasoning must mention gains"),
        gain=("0.011", "0.2"),
    ),
    "S09": Family(
        title="A position under water, whose loss should be contained",
        seed=_seed("long", 30000, "4.55", "4.1"),
        truth=("must suggest stop-loss", "reasoning must mention risk"),
        gain=("-0.011", "-0.15"),
    ),
    "S10": Family(
        title="A position at about its entry price, open to both sides",
        seed=_seed("long", 50000, "4.5", "4.52"),
        truth=("must suggest both stop-loss and take-profit",),
        gain=("-0.0099", "0.0099"),
    ),
}
