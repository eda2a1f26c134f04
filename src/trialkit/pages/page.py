"""A page of findings, the same for the terminal, for Markdown and for HTML."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trialkit.pages.cells import Clamped, add_column
from trialkit.pages.markdown import cell, table
from trialkit.text.shown import one_line

#: Of a critique in a terminal's table cell: enough to see what it is about. JSON and CSV have all of it.
_MOST_LINES = 3


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

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Listing:
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    prose: tuple[str, ...] = ()  # the columns that hold sentences, which share the width that is left


Part = Note | Heading | Facts | Listing


@dataclass(frozen=True, kw_only=True, slots=True)
class Page:
    title: str
    parts: tuple[Part, ...]


def console_page(page: Page) -> str:
    """As it would look in this terminal, with colours if it has them."""
    console = Console(highlight=False)
    with console.capture() as capture:
        console.print(Text(page.title, style="bold"))
        for part in page.parts:
            console.print()
            if isinstance(part, Note):
                console.print(Text(part.text, style="bold red" if part.loud else "bold" if part.strong else ""))
            elif isinstance(part, Heading):
                console.print(Text(f"── {part.text} ──", style="bold"))
            elif isinstance(part, Facts):
                console.print(_grid(part))
            else:
                _print_listing(part, console)
    # rich fills every line of a table up with blanks, which a log or a paste shows
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def _grid(part: Facts) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in part.rows:
        grid.add_row(f"  {name}", Text(value))
    return grid


def _print_listing(part: Listing, console: Console) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False, expand=bool(part.prose))
    columns: list[list[Text | Clamped]] = []
    for place, name in enumerate(part.columns):
        cells = [row[place] for row in part.rows]
        if name in part.prose:
            table.add_column(name, ratio=1)
            columns.append([Clamped(one_line(cell), _MOST_LINES) for cell in cells])
        else:
            columns.append(add_column(table, name, cells))
    for row in zip(*columns, strict=True):
        table.add_row(*row)
    console.print(Text(part.title, style="bold"))
    console.print(Padding(table, (0, 0, 0, 1)))
    if part.note:
        console.print(Padding(Text(part.note, style="dim"), (0, 0, 0, 1)))


def markdown_page(page: Page) -> str:
    return "\n".join([f"## {cell(page.title)}", *(line for part in page.parts for line in _markdown(part))]) + "\n"


def _markdown(part: Part) -> Iterator[str]:
    yield ""
    if isinstance(part, Note):
        yield f"**{cell(part.text)}**" if part.loud or part.strong else cell(part.text)
    elif isinstance(part, Heading):
        yield f"## {cell(part.text)}"
    elif isinstance(part, Facts):
        yield from table(("", ""), part.rows)
    else:
        yield from (f"### {cell(part.title)}", "")
        yield from table(part.columns, part.rows)
        if part.note:
            yield from ("", cell(part.note))


_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #ddd; }
td { font-variant-numeric: tabular-nums; }
.prose { overflow-wrap: anywhere; }
.loud { border-left: 4px solid #b00020; background: #fdecef; padding: .6rem 1rem; font-weight: 600; }
.strong { font-size: 1.15rem; font-weight: 600; }
.note { color: #555; }
.heading { font-size: 1.8rem; margin-top: 3rem; padding-top: 1rem; border-top: 2px solid #888; }
@media (prefers-color-scheme: dark) {
  body { background: #16181b; color: #e6e6e6; } th, td { border-color: #3a3d42; } .note { color: #aaa; }
  .loud { background: #3a1219; }
}
"""


def html_page(page: Page) -> str:
    """One file that needs nothing else."""
    body = "\n".join(_html(part) for part in page.parts)
    title = escape(page.title)
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>\n"
    )


def _html(part: Part) -> str:
    if isinstance(part, Note):
        look = "loud" if part.loud else "strong" if part.strong else ""
        return f'<p class="{look}">{escape(part.text)}</p>'
    if isinstance(part, Heading):
        return f'<h2 class="heading">{escape(part.text)}</h2>'
    if isinstance(part, Facts):
        rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in part.rows)
        return f"<table>{rows}</table>"
    head = "".join(f"<th>{escape(column)}</th>" for column in part.columns)
    opened = ['<td class="prose">' if column in part.prose else "<td>" for column in part.columns]
    rows = "".join(
        f"<tr>{''.join(f'{td}{escape(text)}</td>' for td, text in zip(opened, row, strict=True))}</tr>"
        for row in part.rows
    )
    note = f'<p class="note">{escape(part.note)}</p>' if part.note else ""
    return f"<h2>{escape(part.title)}</h2>\n<table><tr>{head}</tr>{rows}</table>{note}"
