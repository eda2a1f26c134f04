"""A page as it would look in this terminal, with colours if it has them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from trialkit.text.shown import visible

from .amounts import Amount, Line
from .cells import Cell, Code, Name, Prose, Style, Words, as_cell
from .chart import Chart
from .chat import Chat, ChatPair
from .chat_console import print_chat, print_pair
from .page import Facts, Heading, Note, Page, Part, Passage
from .table import Table

#: Where a word that is too long for its column may go on in the next line: the names of models, tools and files.
_JOINT = re.compile(r"[^/_,(=@-]*[/_,(=@-]+|[^/_,(=@-]+")
_ENDLESS = 10_000
_STYLES: Mapping[Style, str] = {
    "": "",
    "strong": "bold",
    "dim": "dim",
    "good": "green",
    "bad": "red",
    "doubtful": "yellow",
}


def write(page: Page) -> str:
    console = Console(highlight=False)
    shown = _shown(console, _words(page.title, "bold"), page.parts)
    if page.again and console.is_terminal and shown.count("\n") > console.height:
        shown += _shown(console, None, (page.again,))
    # rich fills every line of a table up with blanks, which a log or a paste shows
    return "".join(f"{line.rstrip()}\n" for line in shown.splitlines())


def _shown(console: Console, title: Text | None, parts: Sequence[Part]) -> str:
    with console.capture() as capture:
        if title:
            console.print(title)
        for part in parts:
            console.print()
            _print(part, console)
    return capture.get()


def _print(part: Part, console: Console) -> None:
    if isinstance(part, Note):
        console.print(_words(part.text, "bold red" if part.loud else "bold" if part.strong else ""))
    elif isinstance(part, Heading):
        console.print(_words(f"── {part.text} ──", "bold"))
    elif isinstance(part, Facts):
        console.print(_facts(part))
    elif isinstance(part, Passage):
        console.print(_words(part.title, "bold"))
        console.print(Padding(_words(part.text), (0, 0, 0, 2)))
    elif isinstance(part, Chat):
        print_chat(part, console)
    elif isinstance(part, ChatPair):
        print_pair(part, console)
    else:
        _print_table(part.text() if isinstance(part, Chart) else part, console)


def _words(text: str, style: str = "") -> Text:
    """Of a page's own parts; cells see to theirs."""
    return Text(visible(text, keep="\n"), style=style)


def _facts(part: Facts) -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in part.rows:
        grid.add_row(_words(f"  {name}"), _text(as_cell(value)))
    return grid


def _print_table(part: Table, console: Console) -> None:
    shown = [place for place, name in enumerate(part.columns) if not part.below or name != part.below]
    prose = any(map(part.is_prose, shown))
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), show_edge=False, expand=prose)
    narrow = not part.below and sum(_least(part.column(place)) + 2 for place in shown) > console.width
    columns = [_add_column(grid, part, place, narrow=narrow) for place in shown]
    for row in zip(*columns, strict=True):
        grid.add_row(*row)
    if part.title:
        console.print(_words(part.title, "bold"))
    if part.below:
        _print_with_lines_below(grid, part, console)
    else:
        console.print(Padding(grid, (0, 0, 0, 1)))
    if part.note:
        console.print(Padding(_words(part.note, "dim"), (0, 0, 0, 1)))


def _print_with_lines_below(grid: Grid, part: Table, console: Console) -> None:
    """Each row on one line, cut off where a terminal ends; below it what is told there, however long."""
    told = part.column(part.columns.index(part.below))
    lines = console.render_lines(grid, console.options.update(max_width=_ENDLESS), pad=False)
    for segments, below in zip(lines, (None, None, *told), strict=True):  # the head and its rule have none
        line = Text.assemble(" ", *((segment.text, segment.style or "") for segment in segments))
        line.rstrip()
        if console.is_terminal:
            line.truncate(console.width, overflow="crop" if below is None else "ellipsis")
        console.print(line, soft_wrap=True)
        if below is not None:
            console.print(Text(f"   {below}"), soft_wrap=True)


