"""Plain data: from frozen dataclasses, and what texts there are in some."""

from collections.abc import Iterator, Mapping
from typing import Any


def plain(value: Any) -> dict[str, Any]:
    """The fields of a slotted dataclass, as they are. `dataclasses.asdict` copies deeply, at ten times the cost."""
    return {name: getattr(value, name) for name in value.__slots__}


def texts_in(value: object) -> Iterator[str]:
    """All texts in JSON data, but for the names of its fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for one in value.values() for text in texts_in(one))
    elif isinstance(value, list | tuple):
        yield from (text for one in value for text in texts_in(one))
