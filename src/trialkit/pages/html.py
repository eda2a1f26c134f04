"""A page as HTML: one file that needs nothing else, readable by day and by night, its tables sorted by a click."""

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from trialkit.text.shown import visible

from .amounts import Amount, Bar, Line
from .cells import Cell, Code, Name, Prose, as_cell
from .page import Facts, Heading, Note, Page, Part, Table

_CHARACTER = 0.85  # of an interval, on average: points and brackets are narrow


def write(page: Page) -> str:
    title, body = _escaped(page.title), "\n".join(map(_part, page.parts))
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>\n{_file('html.css')}</style></head>\n<body>\n<h1>{title}</h1>\n{body}\n"
        f"<script>\n{_file('html.js')}</script>\n</body>\n</html>\n"
    )


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _part(part: Part) -> str:
    if isinstance(part, Note):
        look = "loud" if part.loud else "strong" if part.strong else ""
        return f'<p class="{look}">{_escaped(part.text)}</p>'
    if isinstance(part, Heading):
        return f'<h2 class="heading">{_escaped(part.text)}</h2>'
    if isinstance(part, Facts):
        rows = "\n".join(f"<tr>{_fact_name(name)}{_cell(as_cell(value))}</tr>" for name, value in part.rows)
        return f'<table class="facts">\n{rows}\n</table>'
    return "\n".join(_table(part))


def _fact_name(name: str) -> str:
    return f"<th{' class=under' if name.startswith(' ') else ''}>{_escaped(name)}</th>"


def _table(part: Table) -> Iterator[str]:
    columns = [part.column(place) for place in range(len(part.columns))]
    if part.title:
        yield f"<h2>{_escaped(part.title)}</h2>"
    rooms = list(map(_room, columns))
    heads = "".join(map(_head, part.columns, columns, rooms))
    yield f'<div class="wide"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>'
    for row in zip(*columns, strict=True):
        yield f"<tr>{''.join(map(_cell, row, rooms))}</tr>"
    yield "</tbody></table></div>"
    if part.note:
        yield f'<p class="note">{_escaped(part.note)}</p>'


def _room(column: Sequence[Cell]) -> float:
    """What the widest interval takes, in widths of a 0, so that all begin at one place."""
    return _CHARACTER * max((len(cell.told()[1]) for cell in column if isinstance(cell, Amount)), default=0)


def _head(name: str, column: Sequence[Cell], room: float) -> str:
    look = ""
    if column and all(isinstance(cell, Amount) for cell in column):
        look = "bars" if isinstance(column[0], Bar) else "" if room else "number"
    return f'<th aria-sort="none"{look and f" class={look}"}><button>{_escaped(name)}</button></th>'


def _cell(cell: Cell, room: float = 0) -> str:
    if isinstance(cell, Amount):
        return f'<td class="number"{_values(cell)}>{_bar(cell) if isinstance(cell, Bar) else _amount(cell, room)}</td>'
    if isinstance(cell, Prose):
        return f'<td class="prose">{_inline(cell)}</td>'
    key = cell.key()
    sorted_by = "" if isinstance(key, str) else f' data-value="{"" if key is None else key}"'
    look = ' class="name"' if isinstance(cell, Name) else ""
    return f"<td{look}{sorted_by}>{_inline(cell)}</td>"


def _inline(cell: Cell) -> str:
    if isinstance(cell, Line):
        told = "".join(_escaped(part) if isinstance(part, str) else _inline(part) for part in cell.parts)
        return f'<span class="{cell.style}">{told}</span>' if cell.style else told
    if isinstance(cell, Code):
        return f"<code>{_escaped(cell.words)}</code>"
    if isinstance(cell, Prose):
        return _escaped(cell.words)
    if isinstance(cell, Amount):
        return _amount(cell, 0)
    return "".join(_span(span.text, span.style) for span in cell.spans())


def _amount(cell: Amount, room: float) -> str:
    told, ends = cell.told()
    if room:
        return f'{_escaped(told)} <span class="dim ends" style="min-width: {room:.1f}ch">{_escaped(ends)}</span>'
    return f"{_escaped(told)} {_span(ends, 'dim')}" if ends else _escaped(told)


def _values(cell: Amount) -> str:
    """The figure itself, for whoever reads the page by program; it is what the column is sorted by."""
    data = cell.data()
    figure = data if isinstance(data, dict) else {"value": data}
    known = {name: figure.get(name) for name in ("value", "low", "high", "n")}
    return "".join(
        f' data-{name}="{"" if value is None else value}"'
        for name, value in known.items()
        if value is not None or name == "value"
    )


def _span(text: str, style: str) -> str:
    return f'<span class="{style}">{_escaped(text)}</span>' if style else _escaped(text)


def _bar(cell: Bar) -> str:
    if cell.value is None:
        return ""
    low, high = cell.ends or (cell.value, cell.value)
    low, high, value = (6 + 180 * cell.place(one) for one in (low, high, cell.value))
    return (
        '<svg class="bar" viewBox="0 0 192 16" role="img" stroke="currentColor">'
        f"<title>{_escaped(str(cell.value))}</title>"
        '<line x1="6" x2="186" y1="8" y2="8" stroke="var(--line)"/>'
        f'<line x1="{low:.1f}" x2="{high:.1f}" y1="8" y2="8" stroke-width="3"/>'
        f'<circle cx="{value:.1f}" cy="8" r="4" fill="currentColor"/></svg>'
    )


def _escaped(text: str) -> str:
    return escape(visible(text, keep="\n"))
