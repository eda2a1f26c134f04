"""Templates become pages here. All text in them comes from strangers, so all of it is escaped and made visible."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse

from trialkit.analysis.steps import call_facts
from trialkit.pages import Cell, OutcomeCell, Part
from trialkit.pages.html import cell_html, parts_html, style
from trialkit.text.json import laid_out, pretty
from trialkit.text.short import shortened
from trialkit.text.shown import counted, dollars, file_size, seconds, visible

#: Of a tool's arguments, beside its name.
_SHORT = 80
#: Of a word in a frame, which is not broken; a phone's line has room for it.
_TAG = 36
STATIC = ("page.css", "page.js", "app.css", "app.js", "label.css", "label.js", "live.css", "live.js")


def page(template: str, csrf: str, values: Mapping[str, object], status: int = 200) -> HTMLResponse:
    found = templates().get_template(template)
    return HTMLResponse(found.render(csrf=csrf, **values), status)


def fragment(template: str, **values: object) -> str:
    """A part of a page, for one that is shown already."""
    return templates().get_template(template).render(**values)


def address(path: str, **query: str | int | None) -> str:
    """`/run?run=…`: names are strangers' words as well."""
    given = {name: value for name, value in query.items() if value not in {None, ""}}
    return f"{path}?{urlencode(given)}" if given else path


def run_address(name: str) -> str:
    return address("/run", run=name)


@cache
def templates() -> Environment:
    made = Environment(
        autoescape=True,
        finalize=_shown,
        loader=PackageLoader("trialkit.web"),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {
        "cell": _cell,
        "parts": _parts,
        "dollars": dollars,
        "seconds": seconds,
        "counted": counted,
        "file_size": file_size,
        "laid_out": laid_out,
        "as_json": pretty,
        "in_short": lambda text: shortened(text, _SHORT),
        "in_tag": lambda text: shortened(text, _TAG),
        "untitled": lambda table: replace(table, title=""),
        "call_facts": call_facts,
        "marked": _marked,
        "outcome": lambda verdict: OutcomeCell(verdict.outcome),
        "moment": lambda text: text[:16].replace("T", " "),
    }
    made.globals["address"] = address
    return made


@cache
def static(name: str) -> bytes:
    """Ours, and what reports as HTML look and sort like: one look for both."""
    if name == "page.css":
        return style().encode()
    if name == "page.js":
        return files("trialkit.pages").joinpath("html.js").read_bytes()
    return files("trialkit.web").joinpath("static", name).read_bytes()


def _shown(value: object) -> object:
    return visible(value, keep="\n\t") if isinstance(value, str) and not isinstance(value, Markup) else value


def _marked(text: str, words: str) -> str:
    """With the words marked wherever they stand in it."""
    if not words:
        return text
    parts = re.split(f"({re.escape(words)})", text, flags=re.IGNORECASE)
    shown = (escape(_shown(part)) for part in parts)
    return Markup("").join(Markup("<mark>{}</mark>").format(part) if at % 2 else part for at, part in enumerate(shown))


def _cell(cell: Cell | str) -> Markup:
    return Markup(cell_html(cell))  # noqa: S704 - escaped by the writer of pages


def _parts(parts: tuple[Part, ...]) -> Markup:
    return Markup(parts_html(parts))  # noqa: S704 - as above
