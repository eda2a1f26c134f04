"""Charts: figures as eyes take them in, each with the table that says the same in words."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import pairwise
from math import inf
from statistics import quantiles

from trialkit.vocabulary import Outcome

from .amounts import BAR_WIDTH, Amount, Bar, Count
from .cells import Cell, Name, OutcomeCell, Words
from .scale import ends_of, nice_step, tick_text
from .table import Table

_ABOUT_BINS = 18
#: What lies farther above most values than this many times their spread shares one bin.
_FAR = 4
_MARKS: dict[Outcome | None, str] = {"pass": "✓", "fail": "✗", "error": "!", None: "·"}


@dataclass(frozen=True, slots=True)
class Dot:
    label: str
    amount: Amount
    _: KW_ONLY
    note: str = ""  # where the figure comes from
    ours: bool = True  # no figure of others, which stand beside
    link: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Dots:
    """Figures with their intervals on one scale, a row for each, in the order in which they are given."""

    title: str
    by: str  # what the figures are
    dots: tuple[Dot, ...]
    low: float | None = None  # the ends of the scale; None: those of what is shown
    high: float | None = None
    note: str = ""
    whole: Table | None = None  # that says the same and more, and stands below the picture

    @property
    def ends(self) -> tuple[float, float]:
        return ends_of([dot.amount for dot in self.dots], self.low, self.high)

    def table(self) -> Table:
        if self.whole:
            return self.whole
        if any(dot.note for dot in self.dots):
            told = tuple((Words(dot.label), dot.amount, dot.note) for dot in self.dots)
            return Table(title=self.title, columns=("", self.by, "From"), rows=told, note=self.note)
        rows = tuple((Words(dot.label), dot.amount) for dot in self.dots)
        return Table(title=self.title, columns=("", self.by), rows=rows, note=self.note)

    def text(self) -> Table:
        return self.whole or _with_bars(self.table(), [dot.amount for dot in self.dots], self.ends)


@dataclass(frozen=True, slots=True)
class CurveLine:
    name: str
    amounts: tuple[Amount, ...]  # one for each place along the chart
    joins: bool = True  # False: its points are of different things, so that no line goes through them


@dataclass(frozen=True, kw_only=True, slots=True)
class Curve:
    """Lines with their bands, over places that are in order."""

    title: str
    along: str  # what the places are
    places: tuple[str, ...]
    lines: tuple[CurveLine, ...]
    low: float | None = None
    high: float | None = None
    links: tuple[str, ...] = ()  # of the places
    note: str = ""
    whole: Table | None = None  # that says the same and more, and stands below the picture

    @property
    def ends(self) -> tuple[float, float]:
        return ends_of([amount for line in self.lines for amount in line.amounts], self.low, self.high)

    def table(self) -> Table:
        if self.whole:
            return self.whole
        rows = tuple(
            (Words(place), *cells)
            for place, *cells in zip(self.places, *(line.amounts for line in self.lines), strict=True)
        )
        return Table(
            title=self.title, columns=(self.along, *(line.name for line in self.lines)), rows=rows, note=self.note
        )

    def text(self) -> Table:
        if self.whole or len(self.lines) > 1:
            return self.table()
        return _with_bars(self.table(), self.lines[0].amounts, self.ends)


@dataclass(frozen=True, slots=True)
class Bin:
    low: float
    high: float  # inf: and all above
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Histogram:
    """How often values of one kind come up."""

    title: str
    bins: tuple[Bin, ...]
    one: Amount  # says how such a value is written
    note: str = ""

    def name(self, bin_: Bin) -> str:
        low = tick_text(self.one.show(bin_.low))
        if bin_.high == inf:
            return f"{low} or more"
        last = bin_.high - 1 if isinstance(self.one, Count) else bin_.high
        return low if last == bin_.low else f"{low} to {tick_text(self.one.show(last))}"

    def table(self) -> Table:
        rows = tuple((Words(self.name(one)), Count(one.count)) for one in self.bins)
        return Table(title=self.title, columns=("", "Trials"), rows=rows, note=self.note)

    def text(self) -> Table:
        most = max((one.count for one in self.bins), default=0) or 1
        bars = ("█" * round(BAR_WIDTH * one.count / most) or ("▏" if one.count else "") for one in self.bins)
        rows = tuple((*row, Name(bar)) for row, bar in zip(self.table().rows, bars, strict=True))
        return replace(self.table(), columns=("", "Trials", ""), rows=rows)


def histogram(title: str, values: Sequence[float], one: Amount, note: str = "") -> Histogram:
    """Of whole numbers, with `one` a `Count`, bins are whole. Outliers share the last bin."""
    whole = isinstance(one, Count)
    first, _, third = quantiles(values, n=4, method="inclusive") if len(values) > 1 else (values[0],) * 3
    low, most = min(values), max(values)
    spread = max(third - first, (third - low) / 2)
    far = third + _FAR * spread if spread else most
    step = nice_step((min(most, far) - low) / _ABOUT_BINS or abs(low), at_least=1 if whole else 0)
    start = low // step
    edges = [(start + place) * step for place in range(int(min(most, far) // step - start) + 2)]
    ends = [*pairwise(edges), *([(edges[-1], inf)] if most >= edges[-1] else [])]
    bins = tuple(Bin(start, end, sum(start <= value < end for value in values)) for start, end in ends)
    return Histogram(title=title, bins=bins, one=one, note=note)


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One trial: how it ended, or, where it was scored, how far up the scale it is, from 0 to 1."""

    outcome: Outcome | None
    level: float | None = None
    told: str = ""  # the score
    link: str = ""

    def cell(self) -> Cell:
        return Words(self.told) if self.told else OutcomeCell(self.outcome)

    @property
    def mark(self) -> str:
        return self.told or _MARKS.get(self.outcome, "·")


