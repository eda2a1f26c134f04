"""Several runs at the same time: one display, and in the end each held against the first."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from trialkit.analysis.against_first import against_first, against_first_page
from trialkit.analysis.compare import letter
from trialkit.analysis.loaded import load_to_compare
from trialkit.analysis.summary import summarize
from trialkit.engine import Finished, Job, OpenScreen, Screen, Tally, beside
from trialkit.pages import write_page
from trialkit.runfile import RunFile, TrialRecord

from .finish import interrupted, kept_elsewhere, status_of, stopped, tell_files
from .screen import open_screen, trial_line
from .write import heard_or_not, tell

#: What the exit status tells of several: the first of these that one of them has.
_GRAVEST = (2, 130, 1, 4, 3, 0)


def sessions(run: Callable[[OpenScreen], list[Finished]]) -> int:
    """As `session`, of several runs."""
    done = together(run)
    return done if isinstance(done, int) else _finish(done)


class RunsMade(NamedTuple):
    finished: Sequence[Finished]
    begun: Sequence[Path]


def together(run: Callable[[OpenScreen], list[Finished]]) -> RunsMade | int:
    """On one display. An exit status where that was interrupted a second time."""
    display = _Display()
    try:
        try:
            return RunsMade(run(display.open), display.begun)
        finally:
            display.close()
    except KeyboardInterrupt:
        if not display.begun:
            raise
        return interrupted(display.begun)


class _Display:
    """The screen that all runs share."""

    def __init__(self) -> None:
        self.begun = list[Path]()
        self.stopping = False
        self._screen: Screen | None = None
        self._runs = 0

    def open(self, verbose: bool) -> Screen:
        if self._screen is None:
            self._screen = open_screen(False, self.begun.append)
        self._runs += 1
        return _SharedScreen(self, self._screen, f"{letter(self._runs - 1)} · " if verbose else None)

    def close(self) -> None:
        if self._screen is not None:
            self._screen.closed()


class _SharedScreen:
    """One run's part in it: what is counted is counted of all."""

    def __init__(self, display: _Display, screen: Screen, who: str | None) -> None:
        self._display = display
        self._screen = screen
        self._who = who  # before a line for each trial; None: without such lines

    def opened(self, path: Path, tally: Tally, notices: Sequence[str]) -> None:
        self._screen.opened(path, tally, notices)

    def ended(self, job: Job, record: TrialRecord, tally: Tally) -> None:
        if self._who:
            self.say(f"{self._who}{trial_line(job, record)}")
        self._screen.ended(job, record, tally)

    def say(self, line: str) -> None:
        self._screen.say(line)

    def interrupted(self, tally: Tally, reason: str) -> None:
        if not self._display.stopping:
            self._display.stopping = True
            self._screen.interrupted(tally, reason)

    def closed(self) -> None:
        """The others may go on."""


def _finish(done: RunsMade) -> int:
    found = against_first([load_to_compare(one.path) for one in done.finished])
    with heard_or_not(sys.stdout):
        tell(write_page(against_first_page(found), "console"))
    return finish_each(done)


def finish_each(done: RunsMade) -> int:
    """Where they lie, and the exit status of all."""
    named = [(letter(place), one) for place, one in enumerate(done.finished)]
    statuses = [_told(one, done.begun, f"{name}: " if len(named) > 1 else "") for name, one in named]
    return next(status for status in _GRAVEST if status in statuses)


def _told(finished: Finished, begun: Sequence[Path], who: str) -> int:
    with RunFile(finished.path) as run:
        summary, faults, contents = summarize(run), run.faults(), beside(run)
    tell_files(finished, contents, who)
    kept = kept_elsewhere(finished, begun)
    if finished.reason:
        return stopped(finished, summary, kept, who)
    if kept:
        tell(f"{who}the run file was deleted, moved or replaced{kept}", err=True)
    return status_of(summary, faults, finished, who=who)
