"""What moves in a terminal while a run goes on: how far it is, what its calls come to, and what is waited for."""

from collections.abc import Iterator
from math import ceil
from time import monotonic

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from trialkit.engine import Meter, Tally
from trialkit.text.shown import counted, dollars

from .screen import outcomes

_LEAST_BAR, _MOST_BAR = 6, 24


class LiveLines:
    """Two lines, and a third while a server is waited for. What is too long for the terminal is cut off at the end."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._begun = monotonic()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        now = monotonic()
        yield _bar(
            self._tally, f"{progress(self._tally)} · {_times(self._tally, now - self._begun)}", options.max_width
        )
        meter = self._tally.meter
        if meter.calls or meter.in_flight or meter.waiting:
            yield _line(calls(self._tally), "dim")
        if wait := waited_for(meter, now):
            yield _line(wait, "yellow")


def progress(tally: Tally) -> str:
    return " · ".join([f"{tally.ended:,}/{tally.total:,}", *outcomes(tally)])


def calls(tally: Tally) -> str:
    """The most wanted first: the end may be cut off."""
    meter = tally.meter
    waiting = f", {meter.waiting:,} waiting" if meter.waiting else ""
    parts = [f"{counted(meter.calls, 'call')}", f"{meter.in_flight:,} in flight{waiting}"]
    parts.append(dollars(tally.spent) if tally.spent else "cost —")
    if meter.retries:
        parts.append(f"{'1 retry' if meter.retries == 1 else f'{meter.retries:,} retries'}")
    if meter.failed:
        parts.append(f"{meter.failed:,} failed")
    return " · ".join([*parts, f"{_short(meter.input_tokens)} → {_short(meter.output_tokens)} tokens"])


def waited_for(meter: Meter, now: float) -> str:
    """`429 from api.openai.com, next in 18 s`; empty: nothing."""
    wait = meter.wait
    return f"{wait.why}, next in {max(1, ceil(wait.until - now))} s" if wait is not None else ""


def _short(number: int) -> str:
    if number < 10_000:
        return f"{number:,}"
    return f"{number / 1e3:,.0f}k" if number < 10_000_000 else f"{number / 1e6:,.0f}M"


def _times(tally: Tally, passed: float) -> str:
    left = f", {_clock(passed / tally.ended * (tally.total - tally.ended))} left" if tally.ended else ""
    return f"{_clock(passed)}{left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _bar(tally: Tally, text: str, width: int) -> Table:
    """The bar takes what room the text leaves."""
    room = min(_MOST_BAR, max(_LEAST_BAR, width - len(text) - 2))
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=room)
    grid.add_column(no_wrap=True)
    grid.add_row(ProgressBar(total=max(1, tally.total), completed=tally.ended, width=room), _line(text))
    return grid


def _line(text: str, style: str = "") -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ellipsis")
