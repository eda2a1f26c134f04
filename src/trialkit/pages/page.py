"""A page of findings, the same for the terminal, for Markdown, for HTML and as JSON."""

from dataclasses import dataclass
from importlib import import_module

from .cells import Cell, Prose, as_cell

#: Each is a module of this package, loaded when it is asked for, with a function `write`.
WRITERS = {"console": "console", "md": "markdown", "html": "html", "json": "json"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """A paragraph. A loud one is a warning, a strong one the result."""

    text: str
    loud: bool = False
    strong: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Heading:
    """What all that follows is about."""

    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """Names and values."""

    rows: tuple[tuple[str, Cell | str], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell | str, ...], ...]
    note: str = ""
    below: str = ""  # the column that has a line of its own under each row in a terminal: it would fit nowhere else

    def column(self, place: int) -> list[Cell]:
        return [as_cell(row[place]) for row in self.rows]

    def is_prose(self, place: int) -> bool:
        return any(isinstance(cell, Prose) for cell in self.column(place))


Part = Note | Heading | Facts | Table


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    title: str
    parts: tuple[Part, ...]


def write_page(page: Page, form: str) -> str:
    """`form` is one of WRITERS."""
    written: str = import_module(f"{__package__}.{WRITERS[form]}").write(page)
    return written
