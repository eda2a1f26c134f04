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
    cases = {case.id: case for case in run.cases()}
    calls = [call for call in run.calls() if call.phase != "after"]  # what was asked later is no part of the run
    dearest: dict[str, float] = {}
    for call in calls:
        if call.cost is not None:
            dearest[call.role] = max(dearest.get(call.role, 0.0), call.cost)
    unpriced = [call for call in calls if call.source == "live" and call.answered and call.cost is None]
    return Left(
        jobs=tuple(
            Job(trial_id=row.id, case=cases[row.case_id], number=row.number, output=row.output)
            for row in run.trials()
            if row.ended is None
        ),
        recorded=index(call for call in calls if call.reply is not None),
        spent=run.spent() + sum(call.attempts * dearest.get(call.role, 0.0) for call in unpriced),  # as in Budget
        unknown=bool(unpriced),
        dearest=dearest,
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
