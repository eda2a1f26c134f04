"""The arguments of a tool call, from the text that a model wrote."""

import json
import math
from collections.abc import Iterable
from typing import Any, NoReturn

from trialkit.models import whole_text

#: No tool takes what is nested deeper, and Python's own limits come soon after.
_DEEPEST = 100


def read_arguments(text: str) -> dict[str, Any]:
    """The object in the text, none at all for an empty text. ValueError says why there is none."""
    if not text.strip():
        return {}
    try:
        value = json.loads(text, parse_constant=_no_number, parse_float=_finite)
        if "\\u" in text:  # an escape may stand for half a character, which no file can hold
            value = json.loads(whole_text(json.dumps(value, ensure_ascii=False)))
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON ({error.msg} at character {error.pos + 1})") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - data, not a programming error
    if _deeper_than(value, _DEEPEST):
        raise ValueError("nested too deeply")
    return value


def _deeper_than(value: Any, levels: int) -> bool:
    """Level by level: a function that calls itself is what this is to prevent."""
    level = [value]
    for _ in range(levels):
        level = [part for one in level if isinstance(one, dict | list) for part in _parts(one)]
        if not level:
            return False
    return True


def _parts(value: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"the number {digits[:20]} is too large")
    return value
