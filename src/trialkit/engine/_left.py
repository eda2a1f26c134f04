"""What is left to do of a run, from its run file alone."""

from dataclasses import dataclass

from trialkit.runfile import CallRecord, Phase, RunFile, TrialRow

from ._caller import Recorded, index
from ._schedule import Job


@dataclass(frozen=True, kw_only=True, slots=True)
class Left:
    jobs: tuple[Job, ...]
    recorded: Recorded
    afresh: frozenset[tuple[int, Phase]]  # phases of trials whose recorded replies led to nothing
    spent: float


def left_to_do(run: RunFile, *, errors_too: bool) -> Left:
    cases = {case.id: case for case in run.cases()}
    rows, last = run.trials(), run.last_calls()
    again = {row.id for row in rows if errors_too and row.ended is not None and row.outcome == "error"}
    return Left(
        jobs=tuple(
            Job(trial_id=row.id, case=cases[row.case_id], number=row.number, output=row.output)
            for row in rows
            if row.ended is None or row.id in again
        ),
        recorded=index(call for call in run.calls() if call.reply is not None),
        afresh=frozenset(
            (row.id, phase) for row in rows if row.id in again and (phase := _to_ask_afresh(row, last)) is not None
        ),
        spent=run.spent(),
    )


def _to_ask_afresh(row: TrialRow, last: dict[tuple[int, Phase], CallRecord]) -> Phase | None:
    """The phase that ended in error although each of its calls had a reply: the same replies would end it so again."""
    phase: Phase = "attempt" if row.output is None else "judge"
    call = last.get((row.id, phase))
    return phase if call is not None and call.reply is not None else None
