"""Jobs, calls, requests and records as JSON data, for trials that run in another process."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from functools import partial
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")
_READERS: dict[type, Mapping[str, Callable[[object], object]]] = {}


def to_data(value: Any) -> dict[str, Any]:
    """Of any of our dataclasses."""
    return asdict(value)


def from_data(kind: type[T], data: Mapping[str, object]) -> T:
    """From what `to_data` gave, as it comes back from JSON."""
    if kind not in _READERS:
        _READERS[kind] = {name: _reader(hint) for name, hint in get_type_hints(kind).items()}
    readers = _READERS[kind]
    return kind(**{name: value if value is None else readers[name](value) for name, value in data.items()})


def _reader(hint: Any) -> Callable[[Any], object]:
    parts = [part for part in get_args(hint) if part is not NoneType] if get_origin(hint) is UnionType else [hint]
    if get_origin(parts[0]) is tuple:
        item = _reader(get_args(parts[0])[0])
        return lambda values: tuple(map(item, values))
    if isinstance(parts[0], type) and is_dataclass(parts[0]):
        return partial(from_data, parts[0])
    return lambda value: value
