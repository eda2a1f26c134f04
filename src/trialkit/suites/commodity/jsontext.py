"""JSON and text from outside: parsed strictly, shown shortly, cleaned of what no file can hold."""

import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, NoReturn

#: Returns what is wrong with a field's value, to be read after the field's name; None where nothing is.
Check = Callable[[Any], str | None]


def parse_json(text: str) -> Any:
    """The value of a JSON text; ValueError says what is wrong and where. NaN and Infinity are left to `positive`."""
    try:
        value = json.loads(text, object_pairs_hook=_unique)
        return _cleaned(value) if "\\u" in text else value
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg} (line {error.lineno}, character {error.colno})") from None
    except RecursionError:
        raise ValueError("is not JSON that can be read: nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"is not JSON that can be read: {error}") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {shown(twice)} stands twice in one object")
    return found


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(part) for part in value]
    if isinstance(value, dict):
        return {clean(key): _cleaned(part) for key, part in value.items()}
    return value


def clean(text: str) -> str:
    """Without NULs and lone surrogates: a model can write them (as escapes), but no CSV or UTF-8 file can hold them."""
    return "".join("\N{REPLACEMENT CHARACTER}" if c == "\0" or "\ud800" <= c <= "\udfff" else c for c in text)


def shown(value: Any, limit: int = 60) -> str:
    """A JSON value for a message: on one line, shortened."""
    try:
        written = json.dumps(value, ensure_ascii=False, default=repr)
    except RecursionError:  # what could just be read cannot always be written
        written = "what is nested too deeply to show"
    return shortened(written, limit)


def shortened(text: str, limit: int = 60) -> str:
    """Any text for a message: on one line, no control characters, at most `limit` characters."""
    flat = " ".join(text[: limit * 4].split())
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in flat)
    return safe if len(safe) <= limit and len(text) <= limit * 4 else safe[: limit - 1] + "…"


def decimal(number: float) -> Decimal:
    """The number as it is written, so that 4.25 is 4.25 and differences come out as a person would compute them."""
    return Decimal(str(number))


def positive(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"must be a number, not {shown(value)}"
    try:
        fine = 0 < float(value) < float("inf")
    except OverflowError:
        fine = False
    return None if fine else f"must be a finite number above 0, not {shown(value)}"


def code(value: Any) -> str | None:
    if not isinstance(value, str):
        return f"must be a text, not {shown(value)}"
    return None if value and value == value.strip() else f"must be a code without spaces around it, not {shown(value)}"


def text(value: Any) -> str | None:
    return None if isinstance(value, str) else f"must be a text, not {shown(value)}"


def one_of(*words: str) -> Check:
    choice = " or ".join(map(shown, words))

    def check(value: Any) -> str | None:
        return None if isinstance(value, str) and value in words else f"must be {choice}, not {shown(value)}"

    return check


def object_problems(value: Any, fields: Mapping[str, Check]) -> list[str]:
    """Everything wrong with an object that must have exactly these fields."""
    if not isinstance(value, dict):
        return [f"must be an object with {', '.join(map(shown, fields))}, not {shown(value)}"]
    problems = [f"{shown(name)} is missing" for name in fields if name not in value]
    problems += [f"{shown(name)} is not one of its fields" for name in value if name not in fields]
    found = ((name, check(value[name])) for name, check in fields.items() if name in value)
    return problems + [f"{shown(name)} {wrong}" for name, wrong in found if wrong]


def refuse(problems: list[str]) -> NoReturn:
    raise ValueError("; ".join(problems))
