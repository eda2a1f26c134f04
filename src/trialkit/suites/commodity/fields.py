"""The fields of JSON objects in golden cells and alerts: what is wrong with a value, in words.

What a field of a dataclass has to be stands in its annotation: a check, or a `Literal` of the words that it may be.
"""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, NoReturn, get_args, get_origin, get_type_hints

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


def text(value: object) -> str | None:
    return None if isinstance(value, str) else f"must be a text, not {shown(value)}"


def code(value: object) -> str | None:
    if not isinstance(value, str):
        return text(value)
    return None if value and value == value.strip() else f"must be a code without spaces around it, not {shown(value)}"


def _one_of(*words: str) -> Check:
    choice = " or ".join(map(shown, words))
    return lambda value: None if value in words else f"must be {choice}, not {shown(value)}"


Symbol = Annotated[str, code]
Positive = Annotated[float, positive]
Text = Annotated[str, text]


@cache
def checks_of(record: type) -> Mapping[str, Check]:
    hints = get_type_hints(record, include_extras=True).items()
    return {
        name: hint.__metadata__[0] if get_origin(hint) is Annotated else _one_of(*get_args(hint))
        for name, hint in hints
    }


def object_problems(value: object, fields: Mapping[str, Check]) -> list[str]:
    """Everything wrong with an object that must have exactly these fields."""
    if not isinstance(value, dict):
        return [f"must be an object with {', '.join(map(shown, fields))}, not {shown(value)}"]
    problems = [f"{shown(name)} is missing" for name in fields if name not in value]
    problems += [f"{shown(name)} is not one of its fields" for name in value if name not in fields]
    found = ((name, check(value[name])) for name, check in fields.items() if name in value)
    return problems + [f"{shown(name)} {wrong}" for name, wrong in found if wrong]


def item_problems(items: Iterable[object], record: type, name: str) -> list[str]:
    """The same of several, each of which is to be such a record."""
    numbered = enumerate(items, start=1)
    return [f"{name} {n}: {said}" for n, item in numbered for said in object_problems(item, checks_of(record))]


def refuse(*problems: str) -> NoReturn:
    raise ValueError("; ".join(problems))
