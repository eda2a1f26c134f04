"""A page as HTML: one file that needs nothing else, readable by day and by night, its tables sorted by a click.

Strangers' words are escaped; and a browser runs and loads nothing but what the page's policy names by its hash.
"""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import singledispatch
from hashlib import sha256
from html import escape
from importlib.resources import files
from zlib import compress

from trialkit.text.shown import visible

from .amounts import Amount, Bar, Line
from .cells import Cell, Code, Name, Prose, as_cell
from .chart import Curve, Dots, HeatMap, Histogram, Scatter
from .chart_svg import chart_svg
from .chat import Chat, ChatPair
from .chat_html import chat_html, pair_html
from .heat_html import heat_html
from .page import Facts, Heading, Note, Page, Part, Passage
from .table import Table

_DIGIT = "\u2007"  # a space as wide as a digit


def write(page: Page) -> str:
    return "".join(pieces(page))


def pieces(page: Page) -> Iterator[str]:
    """In the memory of one part that is folded, however many there are."""
    script = _file("html.js") + (_file("packed.js") if page.folded else "")
    title, look = _escaped(page.title), f"\n{style()}"
    allowed = (
        f"default-src 'none'; style-src {_hash(look)}; script-src {_hash(script)}; base-uri 'none'; form-action 'none'"
    )
    yield (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{allowed}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{look}</style></head>\n<body><main>\n<h1>{title}</h1>\n"
    )
    for part in page.parts:
        yield f"{_part(part)}\n"
    yield "</main>\n"
    for name, parts in page.folded:
        yield f'<script type="text/plain" id="{escape(name)}">{packed(parts_html(parts()))}</script>\n'
    yield f"<script>{script}</script>\n</body>\n</html>\n"


def packed(text: str) -> str:
    """What packed.js unpacks."""
    return b64encode(compress(text.encode(), 9)).decode()


def style() -> str:
    """Of the page, and of the charts in it."""
    return _file("html.css") + _file("chart.css")


def fragment(page: Page) -> str:
    """For a notebook, which has a style of its own and sorts no table."""
    body = parts_html(page.parts).replace("<button>", "").replace("</button>", "")
    return f"<style>\n{_file('chart.css')}</style><h3>{_escaped(page.title)}</h3>\n{body}"


def parts_html(parts: Iterable[Part]) -> str:
    return "\n".join(map(_part, parts))


def cell_html(cell: Cell | str) -> str:
    """What stands in a cell, without the cell."""
    found = as_cell(cell)
    return _bar(found) if isinstance(found, Bar) else _inline(found)


def _hash(text: str) -> str:
    """By which a browser knows what may be run or may style the page, and nothing else is let in."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


@singledispatch
def _part(part: Part) -> str:
    raise TypeError(f"no page has {part!r}")


@_part.register
def _note(part: Note) -> str:
    look = "loud" if part.loud else "strong" if part.strong else ""
    return f'<p class="{look}">{_escaped(part.text)}</p>'


@_part.register
def _heading(part: Heading) -> str:
    return f'<h2 class="heading">{_escaped(part.text)}</h2>'


@_part.register
def _facts(part: Facts) -> str:
    rows = "\n".join(f"<tr>{_fact_name(name)}{_cell(as_cell(value))}</tr>" for name, value in part.rows)
    return f'<table class="facts">\n{rows}\n</table>'


@_part.register
def _passage(part: Passage) -> str:
    return f"<h2>{_escaped(part.title)}</h2>\n<pre>{_escaped(part.text)}</pre>"


@_part.register
def _chat(part: Chat) -> str:
    return chat_html(part, _escaped)


@_part.register
def _pair(part: ChatPair) -> str:
    return pair_html(part, _escaped)


@_part.register
def _chart(part: Dots | Curve | Histogram | HeatMap | Scatter) -> str:
    """The table behind it says what the picture says to whoever does not see it."""
    picture = heat_html(part, _escaped) if isinstance(part, HeatMap) else chart_svg(part)
    note = f'<p class="note">{_escaped(part.note)}</p>' if part.note else ""
    whole = None if isinstance(part, Histogram | HeatMap) else part.whole
    told = whole or replace(part.table(), note="")
    table = "\n".join(_table_lines(replace(told, title="" if told.title == part.title else told.title)))
    behind = "" if whole else f'<details class="behind"><summary>As a table</summary>{table}</details>'
    figure = f'<figure class="chart">\n<figcaption>{_escaped(part.title)}</figcaption>{picture}{note}{behind}</figure>'
    return f"{figure}\n{table}" if whole else figure


@_part.register
def _table(part: Table) -> str:
    return "\n".join(_table_lines(part))


def _fact_name(name: str) -> str:
    return f"<th{' class=under' if name.startswith(' ') else ''}>{_escaped(name)}</th>"


def _table_lines(part: Table) -> Iterator[str]:
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


def _room(column: Sequence[Cell]) -> str:
    """The longest interval: all begin where it does, and where there is none its place is left empty."""
    return max((cell.told()[1] for cell in column if isinstance(cell, Amount)), default="", key=len)


def _head(name: str, column: Sequence[Cell], room: str) -> str:
    look = ""
    if column and all(isinstance(cell, Amount) for cell in column):
        look = "bars" if isinstance(column[0], Bar) else "" if room else "number"
    if not name:
        return "<td></td>"  # nothing that could be pressed, or that says what stands below
    return f'<th aria-sort="none"{look and f" class={look}"}><button>{_escaped(name)}</button></th>'


def _cell(cell: Cell, room: str = "") -> str:
    if isinstance(cell, Amount):
        return f'<td class="number"{_values(cell)}>{_bar(cell) if isinstance(cell, Bar) else _amount(cell, room)}</td>'
    if isinstance(cell, Prose):
        return f'<td class="prose">{_inline(cell)}</td>'
    key = cell.key()
    sorted_by = "" if isinstance(key, str) else f' data-value="{"" if key is None else key}"'
    if not isinstance(cell, Name):
        return f"<td{sorted_by}>{_inline(cell)}</td>"
    told = f'<a href="{escape(cell.link)}">{_inline(cell)}</a>' if cell.link else _inline(cell)
    return f'<td class="name">{told}</td>'


def _inline(cell: Cell) -> str:
    if isinstance(cell, Line):
        told = "".join(_escaped(part) if isinstance(part, str) else _inline(part) for part in cell.parts)
        return f'<span class="{cell.style}">{told}</span>' if cell.style else told
    if isinstance(cell, Code):
        return f"<code>{_escaped(cell.words)}</code>"
    if isinstance(cell, Prose):
        return _escaped(cell.words)
    if isinstance(cell, Amount):
        return _amount(cell, "")
    return "".join(_span(span.text, span.style) for span in cell.spans())


def _amount(cell: Amount, room: str) -> str:
    told, ends = cell.told()
    if room and not ends:
        return f'{_escaped(told)} <span class="room" aria-hidden="true">{_escaped(room)}</span>'
    if room:
        return f"{_escaped(told)} {_span(ends, 'dim')}{_DIGIT * (len(room) - len(ends))}"
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
