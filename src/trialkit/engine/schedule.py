"""Runs the trials that are left, a bounded number at a time, and records each as it ends."""

import asyncio
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import TypeVar

from trialkit.runfile import RunWriter, TrialRecord

from .budget import Budget, Purse
from .caller import Stop
from .calls import StoppedError, is_stop
from .executor import Executor
from .job import Job
from .meter import Meter

T = TypeVar("T")

#: How soon a thread that wants to run gets its turn. The run file's thread wants one after every statement; at Python's
#: 5 ms a busy event loop made it wait so long that 2,000 trials took 6.5 s instead of 4.6 (4.0 is the ideal).
_SWITCH_INTERVAL_S = 0.0005


class Tally:
    """How far a session is. `all` is that of all sessions that go on at the same time, this one among them."""

    def __init__(self, total: int, budget: Budget | Purse, meter: Meter, within: "Tally | None" = None) -> None:
        self.total = total
        self.meter = meter
        self.under_way = 0
        self.outcomes: Counter[str | None] = Counter()
        self.all = within or self
        self._budget = budget
        if within:
            within.total += total

    def _both(self) -> "tuple[Tally, ...]":
        return (self,) if self.all is self else (self, self.all)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        for one in self._both():
            one.under_way += 1
        try:
            yield
        finally:
            for one in self._both():
                one.under_way -= 1

    def count(self, outcome: str | None) -> None:
        for one in self._both():
            one.outcomes[outcome] += 1

    @property
    def ended(self) -> int:
        return self.outcomes.total()

    @property
    def spent(self) -> float | None:
        """US dollars, earlier sessions included; None: some price is unknown."""
        return None if self._budget.unknown else self._budget.spent


#: Told of each trial that ended.
Watch = Callable[[Job, TrialRecord, Tally], None]


class Scheduler:
    def __init__(self, *, executor: Executor, writer: RunWriter, tally: Tally, stop: Stop, ended: Watch) -> None:
        self._executor = executor
        self._writer = writer
        self._tally = tally
        self._stop = stop
        self._ended = ended
        self._begun = perf_counter()

    @property
    def elapsed_s(self) -> float:
        return perf_counter() - self._begun

    async def run(self, jobs: Sequence[Job], concurrency: int, places: asyncio.Semaphore | None = None) -> None:
        """All jobs, or as many as were begun before the stop. `places` are shared with other runs."""
        places = places or asyncio.Semaphore(concurrency)

        async def in_turn(job: Job) -> None:
            async with places:
                await self._run(job)

        await at_once(jobs, concurrency, in_turn)

    async def _run(self, job: Job) -> None:
        if self._stop.reason:
            raise StoppedError
        with self._tally.at_work():
            self._writer.begin(job.trial_id, anew=job.output is None)
            record = await self._executor.run(job)
            await self._writer.trial(job.trial_id, record, self.elapsed_s)
        self._tally.count(record.outcome)
        self._ended(job, record, self._tally)


async def at_once(items: Sequence[T], most: int, work: Callable[[T], Awaitable[None]]) -> None:
    """Works on so many at a time; whoever is stopped takes up no more."""
    waiting = iter(items)

    async def worker() -> None:
        for item in waiting:
            try:
                await work(item)
            except (StoppedError, BaseExceptionGroup) as error:
                if not is_stop(error):
                    raise
                return

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(most, len(items))):
                group.create_task(worker())
    except ExceptionGroup as faults:  # the run file cannot be written; every worker says the same
        raise faults.exceptions[0] from None


@contextmanager
def switching_threads_quickly() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
