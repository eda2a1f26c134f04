"""A page as Markdown, for a pull request or a wiki."""

import re
from collections.abc import Iterator, Sequence

from trialkit.text.shown import one_line, visible

from .amounts import Line
from .cells import Cell, Code, Prose, as_cell
from .chart import Chart
from .chat import Chat, ChatPair
from .page import Facts, Heading, Note, Page, Part, Passage

#: Of a critique: enough to see what it is about. JSON has all of it.
_LONGEST = 200


def write(page: Page) -> str:
    return "\n".join([f"## {_escaped(page.title)}", *(line for part in page.parts for line in _lines(part))]) + "\n"


def _lines(part: Part) -> Iterator[str]:
    yield ""
    if isinstance(part, Note):
        yield f"**{_escaped(part.text)}**" if part.loud or part.strong else _escaped(part.text)
    elif isinstance(part, Heading):
        yield f"## {_escaped(part.text)}"
    elif isinstance(part, Facts):
        yield from _table(("", ""), part.rows)
    elif isinstance(part, Passage):
        fence = max(re.findall("`{3,}", part.text), default="``") + "`"
        yield from (f"### {_escaped(part.title)}", "", fence, visible(part.text, keep="\n"), fence)
    elif isinstance(part, Chat):
        yield from _chat(part)
    elif isinstance(part, ChatPair):
        yield from (f"### {_escaped(part.left)}", "")
        yield from _chat(Chat(steps=tuple(left for left, _ in part.rows if left), lines=part.lines))
        yield from ("", f"### {_escaped(part.right)}", "")
        yield from _chat(Chat(steps=tuple(right for _, right in part.rows if right), lines=part.lines))
    else:
        part = part.text() if isinstance(part, Chart) else part
        if part.title:
            yield from (f"### {_escaped(part.title)}", "")
        yield from _table(part.columns, part.rows)
        if part.note:
            yield from ("", _escaped(part.note))


def _chat(chat: Chat) -> Iterator[str]:
    for step in chat.steps:
        yield f"{step.number}. **{_escaped(step.who)}** {_escaped(chat.cut(step.text))}"
        for tool in step.tools:
            came = "" if tool.result is None else f" → {_escaped(chat.cut(tool.result))}"
            yield f"   - {_escaped(tool.name)} {_escaped(tool.arguments)}{came}"


def _table(columns: Sequence[str], rows: Sequence[Sequence[Cell | str]]) -> Iterator[str]:
    yield f"| {' | '.join(map(_escaped, columns))} |"
    yield "|---" * len(columns) + "|"
    yield from (f"| {' | '.join(_written(as_cell(cell)) for cell in row)} |" for row in rows)


def _written(cell: Cell) -> str:
    text = str(cell)
    if isinstance(cell, Code) and text and not {"`", "|"} & set(text):
        return f"`{text}`"
    if isinstance(cell, Prose) and len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}…"
    return f"**{_escaped(text)}**" if isinstance(cell, Line) and cell.style == "strong" else _escaped(text)


def _escaped(text: str) -> str:
    """A model's words must not become markup or break the table."""
    line = one_line(text)
    for character in "\\`*_[]<>|#":
        line = line.replace(character, f"\\{character}")
    return line
