"""A number and how sure we are of it."""

from dataclasses import asdict, dataclass


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
