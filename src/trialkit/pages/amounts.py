"""Numbers in a report, and lines that hold some: they stay numbers until a writer writes them."""

from abc import abstractmethod
from dataclasses import KW_ONLY, dataclass
from math import floor, inf, log10
from typing import ClassVar

from trialkit.stats import Difference, Figure
from trialkit.text.shown import dollars, seconds, signed, visible
from trialkit.vocabulary import Measure

from .cells import Cell, Span, Style, Words

_MOST_DIGITS = 15  # that a number has
BAR_WIDTH = 21  # a character for every 5% of the range, both ends included


@dataclass(frozen=True, slots=True)
class Amount(Cell):
    """A number, alone or with its interval. None: nobody knows it."""

    amount: Figure | Difference | float | None
    _: KW_ONLY
    unknown: str = "—"  # what stands for a number that nobody knows
    stacked: bool = False  # in a terminal its interval stands under it, for there is no room beside it

    #: Of a sum or a count the interval is the number itself, and goes without saying.
    is_sum: ClassVar[bool] = False

    @abstractmethod
    def show(self, value: float) -> str: ...

    def show_end(self, value: float) -> str:
        """An end of the interval."""
        return self.show(value)

    @property
    def value(self) -> float | None:
        return self.amount.value if isinstance(self.amount, Figure | Difference) else self.amount

    @property
    def ends(self) -> tuple[float, float] | None:
        """Of the interval; None where there is none to be told."""
        if not isinstance(self.amount, Figure | Difference) or self.amount.low is None or self.amount.high is None:
            return None
        exact = self.amount.low == self.amount.value == self.amount.high
        return None if self.is_sum and exact else (self.amount.low, self.amount.high)

    def told(self) -> tuple[str, str]:
        """The number, and its interval or nothing: in a column they stand under each other."""
        if self.value is None:
            return self.unknown, ""
        return self.show(self.value), f"[{', '.join(map(self.show_end, self.ends))}]" if self.ends else ""

    def below(self) -> str:
        """The interval where it is stacked: `.35-.81`."""
        return "-".join(f"{end:.2f}".removeprefix("0") for end in self.ends or ())

    def spans(self) -> tuple[Span, ...]:
        return (Span(" ".join(filter(None, self.told()))),)

    def data(self) -> object:
        return self.amount.to_data() if isinstance(self.amount, Figure | Difference) else self.amount

    def key(self) -> float | None:
        return self.value


@dataclass(frozen=True, slots=True)
class Rate(Amount):
    """`80.0% [49.0%, 94.3%]`; short `80.0% [49.0, 94.3]`, of which several fit 80 columns."""

    _: KW_ONLY
    short: bool = False
    digits: int = 1

    def show(self, value: float) -> str:
        return f"{100 * value:.{self.digits}f}%"

    def show_end(self, value: float) -> str:
        return self.show(value).removesuffix("%") if self.short else self.show(value)


@dataclass(frozen=True, slots=True)
class Number(Amount):
    """`0.420 [0.310, 0.540]`. Without digits, as many as it takes to tell it from others like it."""

    _: KW_ONLY
    digits: int | None = 3
    scale: float = 1.0  # it is shown so many times as large: cents for dollars
    unit: str = ""

    def show(self, value: float) -> str:
        if self.digits is not None:
            return f"{value * self.scale:z.{self.digits}f}{self.unit}"
        return f"{value:,}" if isinstance(value, int) else _telling(value)

    def show_end(self, value: float) -> str:
        return self.show(value).removesuffix(self.unit)


@dataclass(frozen=True, slots=True)
class Change(Amount):
    """`+1.7 [-11.9, +15.2]`: a difference."""

    _: KW_ONLY
    digits: int = 1
    scale: float = 1.0  # 100: a difference of rates in points

    def show(self, value: float) -> str:
        return signed(value * self.scale, self.digits)


@dataclass(frozen=True, slots=True)
class Money(Amount):
    """US dollars."""

    _: KW_ONLY
    unknown: str = "unknown"

    is_sum = True

    def show(self, value: float) -> str:
        return dollars(value)


