"""Runs a recorded run again, offline, from its recorded replies, and compares."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from trialkit.models import Traffic
from trialkit.runfile import (
    Header,
    PlannedTrial,
    RecordedTrial,
    RunFile,
    RunWriter,
    TrialRecord,
    create_run,
    refuse_going_on,
)
from trialkit.suites import Suite, suite_of_run, written

from .budget import Budget, Purse
from .caller import Stop
from .calls import RecordedCalls, index
from .executor import LocalExecutor
from .interrupt import blocking
from .job import Job
from .meter import Meter
from .ready import read_settings
from .schedule import Scheduler, Tally
from .setup import Setup


@dataclass(frozen=True, kw_only=True, slots=True)
class Replayed:
    trials: int
    verdicts: int
    exports: tuple[str, ...]
    differences: tuple[str, ...]  # none: identical


def replay_run(path: Path) -> Replayed:
    return blocking(replay(path))


async def replay(path: Path) -> Replayed:
    refuse_going_on(path)  # what is not written yet would be told as a difference
    with RunFile(path) as run, TemporaryDirectory(prefix="trialkit-replay-") as folder:
        suite = suite_of_run(run.info())
        copy = Path(folder) / path.name
        jobs = _copy_plan(run, copy)
        await _run_again(run, suite, copy, jobs)
        with RunFile(copy) as again:
            return _compare(suite, run, again)


def _copy_plan(run: RunFile, copy: Path) -> list[Job]:
    info, cases, rows = run.info(), run.cases(), run.trials()
    header = Header(
        suite=info.suite,
        subject=info.subject,
        settings=info.settings,
        versions=info.versions,
        prompts=run.prompts(),
        models=run.models(),
        measures=info.measures,
        judges=info.judges,
        definition=info.definition,
    )
    create_run(copy, header, cases, [_planned(row) for row in rows])
    by_id = {case.id: case for case in cases}
    return [
        Job(
            trial_id=row.id,
            case=by_id[row.case_id],
            number=row.number,
            output=row.output if row.given else None,
            origin=row.origin,
        )
        for row in rows
        if row.ended is not None and not _came_ended(row)
    ]


def _planned(row: RecordedTrial) -> PlannedTrial:
    ended = None
    if _came_ended(row):
        ended = TrialRecord(
            output=row.output,
            verdicts=row.verdicts,
            error_kind=row.error_kind,
            error=row.error,
            started=row.started or "",
            elapsed_s=0.0,
        )
    return PlannedTrial(
        case_id=row.case_id,
        number=row.number,
        output=row.output if row.given else None,
        label=row.label,
        ended=ended,
        origin=row.origin,
    )


def _came_ended(row: RecordedTrial) -> bool:
    """Kept from the golden data, verdict and all: there is nothing to run again."""
    return row.given and row.ended is not None and not row.elapsed_s


async def _run_again(run: RunFile, suite: Suite, copy: Path, jobs: Sequence[Job]) -> None:
    settings = read_settings(suite, run.path, run.info().settings)
    writer = RunWriter(copy)
    await writer.start()
    recorded = run.calls()
    for call in recorded:
        await writer.call(call)
    own = index(call for call in recorded if call.phase != "after")
    executor = LocalExecutor(Setup.of(suite, settings, run.prompts()), RecordedCalls(run.models(), own, writer.events))
    tally = Tally(len(jobs), Budget(Purse(None)), Meter(Traffic()))
    scheduler = Scheduler(executor=executor, writer=writer, tally=tally, stop=Stop(), ended=lambda *_: None)
    await scheduler.run(jobs, settings.max_concurrency)
    await writer.finish("done", "", scheduler.elapsed_s)


def _compare(suite: Suite, run: RunFile, again: RunFile) -> Replayed:
    before, after = run.once(RunFile.trials), again.once(RunFile.trials)
    differences = [
        f"{old.case_id} trial {old.number}: {what} differs"
        for old, new in zip(before, after, strict=True)
        for what, one, other in (
            ("the answer", old.output, new.output),
            ("the error", old.error, new.error),
            ("the verdict", old.verdicts, new.verdicts),
        )
        if old.ended is not None and one != other
    ]
    own = [form for name, form in suite.formats().items() if name in suite.beside]
    differences += [
        f"the exported {form.suffix} file differs" for form in own if written(run, form) != written(again, form)
    ]
    return Replayed(
        trials=sum(row.ended is not None for row in before),
        verdicts=sum(len(row.verdicts) for row in before),
        exports=tuple(form.suffix for form in own),
        differences=tuple(differences),
    )
