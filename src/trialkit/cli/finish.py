"""The end of a session: the report, where it lies, the gate, and the exit status."""

import shlex
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from trialkit.analysis.compare_gate import GateOutcome
from trialkit.analysis.gate import gate_of
from trialkit.analysis.run_page import digest_page
from trialkit.analysis.summary import Summary, summarize
from trialkit.analysis.until import decision_page
from trialkit.engine import Finished, OpenScreen, beside, write_beside
from trialkit.errors import TrialkitError
from trialkit.pages import write_page
from trialkit.runfile import CallRecord, RunFile
from trialkit.settings import RunSettings
from trialkit.text.shown import counted

from .advice import advice
from .screen import open_screen
from .write import heard_or_not, tell

GATE_NOT_MET, BAD_INPUT, WITH_ERRORS, UNDECIDED, INTERRUPTED = 1, 2, 3, 4, 130


def session(run: Callable[[OpenScreen], Finished]) -> int:
    """Runs, prints what came of it, and gives the exit status. Who interrupts that again is told how to resume."""
    begun = list[Path]()
    try:
        finished = run(partial(open_screen, begun=begun.append))
        return _finish(finished, begun[0])
    except KeyboardInterrupt:
        if not begun:
            raise
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        tell(f"stopped: interrupted\nto finish: {shlex.join(['trialkit', 'resume', str(begun[0])])}", err=True)
        return INTERRUPTED


def gated(gate: GateOutcome, undecided: int = UNDECIDED) -> int:
    """Says what came of a gate between runs, and gives the exit status."""
    told = {"ok": "gate met", "worse": "gate not met", "undecided": "gate undecided"}[gate.state]
    tell(f"{told}: {gate.why}", err=True)
    return {"ok": 0, "worse": GATE_NOT_MET, "undecided": undecided}[gate.state]


def _finish(finished: Finished, begun: Path) -> int:
    kept = "" if finished.path == begun else f"\nall that was paid for is kept in {finished.path}"
    if not finished.reason or finished.enough:
        summary, faults, decision = _shown(finished)
        if kept:
            tell(f"the run file was deleted, moved or replaced{kept}", err=True)
        return _status(summary, faults, finished.settings, str(finished.path), decision)
    more, left = [], ""
    try:
        summary, *_ = _shown(finished)
        left = f"{counted(summary.counts.open, 'trial')} left; "
        if finished.over_budget:
            more = ["--max-cost", f"{2 * max(finished.settings.max_cost or 0.0, summary.spent):g}"]
    except TrialkitError as error:  # on a disk that is full not even a report may be had
        tell(f"trialkit: {error}", err=True)
    resume = shlex.join(["trialkit", "resume", *more, str(finished.path)])
    tell(f"stopped: {finished.reason}{kept}\n{left}to finish: {resume}", err=True)
    return BAD_INPUT if finished.setup_fault else INTERRUPTED


def _shown(finished: Finished) -> tuple[Summary, list[CallRecord], GateOutcome | None]:
    """Also how trials failed, and what was decided where that was to be."""
    decision = None
    with RunFile(finished.path) as run:
        summary, faults, contents = summarize(run), run.faults(), beside(run)
    with heard_or_not(sys.stdout):  # rich writes to it whatever it does
        tell(write_page(digest_page(summary), "console"))
        if finished.settings.until_decided:
            page, decision = decision_page(summary, finished.path, finished.settings)
            tell(write_page(page, "console"))
    for file in write_beside(finished.path, contents, keep=finished.edited):
        tell(f"results   {file}")
    tell(f"run file  {finished.path}")
    return summary, faults, decision


def _status(
    summary: Summary,
    faults: Sequence[CallRecord],
    settings: RunSettings,
    path: str,
    decision: GateOutcome | None,
) -> int:
    gate = gate_of(summary.headline.figure, summary.headline.measure, settings)
    if gate is not None:
        tell(gate.message, err=not gate.met)
    if summary.counts.errors:
        failed = [trial for case in summary.cases for trial in case.trials if trial.outcome == "error"]
        what_to_do = advice(failed, faults, settings, path)
        tell(f"{counted(summary.counts.errors, 'trial')} ended in error{what_to_do}", err=True)
    if gate is not None and not gate.met:
        return GATE_NOT_MET
    if decision is not None:
        return gated(decision)
    return WITH_ERRORS if summary.counts.errors else 0
