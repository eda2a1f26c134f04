"""Places in JSON: `$.order.items[0].sku`, `order["date of birth"]`."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_STEP = re.compile(r"""(?:^|\.)(?P<name>[^.\[\]"'$]+)|\[(?P<number>-?[0-9]{1,9})\]|\[(?P<quoted>"[^"]*"|'[^']*')\]""")

Step = str | int


def read_path(path: str) -> tuple[Step, ...]:
    """ValueError says where it cannot be read."""
    text, at = path.strip().removeprefix("$"), 0
    steps: list[Step] = []
    while at < len(text):
        step = _STEP.match(text, at)
        if not step:
            raise ValueError(f"the path {path!r} cannot be read from {text[at:]!r}; write it like $.items[0].name")
        number, quoted = step["number"], step["quoted"]
        steps.append(int(number) if number else quoted[1:-1] if quoted else step["name"].strip())
        at = step.end()
    return tuple(steps)


def at_path(value: Any, steps: Sequence[Step]) -> Any:
    """LookupError says what is not there."""
    for place, step in enumerate(steps):
        named = isinstance(step, str) and isinstance(value, Mapping) and step in value
        if not named and not (isinstance(step, int) and isinstance(value, list) and -len(value) <= step < len(value)):
            raise LookupError(f"there is nothing at {path_of(steps[: place + 1])}")
        value = value[step]
    return value


def path_of(steps: Sequence[Step]) -> str:
    names = (f"[{step}]" if isinstance(step, int) else _named(step) for step in steps)
    return "$" + "".join(names)


def _named(step: str) -> str:
    return f".{step}" if re.fullmatch(r"\w+", step) else f"[{json.dumps(step, ensure_ascii=False)}]"
