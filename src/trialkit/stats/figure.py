"""A number and how sure we are of it."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TypeVar, cast

T = TypeVar("T", int, float)


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """An estimate with its 95% interval over `n` observations. None: it cannot be known from these."""

    value: float | None
    low: float | None
    high: float | None
    n: int

    def to_data(self) -> dict[str, float | int | None]:
        return asdict(self)


def exact(value: float | None, n: int) -> Figure:
    """A count or a sum: nothing was sampled, so the interval is the value itself."""
    return Figure(value=value, low=value, high=value, n=n)


def unknown(n: int) -> Figure:
    """What `n` observations, or none, cannot tell."""
    return exact(None, n)


def known_sum(values: Iterable[T | None]) -> T | None:
    """None as soon as one is unknown: a part is not the whole."""
    known = list(values)
    return None if None in known else cast("T", sum(value for value in known if value is not None))
