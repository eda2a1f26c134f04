"""A run as it goes: a live bar in a terminal, plain lines elsewhere. It is written to stderr; stdout is for results."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.live import Live

from trialkit.engine import Job, Screen, Tally
from trialkit.runfile import TrialRecord
from trialkit.text.shown import counted, dollars, one_line

from .live import LiveLines, outcomes
from .write import heard_or_not, tell

_WIDTH = 100


def open_screen(verbose: bool, begun: Callable[[Path], None] = lambda _: None) -> Screen:
    """`begun` is told the run file."""
    moves = sys.stderr.isatty() and not Console(stderr=True).is_dumb_terminal
    return _Live(verbose, begun) if moves else _LogLines(verbose, begun)


class _LogLines:
    """Lines for logs: one per tenth of the run, one per trial with `--verbose`."""

    def __init__(self, verbose: bool, begun: Callable[[Path], None]) -> None:
        self._verbose = verbose
        self._begun = begun
        self._tenths = 0

    def opened(self, path: Path, tally: Tally, notices: Sequence[str]) -> None:
        self._begun(path)
        for notice in notices:
            self.say(notice)
        self.say(f"{counted(tally.total, 'trial') if tally.total else 'nothing left to run'} → {path}")

    def ended(self, job: Job, record: TrialRecord, tally: Tally) -> None:
        if self._verbose:
            self.say(trial_line(job, record))
        tenths = 10 * tally.ended // tally.total
        if tenths > self._tenths:
            self._tenths = tenths
            self.say(f"{tally.ended}/{tally.total} trials · {counts(tally)}")

    def interrupted(self, tally: Tally, reason: str) -> None:
        waiting = f"waiting for the calls of {counted(tally.under_way, 'trial')}"
        self.say(f"{reason}: {waiting}; interrupt again not to wait")

    def closed(self) -> None:
        pass

    def say(self, line: str) -> None:
        tell(line, err=True)


class _Live(_LogLines):
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


def counts(tally: Tally) -> str:
    return " · ".join([*outcomes(tally), "cost unknown" if tally.spent is None else dollars(tally.spent)])


def trial_line(job: Job, record: TrialRecord) -> str:
    outcome = record.outcome or "answered"
    said = one_line(record.verdicts[0].critique if record.verdicts else record.error or "")
    said = said if len(said) <= _WIDTH else f"{said[:_WIDTH]}…"
    return f"{job.case.id} trial {job.number}: {outcome}" + (f" — {said}" if said else "")
