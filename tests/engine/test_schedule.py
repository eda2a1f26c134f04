"""Which trials run, how many at a time, and when no more are begun."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.engine.tiny import case, job
from trialkit.engine.budget import Budget, Purse
from trialkit.engine.caller import Stop
from trialkit.engine.calls import StoppedError
from trialkit.engine.job import Job
from trialkit.engine.meter import Meter
from trialkit.engine.schedule import Scheduler, Tally
from trialkit.errors import TrialkitError
from trialkit.models import Traffic
from trialkit.runfile import Header, PlannedTrial, RunFile, RunWriter, TrialRecord, create_run
from trialkit.vocabulary import Verdict

RECORD = TrialRecord(
    output={"said": "yes"},
    verdicts=(Verdict(judge="ear", outcome="pass", critique=""),),
    started="2026-01-01T00:00:00Z",
    elapsed_s=1.0,
)


class FakeExecutor:
    """Every trial takes a few turns of the event loop; `faults` are raised for these trials instead."""

    def __init__(self, **faults: BaseException) -> None:
        self.begun: list[int] = []
        self.active = self.peak = 0
        self._faults = faults

    async def run(self, job: Job) -> TrialRecord:
        self.begun.append(job.trial_id)
        self.active += 1
        self.peak = max(self.peak, self.active)
        for _ in range(3):
            await asyncio.sleep(0)
        self.active -= 1
        if (fault := self._faults.get(f"t{job.trial_id}")) is not None:
            raise fault
        return RECORD

    async def aclose(self) -> None: ...


def planned(folder: Path, count: int) -> Path:
    path = folder / "a.trial"
    header = Header(suite="tiny", subject="s", settings={}, versions={}, prompts=(), models=())
    create_run(path, header, [case()], [PlannedTrial(case_id="a", number=n + 1) for n in range(count)])
    return path


def schedule(
    folder: Path, executor: FakeExecutor, *, count: int = 6, concurrency: int = 2, stop_after: int | None = None
) -> tuple[list[int], Tally, RunFile]:
    path, stop, ended = planned(folder, count), Stop(), list[int]()
    tally = Tally(count, Budget(Purse(None)), Meter(Traffic()))

    def told(job: Job, _record: TrialRecord, _tally: Tally) -> None:
        ended.append(job.trial_id)
        if len(ended) == stop_after:
            stop.now("enough")

    async def run() -> None:
        writer = RunWriter(path)
        await writer.start()
        scheduler = Scheduler(executor=executor, writer=writer, tally=tally, stop=stop, ended=told)
        try:
            await scheduler.run([job(trial_id=n + 1, number=n + 1) for n in range(count)], concurrency)
        finally:
            await writer.finish("done", "", scheduler.elapsed_s)

    asyncio.run(run())
    return ended, tally, RunFile(path)


@pytest.mark.parametrize("concurrency", [1, 2, 5, 50])
def test_every_trial_runs_once_and_no_more_at_a_time_than_allowed(tmp_path: Path, concurrency: int) -> None:
    executor = FakeExecutor()
    ended, tally, run = schedule(tmp_path, executor, concurrency=concurrency)
    assert sorted(executor.begun) == sorted(ended) == [1, 2, 3, 4, 5, 6]
    assert executor.peak == min(concurrency, 6)
    assert (tally.ended, tally.under_way, tally.outcomes) == (6, 0, {"pass": 6})
    with run:
        assert all(trial.ended and trial.outcome == "pass" for trial in run.trials())


def test_after_a_stop_no_trial_is_begun_and_those_under_way_are_finished(tmp_path: Path) -> None:
    executor = FakeExecutor()
    ended, _, run = schedule(tmp_path, executor, concurrency=1, stop_after=2)
    assert executor.begun == ended == [1, 2]
    with run:
        assert [trial.ended is not None for trial in run.trials()] == [True, True, False, False, False, False]


@pytest.mark.parametrize(
    "error", [StoppedError(), BaseExceptionGroup("several", [StoppedError(), BaseExceptionGroup("", [StoppedError()])])]
)
def test_a_trial_that_is_stopped_is_left_open(tmp_path: Path, error: BaseException) -> None:
    ended, tally, run = schedule(tmp_path, FakeExecutor(t2=error), concurrency=1)
    assert ended == [1]
    assert tally.under_way == 0
    with run:
        assert [trial.number for trial in run.trials() if trial.ended] == [1]


@pytest.mark.parametrize(
    "error", [TrialkitError("the disk is full"), BaseExceptionGroup("", [StoppedError(), KeyError("k")])]
)
def test_what_breaks_an_executor_breaks_the_run(tmp_path: Path, error: Any) -> None:
    with pytest.raises(type(error)):
        schedule(tmp_path, FakeExecutor(t1=error, t2=error))
