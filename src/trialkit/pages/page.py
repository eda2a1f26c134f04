"""A page of findings, the same for the terminal, for Markdown, for HTML and as JSON."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module

from .cells import Cell
from .chart import Chart
from .chat import Chat, ChatPair
from .table import Table

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
class Passage:
    """A text as it stands, line by line, such as a prompt."""

    title: str
    text: str


Part = Note | Heading | Facts | Table | Chart | Passage | Chat | ChatPair


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    title: str
    parts: tuple[Part, ...]
    #: By the name that a link to it has (`#t-12`): what a page of HTML shows in place, asked for one after the other.
    folded: Iterable[tuple[str, Callable[[], Iterable[Part]]]] = ()
    again: Part | None = None  # what it comes to: a terminal that is shorter than the page shows it at its end as well


def notebook_html(page: Page) -> str:
    from .html import fragment  # noqa: PLC0415 - as the writers, only where it is wanted

    return fragment(page)


def html_pieces(page: Page) -> Iterator[str]:
    """A page of HTML in the memory of a part of it."""
    from .html import pieces  # noqa: PLC0415 - likewise

    return pieces(page)


def write_page(page: Page, form: str) -> str:
    """`form` is one of WRITERS."""
    written: str = import_module(f"{__package__}.{WRITERS[form]}").write(page)
    return written