def _add_column(grid: Grid, part: Table, place: int, *, narrow: bool) -> list["Text | Clamped"]:
    """Sentences share what width is left, words give way in a narrow terminal, names and numbers do not."""
    title, cells = _words(part.columns[place]), part.column(place)
    if part.is_prose(place):
        grid.add_column(title, ratio=1)
        return [Clamped(str(cell), cell.lines if isinstance(cell, Prose) else None) for cell in cells]
    amounts = [cell for cell in cells if isinstance(cell, Amount)]
    if len(amounts) == len(cells):
        intervals = any(amount.told()[1] for amount in amounts if not amount.stacked)
        grid.add_column(title, no_wrap=True, justify="left" if intervals else "right")
        return [*under_each_other(amounts, narrow=narrow)]
    if part.below or not all(type(cell) in {Words, Code, Line} for cell in cells):
        most = max((cell.most for cell in cells if isinstance(cell, Name)), default=None)
        grid.add_column(title, no_wrap=True, max_width=most, overflow="ellipsis")
        return [_text(cell) for cell in cells]
    grid.add_column(title)
    return [Clamped(str(cell), None) for cell in cells]


def _least(cells: Sequence[Cell]) -> int:
    """The width of a column in which no number is cut off."""
    words = max((Clamped(str(cell)).least for cell in cells if isinstance(cell, Words)), default=0)
    amounts = [text for cell in cells if isinstance(cell, Amount) for text in under_each_other([cell])]
    return max([words, *(cell_len(text.plain) for text in amounts)])


def under_each_other(amounts: Sequence[Amount], *, narrow: bool = False) -> list[Text]:
    """In a column the numbers end at one place, and their intervals begin at one; where there is no room, below."""
    told = [amount.told() for amount in amounts]
    width = max((cell_len(value) for value, _ in told), default=0)
    between = "\n" if narrow else " "
    return [
        _figure(amount, value.rjust(width), between, ends) for amount, (value, ends) in zip(amounts, told, strict=True)
    ]


def _figure(amount: Amount, value: str, between: str, ends: str) -> Text:
    if amount.stacked:
        return Text(value + (f"\n{amount.below()}" if ends else ""), justify="right")
    return Text(f"{value}{between}{ends}" if ends else value)


def _text(cell: Cell) -> Text:
    return Text.assemble(*((span.text, _STYLES[span.style]) for span in cell.spans()))


@dataclass(frozen=True, slots=True)
class Clamped:
    """Wrapped at words; what takes more lines than it may ends in an ellipsis."""

    text: str
    lines: int | None = 2

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        wrapped = list(_wrapped(self.text, width))
        if self.lines is None or len(wrapped) <= self.lines:
            yield from map(Text, wrapped or [""])
            return
        yield from map(Text, wrapped[: self.lines - 1])
        rest = Text(" ".join(wrapped[self.lines - 1 :]))
        rest.truncate(width - 1)
        rest.rstrip()
        rest.append("…")
        yield rest

    def __rich_measure__(self, _console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(min(self.least, options.max_width), min(cell_len(self.text), options.max_width))

    @property
    def least(self) -> int:
        """The width of its longest piece."""
        pieces = (piece for word in self.text.split() for piece in _JOINT.findall(word))
        return max(map(cell_len, pieces), default=0)


def _wrapped(text: str, width: int) -> Iterator[str]:
    line = ""
    for word in text.split():
        if line and cell_len(f"{line} {word}") <= width:
            line = f"{line} {word}"
            continue
        if line and cell_len(word) <= width:
            yield line
            line = word
            continue
        line += " " if line else ""  # a word that fits no line: as much of it as fits here
        for piece in _JOINT.findall(word):
            if line.strip() and cell_len(line + piece) > width:
                yield line.rstrip()
                line = ""
            *full, line = chop_cells(line + piece, width)
            yield from full
    if line:
        yield line
