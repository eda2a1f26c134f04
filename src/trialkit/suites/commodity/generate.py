"""Scenarios drawn from the families, as a golden CSV: balanced by family, none twice, the same for the same seed."""

import json
from collections.abc import Callable, Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from random import Random

from trialkit.text.csvfile import write_rows
from trialkit.text.plain import plain

from .families import DIRECTIONS, FAMILIES, Direction, Drawn, Family, position_in, to_tick
from .rows import COLUMNS
from .scenarios import INPUT_COLUMNS, Position, StrictTruth

#: Commodities and about where their prices are; what matters is that they differ in magnitude.
_LEVELS = {
    "CORN": "4.5",
    "WHEAT": "6.1",
    "SOYBEAN": "12.4",
    "OATS": "3.6",
    "SUGAR": "0.21",
    "COTTON": "0.78",
    "COFFEE": "1.9",
    "COCOA": "7900",
    "CRUDE_OIL": "74",
    "GOLD": "2350",
}
#: What a position is worth, by whether it is large; that which is nearest to the other first.
_WORTH = {True: (Decimal(250_000), Decimal(900_000)), False: (Decimal(240_000), Decimal(30_000))}
_USERS = ("Alice", "Bob", "Carol")
#: The share of scenarios with figures near to where the truth would be another: in this part of the family's range.
_NEAR = 0.25
_EDGE = Decimal("0.1")
#: Of scenarios with positions in other commodities beside the one that they are about.
_BESIDE = 0.35


def generate(number: int, seed: int) -> str:
    random, names, seen = Random(seed), list(FAMILIES), set[tuple[str, ...]]()  # noqa: S311 - nothing here is a secret
    rows = []
    for place in range(number):
        name = names[place % len(names)]
        cells = _cells(FAMILIES[name], random)
        while _asked(cells) in seen:
            cells = _cells(FAMILIES[name], random)
        seen.add(_asked(cells))
        rows.append([f"{name}-{place // len(names) + 1:03}", *cells, *[""] * (len(COLUMNS) - len(INPUT_COLUMNS))])
    return write_rows(COLUMNS, rows)


def _asked(cells: Sequence[str]) -> tuple[str, ...]:
    """Without the description and the user's name."""
    return tuple(cells[2:])


def _cells(family: Family, random: Random) -> list[str]:
    near = random.random() < _NEAR
    drawn = draw(family, random, near=near)
    described = [family.title, *(["at the edge of the family"] if near else [])]
    if drawn.beside:
        described.append(f"beside {' and '.join(position.commodity_code for position, _ in drawn.beside)}")
    return [", ".join(described), random.choice(_USERS), *cells_of(family, drawn)]


def cells_of(family: Family, drawn: Drawn) -> list[str]:
    """Positions, prices, the type and the truth."""
    truth = family.truth_of(drawn)
    kind, written = (
        ("strict", json.dumps(plain(truth))) if isinstance(truth, StrictTruth) else ("criteria", "|".join(truth))
    )
    return [
        json.dumps([plain(position) for position in drawn.positions]),
        json.dumps([{"commodity_code": code, "price": float(price)} for code, price in drawn.prices]),
        kind,
        written,
    ]


def draw(family: Family, random: Random, *, near: bool = False) -> Drawn:
    direction = random.choice(family.directions)
    first, last = map(Decimal, family.gain)
    code = random.choice(list(_LEVELS))
    entry, price = _market(code, direction, lambda: _between(first, last, random, near=near), random)
    edge, far = _WORTH[family.large]
    worth = _between(edge, far, random, near=near)
    other = None
    if family.seed.other:
        other_entry = to_tick(entry * _between(Decimal("0.94"), Decimal("1.1"), random), entry)
        other = (_volume(worth / 2, price, up=False), other_entry)
    return Drawn(
        direction=direction,
        volume=_volume(worth, price, up=family.large),
        entry=entry,
        price=price,
        code=code,
        other=other,
        beside=tuple(_beside(code, random)) if random.random() < _BESIDE else (),
    )


def _beside(but: str, random: Random) -> Iterator[tuple[Position, Decimal]]:
    for code in random.sample([code for code in _LEVELS if code != but], random.choice((1, 2))):
        direction = random.choice(DIRECTIONS)
        entry, price = _market(code, direction, lambda: _between(Decimal("-0.08"), Decimal("0.08"), random), random)
        volume = _volume(_between(Decimal(10_000), Decimal(90_000), random), price, up=False)
        yield position_in(code, direction, volume, entry), price


def _market(code: str, direction: Direction, gain: Callable[[], Decimal], random: Random) -> tuple[Decimal, Decimal]:
    """Entry and price at which such a position has such a gain, before both are rounded to ticks."""
    level = Decimal(_LEVELS[code])
    entry = to_tick(level * _between(Decimal("0.8"), Decimal("1.2"), random), level)
    return entry, to_tick(entry * (1 + (1 if direction == "long" else -1) * gain()), entry)


def _between(first: Decimal, last: Decimal, random: Random, *, near: bool = False) -> Decimal:
    return first + (last - first) * Decimal(str(random.random())) * (_EDGE if near else 1)


def _volume(worth: Decimal, price: Decimal, *, up: bool) -> int:
    """Three digits of it, so that it is worth no less, or no more."""
    volume = worth / price
    tick = max(Decimal(1), Decimal(1).scaleb(volume.adjusted() - 2))
    return max(1, int((volume / tick).to_integral_value(ROUND_CEILING if up else ROUND_FLOOR) * tick))
