"""Goes back to trials that ended: model calls about them, recorded like any others, and what was found out."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from trialkit.errors import TrialkitError
from trialkit.models import Options, Traffic
from trialkit.runfile import Prompt, RecordedTrial, Remark, RunFile, RunWriter, run_lock
from trialkit.settings import RunSettings
from trialkit.suites import Peer

from .budget import Budget, Purse
from .caller import Caller, Stop
from .calls import Calls, index
from .interrupt import Interrupts, on_interrupt
from .job import Job
from .meter import Meter
from .schedule import at_once
from .trial import LiveTrial
from .watch import watching

Visit = Callable[[LiveTrial, RecordedTrial], Awaitable[Remark]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Revisited:
    visited: int
    left: int
    reason: str  # why it stopped early; empty: it did not
    setup_fault: bool


def revisited(
    settings: RunSettings, prompts: Mapping[str, Prompt], options: Mapping[str, Options]
) -> Callable[[Job, Calls], LiveTrial]:
    """What makes the trial that is looked at again; both are by role."""
    return partial(LiveTrial, settings=settings, prompts=prompts, options=options, seed=None, phase="after")


async def revisit(
    path: Path,
    rows: Sequence[RecordedTrial],
    visit: Visit,
    *,
    live: Callable[[Job, Calls], LiveTrial],
    settings: RunSettings,
    peers: Mapping[str, Peer],
    traffic: Traffic,
    again: Collection[int] = (),
) -> Revisited:
    """`visit` each of these trials; its remark is committed as soon as it is there.

    What was recorded is not asked again, but for the trials in `again`, where it led to nothing.
    """
    stop, visited = Stop(), 0
    with RunFile(path) as run:
        cases = {case.id: case for case in run.cases()}

    async def see(row: RecordedTrial) -> None:
        nonlocal visited
        job = Job(trial_id=row.id, case=cases[row.case_id], number=row.number, output=row.output)
        await writer.remark(row.id, await visit(live(job, caller), row))
        visited += 1

    with run_lock(path):
        writer = RunWriter(path)  # without a session: this makes no run unfinished, even if it is killed
        await writer.forget(again, peers)
        caller = _caller(path, writer, peers, Budget(Purse(settings.max_cost)), stop, Meter(traffic))
        try:
            interrupts = Interrupts()
            interrupts.add(stop, traffic.close)
            with on_interrupt(interrupts), suppress(asyncio.CancelledError):
                async with watching(writer, stop, interrupts):
                    await at_once(rows, settings.max_concurrency, see)
        finally:
            await writer.close()
    if writer.path != path:
        kept = f"all that was paid for is kept in {writer.path}: the same command goes on with that"
        raise TrialkitError(f"{path} was deleted, moved or replaced; {kept}")
    return Revisited(visited=visited, left=len(rows) - visited, reason=stop.reason, setup_fault=stop.setup_fault)


def _caller(
    path: Path, writer: RunWriter, peers: Mapping[str, Peer], budget: Budget, stop: Stop, meter: Meter
) -> Caller:
    with RunFile(path) as run:
        recorded = index(call for call in run.calls() if call.reply is not None)
    return Caller(
        peers=peers,
        record=writer.call,
        events=lambda *_: None,  # the transcript is of the trial, which has ended
        recorded=recorded,
        store=None,
        budget=budget,
        stop=stop,
        meter=meter,
    )
