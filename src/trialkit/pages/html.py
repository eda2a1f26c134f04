"""A page as HTML: one file that needs nothing else, readable by day and by night, its tables sorted by a click."""

from collections.abc import Iterator
from html import escape

from trialkit.text.shown import visible

from .cells import Amount, Bar, Cell, Code, Prose, as_cell
from .page import Facts, Heading, Note, Page, Part, Table

_STYLE = """
:root { color-scheme: light dark; --text: #1a1a1a; --page: #fff; --dim: #666; --line: #ddd; --good: #1a7f37;
  --bad: #b3261e; --doubtful: #8a5a00; --loud: #fdecef; --mark: #3b6fb6; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e6e6; --page: #16181b; --dim: #a0a4aa; --line: #3a3d42;
  --good: #57c27a; --bad: #ff8a80; --doubtful: #e3b341; --loud: #3a1219; --mark: #8ab4f8; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem;
  color: var(--text); background: var(--page); }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .3rem; }
h2.heading { font-size: 1.6rem; margin-top: 3rem; padding-top: 1rem; border-top: 2px solid var(--dim); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .25rem 1.2rem .25rem 0; border-bottom: 1px solid var(--line); }
.facts th { font-weight: normal; color: var(--dim); white-space: nowrap; } .facts th.under { padding-left: 1rem; }
.facts th, .facts td { border: 0; padding-top: .1rem; padding-bottom: .1rem; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.facts .number { text-align: left; }
.prose { white-space: pre-line; overflow-wrap: anywhere; min-width: 14rem; }
code { font-size: .92em; overflow-wrap: anywhere; }
th button { all: unset; cursor: pointer; } th button:focus-visible { outline: 2px solid var(--mark); }
th[aria-sort=ascending] button::after { content: " ↑"; } th[aria-sort=descending] button::after { content: " ↓"; }
.good { color: var(--good); } .bad { color: var(--bad); } .doubtful { color: var(--doubtful); }
.dim, .note { color: var(--dim); } .strong { font-weight: 600; } p.strong { font-size: 1.1rem; }
.loud { border-left: 4px solid var(--bad); background: var(--loud); padding: .6rem 1rem; font-weight: 600; }
.bar { width: 12rem; height: 1rem; vertical-align: middle; }
"""

#: What is not known stays at the end, whichever way a column is sorted.
_SCRIPT = """
document.querySelectorAll("th button").forEach(button => button.onclick = () => {
  const head = button.parentElement, rows = head.closest("table").tBodies[0];
  const way = head.ariaSort === "ascending" ? -1 : 1;
  const key = row => row.cells[head.cellIndex].dataset.value ?? row.cells[head.cellIndex].textContent;
  const order = (a, b) => !a || !b ? !a - !b
    : way * (isFinite(a) && isFinite(b) ? a - b : a.localeCompare(b, undefined, {numeric: true}));
  rows.append(...[...rows.rows].sort((a, b) => order(key(a), key(b))));
  for (const other of head.parentElement.cells) other.ariaSort = "none";
  head.ariaSort = way === 1 ? "ascending" : "descending";
});
"""


def write(page: Page) -> str:
    title, body = _escaped(page.title), "\n".join(map(_part, page.parts))
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n{body}\n"
        f"<script>{_SCRIPT}</script>\n</body>\n</html>\n"
    )


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
    if part.title:
        yield f"<h2>{_escaped(part.title)}</h2>"
    heads = (
        f'<th aria-sort="none"{_class(part, place)}><button>{_escaped(name)}</button></th>'
        for place, name in enumerate(part.columns)
    )
    yield f'<div class="wide"><table>\n<thead><tr>{"".join(heads)}</tr></thead>\n<tbody>'
    yield from (f"<tr>{''.join(_cell(as_cell(cell)) for cell in row)}</tr>" for row in part.rows)
    yield "</tbody></table></div>"
    if part.note:
        yield f'<p class="note">{_escaped(part.note)}</p>'


def _class(part: Table, place: int) -> str:
    cells = part.column(place)
    return ' class="number"' if cells and all(isinstance(cell, Amount) for cell in cells) else ""


def _cell(cell: Cell) -> str:
    if isinstance(cell, Prose):
        return f'<td class="prose">{_escaped(cell.words)}</td>'
    if isinstance(cell, Code):
        return f"<td><code>{_escaped(cell.words)}</code></td>"
    shown = "".join(_span(span.text, span.style) for span in cell.spans())
    if isinstance(cell, Amount):
        told, ends = cell.told()
        shown = f"{_escaped(told)} {_span(ends, 'dim')}" if ends else _bar(cell) if isinstance(cell, Bar) else shown
        return f'<td class="number"{_values(cell)}>{shown}</td>'
    key = cell.key()
    sorted_by = "" if isinstance(key, str) else f' data-value="{"" if key is None else key}"'
    return f"<td{sorted_by}>{shown}</td>"


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
    low, high, value = (100 * cell.place(one) for one in (*(cell.ends or (cell.value, cell.value)), cell.value))
    return (
        '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img">'
        f"<title>{_escaped(str(cell.value))}</title>"
        '<line x1="0" x2="100" y1="5" y2="5" stroke="var(--line)" stroke-width="1"/>'
        f'<line x1="{low:.1f}" x2="{high:.1f}" y1="5" y2="5" stroke="var(--mark)" stroke-width="2"/>'
        f'<line x1="{value:.1f}" x2="{value:.1f}" y1="1" y2="9" stroke="var(--mark)" stroke-width="1.5"/></svg>'
    )


def _escaped(text: str) -> str:
    return escape(visible(text, keep="\n"))
