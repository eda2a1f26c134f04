"""The fields of JSON objects in golden cells and alerts: what is wrong with a value, in words."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, NoReturn

from trialkit.text.json import parse
from trialkit.text.short import shown
from trialkit.text.whole import clean

#: Returns what is wrong with a field's value, to be read after the field's name; None where nothing is.
Check = Callable[[object], str | None]


def parse_json(text: str) -> Any:
    """The value of a JSON text that has to fit into a CSV again. ValueError says what is wrong, and where."""
    return parse(text, unique=True, clean=clean)


def decimal(number: float) -> Decimal:
    """The number as it is written, so that 4.25 is 4.25 and differences come out as a person would compute them."""
    return Decimal(str(number))


def positive(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"must be a number, not {shown(value)}"
    try:
        fine = 0 < float(value) < float("inf")
    except OverflowError:
        fine = False
    return None if fine else f"must be a finite number above 0, not {shown(value)}"


def code(value: object) -> str | None:
    if not isinstance(value, str):
        return f"must be a text, not {shown(value)}"
    return None if value and value == value.strip() else f"must be a code without spaces around it, not {shown(value)}"


def text(value: object) -> str | None:
    return None if isinstance(value, str) else f"must be a text, not {shown(value)}"


def one_of(*words: str) -> Check:
    choice = " or ".join(map(shown, words))

    def check(value: object) -> str | None:
        return None if isinstance(value, str) and value in words else f"must be {choice}, not {shown(value)}"

    return check


def object_problems(value: object, fields: Mapping[str, Check]) -> list[str]:
    """Everything wrong with an object that must have exactly these fields."""
    if not isinstance(value, dict):
        return [f"must be an object with {', '.join(map(shown, fields))}, not {shown(value)}"]
    problems = [f"{shown(name)} is missing" for name in fields if name not in value]
    problems += [f"{shown(name)} is not one of its fields" for name in value if name not in fields]
    found = ((name, check(value[name])) for name, check in fields.items() if name in value)
    return problems + [f"{shown(name)} {wrong}" for name, wrong in found if wrong]


def refuse(problems: list[str]) -> NoReturn:
    raise ValueError("; ".join(problems))
