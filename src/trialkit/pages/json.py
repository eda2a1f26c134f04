"""A page as JSON: what is a figure is an object of value, low, high and n."""

from functools import singledispatch

from trialkit.text.json import pretty

from .cells import as_cell
from .chart import Curve, Dots, HeatMap, Histogram, Scatter
from .chat import Chat, ChatPair
from .page import Facts, Heading, Note, Page, Part, Passage
from .table import Table


def write(page: Page) -> str:
    data = {"title": page.title, "parts": [part_data(part) for part in page.parts]}
    return pretty(data)


@singledispatch
def part_data(part: Part) -> dict[str, object]:
    raise TypeError(f"no page has {part!r}")


@part_data.register
def _note(part: Note) -> dict[str, object]:
    return {"note": part.text, "loud": part.loud, "strong": part.strong}


@part_data.register
def _heading(part: Heading) -> dict[str, object]:
    return {"heading": part.text}


@part_data.register
def _facts(part: Facts) -> dict[str, object]:
    return {"facts": [{"name": name.strip(), "value": as_cell(value).data()} for name, value in part.rows]}


@part_data.register
def _passage(part: Passage) -> dict[str, object]:
    return {"passage": part.title, "text": part.text}


@part_data.register
def _chat(part: Chat) -> dict[str, object]:
    return {"steps": [step.data() for step in part.steps]}


@part_data.register
def _pair(part: ChatPair) -> dict[str, object]:
    rows = [[step and step.data() for step in row] for row in part.rows]
    return {"left": part.left, "right": part.right, "rows": rows, "parts_at": part.parts_at}


@part_data.register
def _chart(part: Dots | Curve | Histogram | HeatMap | Scatter) -> dict[str, object]:
    return {"chart": type(part).__name__.lower(), **_table(part.table())}


@part_data.register
def _table(part: Table) -> dict[str, object]:
    return {
        "table": part.title,
        "columns": list(part.columns),
        "rows": [[as_cell(cell).data() for cell in row] for row in part.rows],
        "note": part.note,
    }
