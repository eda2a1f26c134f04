"""Texts with places for a case's columns: `Sort this ticket: {{ text }}`."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from trialkit.errors import InputError

from .json import dump
from .short import near_or, shortened, shown

#: What stands in a template for itself: `{{ '{{' }}`.
_BRACES = {"'{{'", '"{{"'}


#: A case's columns, by name.
CaseCells = Mapping[str, Any]


class Piece(NamedTuple):
    """A piece of a template: text as it is, or what stood between braces."""

    text: str
    is_column: bool


def pieces(template: str) -> Iterator[Piece]:
    """In order. InputError says where a place is opened and never closed, or names nothing."""
    at = 0
    while (opened := template.find("{{", at)) >= 0:
        closed = template.find("}}", opened)
        named = template[opened + 2 : closed].strip()
        if closed < 0 or ("{{" in named and named not in _BRACES):
            line, rest = template.count("\n", 0, opened) + 1, shortened(template[opened:], 30)
            raise InputError(f"line {line}: {rest} is never closed; write }}}} after the column, or {{{{ '{{{{' }}}}")
        if not named:
            raise InputError("{{ }} names no column; write one between the braces")
        yield Piece(template[at:opened], is_column=False)
        yield Piece("{{", is_column=False) if named in _BRACES else Piece(named, is_column=True)
        at = closed + 2
    yield Piece(template[at:], is_column=False)


def columns_of(template: str) -> list[str]:
    """Each once, in the order in which they first stand there."""
    return list(dict.fromkeys(part.text for part in pieces(template) if part.is_column))


def fill(template: str, row: CaseCells) -> str:
    """With the row's values in their places; they are never looked into for braces of their own."""
    return "".join(written(value_in(row, part.text)) if part.is_column else part.text for part in pieces(template))


def fill_value(value: Any, row: CaseCells) -> Any:
    """Like `fill`, in whatever JSON data; what is one column and no more keeps its type."""
    if isinstance(value, str):
        columns = [part for part in pieces(value) if part.text]
        whole = len(columns) == 1 and columns[0].is_column
        return value_in(row, columns[0].text) if whole else fill(value, row)
    if isinstance(value, Mapping):
        return {key: fill_value(part, row) for key, part in value.items()}
    return [fill_value(part, row) for part in value] if isinstance(value, list | tuple) else value


def columns_in(value: Any) -> set[str]:
    """All that `fill_value` would look up."""
    if isinstance(value, str):
        return set(columns_of(value))
    within = list(value.values()) if isinstance(value, Mapping) else value
    return set().union(*map(columns_in, within)) if isinstance(within, list | tuple) else set()


def value_in(row: CaseCells, column: str) -> Any:
    """InputError names the columns that come near."""
    if column in row:
        return row[column]
    known = ", ".join(shortened(name, 30) for name in list(row)[:20]) or "none"
    raise InputError(
        f"there is no column {shown(column)}; {near_or(column, row, f'the cases have {known}', cutoff=0.5)}"
    )


def written(value: Any) -> str:
    """A value as text: nothing for an empty one, true and false as JSON has them, numbers as they are written."""
    if value is None or isinstance(value, str):
        return value or ""
    return dump(value)
