"""The end of a session: the report, where it lies, the gate, and the exit status."""

import shlex
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from trialkit.analysis.gate import gate_of
from trialkit.analysis.run_page import digest_page
from trialkit.analysis.summary import Summary, summarize
from trialkit.engine import Finished, OpenScreen, beside, write_beside
from trialkit.pages import write_page
from trialkit.runfile import RunFile
from trialkit.settings import RunSettings
from trialkit.text.shown import counted

from .screen import open_screen
from .write import heard_or_not, tell

GATE_NOT_MET, BAD_INPUT, WITH_ERRORS, INTERRUPTED = 1, 2, 3, 130


def session(run: Callable[[OpenScreen], Finished]) -> int:
    """Runs, prints what came of it, and gives the exit status. Who interrupts that again is told how to resume."""
    begun = list[Path]()
    try:
        return _finish(run(partial(open_screen, begun=begun.append)))
    except KeyboardInterrupt:
        if not begun:
            raise
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        tell(f"stopped: interrupted\nto finish: {shlex.join(['trialkit', 'resume', str(begun[0])])}", err=True)
        return INTERRUPTED


def _finish(finished: Finished) -> int:
    with RunFile(finished.path) as run:
        summary, spent, contents = summarize(run), run.spent(), beside(run)
    with heard_or_not(sys.stdout):  # rich writes to it whatever it does
        tell(write_page(digest_page(summary), "console"))
    for file in write_beside(finished.path, contents, keep=finished.edited):
        tell(f"results   {file}")
    tell(f"run file  {finished.path}")
    if finished.reason:
        limit = finished.settings.max_cost or 0.0
        more = ["--max-cost", f"{2 * max(limit, spent):g}"] if finished.over_budget else []
        resume = shlex.join(["trialkit", "resume", *more, str(finished.path)])
        left = f"{counted(summary.counts.open, 'trial')} left"
        tell(f"stopped: {finished.reason}\n{left}; to finish: {resume}", err=True)
        return BAD_INPUT if finished.setup_fault else INTERRUPTED
    return _status(summary, finished.settings, str(finished.path))


def _status(summary: Summary, settings: RunSettings, path: str) -> int:
    gate = gate_of(summary.headline.figure, summary.headline.measure, settings)
    if gate is not None:
        tell(gate.message, err=not gate.met)
    if summary.counts.errors:
        again = shlex.join(["trialkit", "resume", "--errors", path])
        failed = [trial for case in summary.cases for trial in case.trials if trial.outcome == "error"]
        fix = "" if all(trial.hopeless for trial in failed) else f"; try again with: {again}"
        tell(f"{counted(summary.counts.errors, 'trial')} ended in error{fix}", err=True)
    if gate is not None and not gate.met:
        return GATE_NOT_MET
    return WITH_ERRORS if summary.counts.errors else 0
