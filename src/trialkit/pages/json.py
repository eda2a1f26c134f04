"""A page as JSON: what is a figure is an object of value, low, high and n."""

from trialkit.text.json import pretty

from .cells import as_cell
from .page import Facts, Heading, Note, Page, Part


def write(page: Page) -> str:
    data = {"title": page.title, "parts": [part_data(part) for part in page.parts]}
    return pretty(data)


def part_data(part: Part) -> dict[str, object]:
    if isinstance(part, Note):
        return {"note": part.text, "loud": part.loud, "strong": part.strong}
    if isinstance(part, Heading):
        return {"heading": part.text}
    if isinstance(part, Facts):
        return {"facts": [{"name": name.strip(), "value": as_cell(value).data()} for name, value in part.rows]}
    return {
        "table": part.title,
        "columns": list(part.columns),
        "rows": [[as_cell(cell).data() for cell in row] for row in part.rows],
        "note": part.note,
    }
