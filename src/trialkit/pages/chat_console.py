"""What was said and done, as a terminal shows it."""

from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from trialkit.text.shown import one_line

from .chat import Chat, ChatPair, ChatStep, same_so_far

_MARGIN = 4  # where the numbers of the steps stand


def print_chat(chat: Chat, console: Console) -> None:
    for step in chat.steps:
        number = Text(f"{step.number:>{_MARGIN - 2}}", style="dim")
        grid = Grid.grid(padding=(0, 1, 0, 0))
        grid.add_column(width=_MARGIN, no_wrap=True)
        grid.add_column(overflow="fold")
        for place, line in enumerate(_lines(step, chat)):
            grid.add_row("" if place else number, line)
        console.print(grid)


def print_pair(pair: ChatPair, console: Console) -> None:
    print_chat(same_so_far(pair), console)
    if pair.parts_at is None:
        console.print(Text("They are the same throughout.", style="bold"))
        return
    console.print(Text("── here they part ──" if pair.parts_at else "── they differ from the start ──", style="bold"))
    grid = Grid(show_header=True, box=None, padding=(0, 2, 0, 0), expand=True)
    for name in (pair.left, pair.right):
        grid.add_column(Text(one_line(name)), ratio=1, overflow="fold")
    for left, right in pair.rows[pair.parts_at :]:
        grid.add_row(_side(left, pair), _side(right, pair))
    console.print(grid)


def _side(step: ChatStep | None, pair: ChatPair) -> RenderableType:
    if step is None:
        return Text("·", style="dim")
    lines = list(_lines(step, Chat(steps=(), lines=pair.lines)))
    return Padding(Text("\n").join([Text(f"{step.number} ", style="dim") + lines[0], *lines[1:]]), (0, 0, 1, 0))


def _lines(step: ChatStep, chat: Chat) -> Iterator[Text]:
    """The first says who."""
    look = "red" if step.fault else "dim" if step.aside else ""
    yield Text.assemble((one_line(step.who), f"bold {look}".strip()), (f"  {step.meta}" if step.meta else "", "dim"))
    if step.text:
        yield Text(chat.cut(step.text), style=look)
    for tool in step.tools:
        yield Text.assemble(("→ ", "dim"), (one_line(tool.name), "bold"), (f" {one_line(tool.arguments)}", ""))
        if tool.result is not None:
            yield Text.assemble(("← ", "dim"), chat.cut(tool.result))
