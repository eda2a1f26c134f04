"""What is left to do of a run, from its run file alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from trialkit.runfile import CallRecord, Phase, RecordedTrial, RunFile, reopen_trials

from .calls import Recorded, index
from .job import Job


@dataclass(frozen=True, kw_only=True, slots=True)
class Left:
    jobs: tuple[Job, ...]
    recorded: Recorded
    spent: float
    unknown: bool  # whether more was spent than that
    dearest: Mapping[str, float]  # what the dearest call of each role has cost so far


def left_to_do(run: RunFile) -> Left:
    left = run.left()
    of_unknown_price = sum(many * left.dearest.get(role, 0.0) for role, many in left.unpriced.items())  # as in Budget
    return Left(
        jobs=tuple(
            Job(trial_id=row.id, case=left.cases[row.case_id], number=row.number, output=row.output, origin=row.origin)
            for row in left.trials
        ),
        recorded=index(left.calls),
        spent=run.spent() + of_unknown_price,
        unknown=bool(left.unpriced),
        dearest=left.dearest,
    )


def reopen_errors(path: Path) -> None:
    """Trials that ended in error are to be tried again; but a row that came without an answer has none to try."""
    with RunFile(path) as run:
        last = {(call.trial_id, call.phase): call for call in run.calls()}
        again = [row for row in run.trials() if row.ended is not None and row.outcome == "error" and not row.hopeless]
    reopen_trials(path, [(row.id, _to_ask_anew(row, last)) for row in again])


def _to_ask_anew(row: RecordedTrial, last: Mapping[tuple[int, Phase], CallRecord]) -> Phase | None:
    """The phase that ended in error although each of its calls had a reply: the same replies would end it so again."""
    phase: Phase = "attempt" if row.output is None else "judge"
    call = last.get((row.id, phase))
    return phase if call is not None and call.reply is not None else None
