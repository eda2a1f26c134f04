"""Plain data: from frozen dataclasses, and what texts there are in some."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from operator import attrgetter
from typing import Any


def plain(value: Any) -> dict[str, Any]:
    """The fields of a slotted dataclass, as they are. `dataclasses.asdict` copies deeply, at ten times the cost."""
    names: tuple[str, ...] = value.__slots__
    return dict(zip(names, values_of(names)(value), strict=True))


@cache
def values_of(names: tuple[str, ...]) -> Callable[[object], tuple[Any, ...]]:
    """What gives these attributes of an object, all in one step."""
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda value: (get(value),)


def texts_in(value: object) -> Iterator[str]:
    """All texts in JSON data, but for the names of its fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for one in value.values() for text in texts_in(one))
    elif isinstance(value, list | tuple):
        yield from (text for one in value for text in texts_in(one))
