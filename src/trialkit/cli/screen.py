"""A run as it goes: a live bar in a terminal, plain lines elsewhere. It is written to stderr; stdout is for results."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from trialkit.engine import Job, Screen, Tally
from trialkit.runfile import TrialRecord
from trialkit.text.shown import counted, dollars, one_line

from .write import tell

_WIDTH = 100


def open_screen(verbose: bool, begun: Callable[[Path], None] = lambda _: None) -> Screen:
    """`begun` is told the run file."""
    if not sys.stderr.isatty():
        return LogLines(verbose, begun)
    from .moving import moving_screen  # noqa: PLC0415 - only a terminal needs it

    return moving_screen(verbose, begun)


class LogLines:
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


def outcomes(tally: Tally) -> list[str]:
    seen = tally.outcomes
    parts = [f"{seen['scored']:,} scored"] if seen["scored"] else []
    if seen["pass"] or seen["fail"] or not parts:
        parts += [f"{seen['pass']:,} passed", f"{seen['fail']:,} failed"]
    if seen["error"]:
        parts.append(counted(seen["error"], "error"))
    if seen[None]:
        parts.append(f"{seen[None]:,} not judged")
    return parts


def counts(tally: Tally) -> str:
    return " · ".join([*outcomes(tally), "cost unknown" if tally.spent is None else dollars(tally.spent)])


def trial_line(job: Job, record: TrialRecord) -> str:
    outcome = record.outcome or "answered"
    said = one_line(record.verdicts[0].critique if record.verdicts else record.error or "")
    said = said if len(said) <= _WIDTH else f"{said[:_WIDTH]}…"
    return f"{job.case.id} trial {job.number}: {outcome}" + (f" — {said}" if said else "")
