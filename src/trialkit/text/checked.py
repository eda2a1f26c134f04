"""Strangers' data held against what it has to be, by pydantic."""

from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from trialkit.errors import InputError

from .short import shown

T = TypeVar("T")


def checked(kind: TypeAdapter[T], value: object, source: object, *place: str, fix: str = "") -> T:
    """The value as that kind. `InputError` names the source, and where in it the first thing stands that does not fit.

    `place` is where in the source the value stands; `fix` is what to do about it, in a clause of its own.
    """
    try:
        return kind.validate_python(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = " → ".join(map(str, (*place, *first["loc"])))
        wanted = first["msg"].partition(" or instance of ")[0]
        found = f"{source}: {where and f'{where}: '}{wanted} (found {shown(first['input'])})"
        raise InputError(f"{found}{fix and '; '}{fix}") from None