@dataclass(frozen=True, slots=True)
class HeatRow:
    label: str
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class HeatMap:
    """Cases and their trials."""

    title: str
    rows: tuple[HeatRow, ...]
    note: str = ""

    def table(self) -> Table:
        most = max((len(row.cells) for row in self.rows), default=0)
        empty = [Words("")] * most
        rows = tuple((Name(row.label), *[*(cell.cell() for cell in row.cells), *empty][:most]) for row in self.rows)
        columns = ("Case", *(f"Trial {number + 1}" for number in range(most)))
        return Table(title=self.title, columns=columns, rows=rows, note=self.note)

    def text(self) -> Table:
        rows = tuple((Name(row.label), Words(" ".join(cell.mark for cell in row.cells))) for row in self.rows)
        return Table(title=self.title, columns=("Case", "Trials"), rows=rows, note=self.note)


@dataclass(frozen=True, slots=True)
class Spot:
    label: str  # short: it stands beside the spot
    across: Amount
    up: Amount
    faded: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Scatter:
    """Two figures of each, held against each other."""

    title: str
    across: str
    up: str
    spots: tuple[Spot, ...]
    note: str = ""
    whole: Table | None = None  # that says the same and more, and stands below the picture

    def table(self) -> Table:
        if self.whole:
            return self.whole
        rows = tuple((Words(spot.label), spot.across, spot.up) for spot in self.spots)
        return Table(title=self.title, columns=("", self.across, self.up), rows=rows, note=self.note)

    def text(self) -> Table:
        return self.table()


Chart = Dots | Curve | Histogram | HeatMap | Scatter


def _with_bars(table: Table, amounts: Sequence[Amount], ends: tuple[float, float]) -> Table:
    """A column of bars after the first."""
    low, high = ends
    first, last = (tick_text(amounts[0].show(end)) if amounts else "" for end in ends)
    rows = tuple(
        (head, Bar(amount.amount, low=low, high=high), *rest)
        for (head, *rest), amount in zip(table.rows, amounts, strict=True)
    )
    head, *others = table.columns
    return replace(table, columns=(head, f"{first}{last:>{max(0, BAR_WIDTH - len(first))}}", *others), rows=rows)
