"""Text in a table cell that never takes more than a few lines."""

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text


@dataclass(frozen=True, slots=True)
class Clamped:
    """Wrapped at words; what does not fit ends in an ellipsis."""

    text: str
    lines: int = 2

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        wrapped = Text(self.text).wrap(console, width, overflow="fold")
        for place, line in enumerate(wrapped[: self.lines], start=1):
            if place == self.lines < len(wrapped):
                line.rstrip()
                line.truncate(width - 1)
                line.append("…")
            yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement.get(console, options, Text(self.text))
