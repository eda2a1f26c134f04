"""Cells of tables in a terminal: words that break where they may, figures that stand under each other."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from trialkit.text.shown import one_line

#: Where a word that is too long for its column may go on in the next line: the names of models, tools and files.
_JOINT = re.compile(r"[^/_,(=@-]*[/_,(=@-]+|[^/_,(=@-]+")
_FIGURE = re.compile(r"(\S+) +(\[.*\])")


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
        pieces = [piece for word in self.text.split() for piece in _JOINT.findall(word)]
        least, most = max(map(cell_len, pieces), default=0), cell_len(self.text)
        return Measurement(min(least, options.max_width), min(most, options.max_width))


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


def is_number(cell: str) -> bool:
    return cell == "unknown" or not any(character.isalpha() for character in cell)


def add_column(table: Table, name: str, column: Sequence[str]) -> list[Text | Clamped]:
    """Words give way in a narrow terminal, numbers do not. The cells as they are to be shown."""
    if not all(map(is_number, column)):
        table.add_column(name)
        return [Clamped(one_line(cell), None) for cell in column]
    figures = any(map(_FIGURE.fullmatch, column))
    table.add_column(name, no_wrap=True, justify="left" if figures else "right")
    return [Text(cell) for cell in under_each_other(column)]


def under_each_other(cells: Sequence[str]) -> list[str]:
    """`5.6  [3.3, 7.9]` in a column: the numbers end at one place, and their intervals begin at one."""
    found = [_FIGURE.fullmatch(cell) for cell in cells]
    if not any(found):
        return list(cells)
    values = [figure[1] if figure else cell for figure, cell in zip(found, cells, strict=True)]
    width = max(map(len, values))
    return [
        f"{value:>{width}} {figure[2]}" if figure else f"{value:>{width}}"
        for value, figure in zip(values, found, strict=True)
    ]
