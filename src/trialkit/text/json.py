"""JSON as strangers write it: it may be no JSON at all, and every value in it may be of any type."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from trialkit.errors import InputError

from .files import as_text, read_file
from .short import shown
from .whole import whole_text

#: An object that was read from JSON: what is in it is told apart by `isinstance`, or by the functions below.
JsonObject = dict[str, Any]
Json = Mapping[str, "Json"] | Sequence["Json"] | str | int | float | bool | None

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class JsonError(ValueError):
    """The text is no JSON, or none that is taken. `what` is wrong; `line`, `column` and `position` count from 1."""

    def __init__(self, what: str, line: int = 0, column: int = 0, position: int = 0) -> None:
        place = f" (line {line}, character {column})"
        super().__init__(f"is not JSON: {what}{place}" if line else f"is not JSON that can be read: {what}")
        self.what = what
        self.line = line  # 0: it is wrong as a whole
        self.column = column
        self.position = position


def dump(value: object) -> str:
    """As short as it can be, in any alphabet, and fit for any file."""
    return whole_text(_encode(value))


def laid_out(text: str) -> str:
    """JSON with a line for each value; any other text as it is."""
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return text


def pretty(value: object) -> str:
    """For people and their programs, in any alphabet."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def parse(text: str, *, unique: bool = False, finite: bool = False, clean: Callable[[str], str] = whole_text) -> Any:
    """The value of a JSON text. Raises `JsonError`.

    `unique`: no key stands twice in one object. `finite`: no NaN, and no number beyond any. `clean`: what its texts go
    through, where escapes may stand for something that no file can hold.
    """
    try:
        value = _decoder(unique, finite).decode(text)
        return _cleaned(value, clean) if "\\u" in text else value
    except json.JSONDecodeError as error:
        raise JsonError(error.msg, error.lineno, error.colno, error.pos + 1) from None
    except RecursionError:
        raise JsonError("nested too deeply") from None
    except ValueError as error:
        raise JsonError(str(error)) from None


@cache
def _decoder(unique: bool, finite: bool) -> json.JSONDecoder:
    """Made once: to make one takes longer than to read a short text."""
    strictly: dict[str, Any] = {"object_pairs_hook": _once} if unique else {}
    if finite:
        strictly |= {"parse_constant": _no_number, "parse_float": _finite}
    return json.JSONDecoder(**strictly)


def decode(data: bytes, source: object, fix: str = "") -> Any:
    """The value of a JSON file, `source`. Raises `InputError`; `fix` is what to do about it, in a clause of its own."""
    try:
        return parse(as_text(data, source))
    except JsonError as error:
        place = f":{error.line}:{error.column}: not JSON: " if error.line else ": "
        raise InputError(f"{source}{place}{error.what}{fix and '; '}{fix}") from None


def object_schema(**properties: object) -> JsonObject:
    """JSON schema of an object that has all these and nothing else."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_json(path: Path, fix: str = "") -> Any:
    """The value of a JSON file. Raises `InputError`."""
    return decode(read_file(path, fix), path, fix)


def load(text: str) -> Any:
    """The JSON value, or None where the text is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def items(value: object) -> list[JsonObject]:
    """The objects in a list; nothing where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def members(value: object) -> JsonObject:
    """An object; without anything in it where it is none."""
    return value if isinstance(value, dict) else {}


def merged(one: JsonObject, other: JsonObject) -> JsonObject:
    """Both objects in one; where they say different things the other counts."""
    both = {**one, **other}
    for name in one.keys() & other.keys():
        if isinstance(one[name], dict) and isinstance(other[name], dict):
            both[name] = merged(one[name], other[name])
    return both


def word(value: object) -> str:
    """A text; empty where it is none: lists and objects cannot be looked up."""
    return value if isinstance(value, str) else ""


def deeper_than(value: object, levels: int) -> bool:
    """Level by level: a function that calls itself is what this is to prevent."""
    level = [value]
    for _ in range(levels):
        level = [part for one in level for part in _parts(one)]
        if not level:
            return False
    return True


def _parts(value: object) -> Sequence[object]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ()


def key_twice(pairs: Sequence[tuple[str, object]]) -> str | None:
    """The first key that stands more than once in an object."""
    keys = [key for key, _ in pairs]
    return None if len(set(keys)) == len(keys) else next(key for key in keys if keys.count(key) > 1)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    twice = key_twice(pairs)
    if twice is not None:
        raise ValueError(f"the key {shown(twice)} stands twice in one object")
    return dict(pairs)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"the number {digits[:20]} is too large")
    return value


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(part, clean) for part in value]
    if isinstance(value, dict):
        return {clean(key): _cleaned(part, clean) for key, part in value.items()}
    return value