@dataclass(frozen=True, slots=True)
class Seconds(Amount):
    is_sum = True

    def show(self, value: float) -> str:
        return seconds(value)


@dataclass(frozen=True, slots=True)
class Count(Amount):
    _: KW_ONLY
    unknown: str = "unknown"

    is_sum = True

    def show(self, value: float) -> str:
        return f"{value:,.0f}"


@dataclass(frozen=True, slots=True)
class PValue(Amount):
    def show(self, value: float) -> str:
        if value < 0.001:
            return "< 0.001"
        return f"{value:.3f}" if f"{value:.3f}" != "0.050" else f"{value:.5f}"  # which side of the limit must be seen


@dataclass(frozen=True, slots=True)
class Bar(Amount):
    """Where a number lies between two others, with its interval."""

    _: KW_ONLY
    low: float = 0.0
    high: float = 1.0

    def place(self, value: float) -> float:
        """From 0 to 1."""
        return min(1.0, max(0.0, (value - self.low) / ((self.high - self.low) or 1.0)))

    def show(self, value: float) -> str:
        """`····───●──····`"""
        low, high = self.ends or (value, value)
        low, at, high = (round(self.place(one) * (BAR_WIDTH - 1)) for one in (low, value, high))
        places = range(BAR_WIDTH)
        return "".join("●" if place == at else "─" if low <= place <= high else "·" for place in places)

    def told(self) -> tuple[str, str]:
        return ("·" * BAR_WIDTH if self.value is None else self.show(self.value)), ""


@dataclass(frozen=True, slots=True)
class Line(Cell):
    """Cells and words in one running line."""

    parts: tuple[Cell | str, ...]
    _: KW_ONLY
    style: Style = ""

    def spans(self) -> tuple[Span, ...]:
        found = (span for part in self.parts for span in _running(part))
        return tuple(Span(span.text, span.style or self.style) for span in found)

    def data(self) -> object:
        return [part if isinstance(part, str) else part.data() for part in self.parts]

    def key(self) -> float | str | None:
        return next((part.key() for part in self.parts if isinstance(part, Amount)), str(self))


def _running(part: Cell | str) -> tuple[Span, ...]:
    """Blanks at the ends of words that go on matter."""
    return (Span(visible(part)),) if isinstance(part, str) else part.spans()


def fact(value: object) -> Cell:
    """What a suite tells of a trial, as JSON data."""
    if isinstance(value, bool):
        return Words("yes" if value else "no")
    return Number(value, digits=None) if isinstance(value, float | int | None) else Words(str(value))


def measured(amount: Figure | float | None, measure: Measure, *, short: bool = False) -> Amount:
    """A mean, or one trial's worth, in the suite's own measure."""
    if measure.kind == "pass":
        return Rate(amount, short=short)
    digits = _digits(measure, amount, short=short)
    return Number(amount, digits=digits, unit=f" {measure.unit}" if measure.unit else "")


def changed(difference: Difference, measure: Measure) -> Change:
    """Of rates in points."""
    if measure.kind == "pass":
        return Change(difference, scale=100)
    return Change(difference, digits=_digits(measure, difference, short=True))


def _digits(measure: Measure, amount: Figure | Difference | float | None, *, short: bool) -> int:
    """So many that a hundredth of the range can be seen; a thousandth of a small one where there is room.

    Where the range has no end, the amount and its interval stand for it.
    """
    span = measure.span if measure.span < inf else _size(amount)
    if span <= 1:
        return min(_MOST_DIGITS, (2 if short or measure.span == inf else 3) + (-floor(log10(span)) if span else 0))
    if measure.span == inf:
        return 2 if span < 1000 else 0
    return 1 if span > 20 else 2


def _size(amount: Figure | Difference | float | None) -> float:
    parts = (amount.value, amount.low, amount.high) if isinstance(amount, Figure | Difference) else (amount,)
    return max((abs(part) for part in parts if part is not None), default=0.0)


def _telling(value: float) -> str:
    """Four digits, and all that stand before the point."""
    whole = len(f"{abs(value):.0f}")
    return f"{value:,.{whole if 4 < whole <= _MOST_DIGITS else 4}g}"
