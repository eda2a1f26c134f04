"""A run as it goes, in a terminal: lines that move, below those that stay."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.live import Live

from trialkit.engine import Job, Screen, Tally
from trialkit.runfile import TrialRecord

from .live import LiveLines
from .screen import LogLines, trial_line
from .write import heard_or_not


def moving_screen(verbose: bool, begun: Callable[[Path], None]) -> Screen:
    return (LogLines if Console(stderr=True).is_dumb_terminal else _Live)(verbose, begun)


class _Live(LogLines):
    """The same, above lines that move."""

    def __init__(self, verbose: bool, begun: Callable[[Path], None]) -> None:
        super().__init__(verbose, begun)
        self._live = Live(console=Console(stderr=True), transient=True, refresh_per_second=5)

    def opened(self, path: Path, tally: Tally, notices: Sequence[str]) -> None:
        super().opened(path, tally, notices)
        self._live.update(LiveLines(tally.all))
        with heard_or_not(sys.stderr):
            self._live.start()

    def ended(self, job: Job, record: TrialRecord, tally: Tally) -> None:  # noqa: ARG002 - the lines look at it themselves
        if self._verbose:
            self.say(trial_line(job, record))

    def closed(self) -> None:
        with heard_or_not(sys.stderr):
            self._live.stop()

    def say(self, line: str) -> None:
        with heard_or_not(sys.stderr):
            self._live.console.print(line, markup=False, highlight=False, soft_wrap=True)
