"""The end of a session: the report, where it lies, the gate, and the exit status."""

import shlex
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from trialkit.analysis.gate import gate_of
from trialkit.analysis.run_page import digest_page
from trialkit.analysis.summary import Summary, summarize
from trialkit.engine import Finished, OpenScreen, beside, write_beside
from trialkit.errors import TrialkitError
from trialkit.pages import write_page
from trialkit.runfile import CallRecord, RunFile
from trialkit.text.shown import counted

from .advice import advice
from .screen import open_screen
from .write import heard_or_not, tell

if TYPE_CHECKING:  # comparing takes much that a run does not need
    from trialkit.analysis.compare_gate import GateOutcome

GATE_NOT_MET, BAD_INPUT, WITH_ERRORS, UNDECIDED, INTERRUPTED = 1, 2, 3, 4, 130


def session(run: Callable[[OpenScreen], Finished], then: Callable[[Path], None] | None = None) -> int:
    """Runs, prints what came of it, and gives the exit status. Who interrupts that again is told how to resume.

    `then` is told where the run is, if it came to its end.
    """
    begun = list[Path]()
    try:
        finished = run(partial(open_screen, begun=begun.append))
        status = _finish(finished, begun[0])
        if then is not None and not finished.reason:
            then(finished.path)
        return status  # noqa: TRY300 - an interrupt may come in any of these
    except KeyboardInterrupt:
        if not begun:
            raise
        return interrupted(begun)


def interrupted(begun: Sequence[Path]) -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lines = [f"to finish: {shlex.join(['trialkit', 'resume', str(path)])}" for path in begun]
    tell("\n".join(["stopped: interrupted", *lines]), err=True)
    return INTERRUPTED


def gated(gate: "GateOutcome", undecided: int = UNDECIDED) -> int:
    """Says what came of a gate between runs, and gives the exit status."""
    told = {"ok": "gate met", "worse": "gate not met", "undecided": "gate undecided"}[gate.state]
    tell(f"{told}: {gate.why}", err=True)
    return {"ok": 0, "worse": GATE_NOT_MET, "undecided": undecided}[gate.state]


def _finish(finished: Finished, begun: Path) -> int:
    kept = kept_elsewhere(finished, [begun])
    if not finished.reason or finished.enough:
        summary, faults, decision = _shown(finished)
        if kept:
            tell(f"the run file was deleted, moved or replaced{kept}", err=True)
        return status_of(summary, faults, finished, decision)
    try:
        return stopped(finished, _shown(finished)[0], kept)
    except TrialkitError as error:  # on a disk that is full not even a report may be had
        tell(f"trialkit: {error}", err=True)
        return stopped(finished, None, kept)


def kept_elsewhere(finished: Finished, begun: Sequence[Path]) -> str:
    """Where the run is, if its file went away meanwhile."""
    return "" if finished.path in begun else f"\nall that was paid for is kept in {finished.path}"


def stopped(finished: Finished, summary: Summary | None, kept: str, who: str = "") -> int:
    """Says how to finish it, and gives the exit status; `who` is the run, among several."""
    left = f"{counted(summary.counts.open, 'trial')} left; " if summary else ""
    if finished.settings.batch:
        left += _at_the_provider(finished.path)
    more = []
    if summary and finished.over_budget:
        more = ["--max-cost", f"{2 * max(finished.settings.max_cost or 0.0, summary.spent):g}"]
    resume = shlex.join(["trialkit", "resume", *more, str(finished.path)])
    tell(f"{who}stopped: {finished.reason}{kept}\n{who}{left}to finish: {resume}", err=True)
    return BAD_INPUT if finished.setup_fault else INTERRUPTED


def _at_the_provider(path: Path) -> str:
    from trialkit.models.batch import pending_batches  # noqa: PLC0415 - few runs need it

    batches = pending_batches(path)
    what = "a batch is" if batches == 1 else f"{batches} batches are"
    return f"{what} at the provider, resume picks up the answers; " if batches else ""


def _shown(finished: Finished) -> tuple[Summary, list[CallRecord], "GateOutcome | None"]:
    """Also how trials failed, and what was decided where that was to be."""
    decision = None
    with RunFile(finished.path) as run:
        summary, faults, contents = summarize(run), run.faults(), beside(run)
    with heard_or_not(sys.stdout):  # rich writes to it whatever it does
        tell(write_page(digest_page(summary), "console"))
        if finished.settings.until_decided:
            from trialkit.analysis.until_decided import decision_page  # noqa: PLC0415 - few runs need it

            page, decision = decision_page(summary, finished.path, finished.settings)
            tell(write_page(page, "console"))
    tell_files(finished, contents)
    return summary, faults, decision


def tell_files(finished: Finished, contents: Mapping[str, bytes], who: str = "") -> None:
    """Writes what stands beside the run, too."""
    for file in write_beside(finished.path, contents, keep=finished.edited):
        tell(f"{who}results   {file}")
    tell(f"{who}run file  {finished.path}")


def status_of(
    summary: Summary,
    faults: Sequence[CallRecord],
    finished: Finished,
    decision: "GateOutcome | None" = None,
    who: str = "",
) -> int:
    """Of a run that is done, with what is to be said of its gate and its errors."""
    gate = gate_of(summary.headline.figure, summary.headline.measure, finished.settings)
    if gate is not None:
        tell(f"{who}{gate.message}", err=not gate.met)
    if summary.counts.errors:
        failed = [trial for case in summary.cases for trial in case.trials if trial.outcome == "error"]
        what_to_do = advice(failed, faults, finished.settings, str(finished.path))
        tell(f"{who}{counted(summary.counts.errors, 'trial')} ended in error{what_to_do}", err=True)
    if gate is not None and not gate.met:
        return GATE_NOT_MET
    if decision is not None:
        return gated(decision)
    return WITH_ERRORS if summary.counts.errors else 0
