"""Runs the trials that are left, a bounded number at a time, and records each as it ends."""

import asyncio
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

from trialkit.errors import ModelError, ReplayError
from trialkit.runfile import RunWriter, TrialRecord, now
from trialkit.vocabulary import Case, Verdict

from .budget import Budget
from .caller import Stop, StoppedError
from .setup import Setup
from .trial import Calls, LiveTrial


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """A trial to run; one that has an output already only has to be judged."""

    trial_id: int
    case: Case
    number: int
    output: Mapping[str, Any] | None


class Tally:
    """How far a session is."""

    def __init__(self, total: int, budget: Budget) -> None:
        self.total = total
        self.under_way = 0
        self.outcomes: Counter[str | None] = Counter()
        self._budget = budget

    @property
    def ended(self) -> int:
        return self.outcomes.total()

    @property
    def spent(self) -> float | None:
        """US dollars, earlier sessions included; None: some price is unknown."""
        return None if self._budget.unknown else self._budget.spent


class Watch(Protocol):
    """Told what happens, to show it."""

    def ended(self, job: Job, record: TrialRecord, tally: Tally) -> None: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class _Attempt:
    output: Mapping[str, Any] | None
    error_kind: str | None = None
    error: str | None = None


class Scheduler:
    def __init__(
        self,
        *,
        setup: Setup,
        calls: Calls,
        writer: RunWriter,
        watch: Watch,
        tally: Tally,
        stop: Stop,
    ) -> None:
        self._setup = setup
        self._calls = calls
        self._writer = writer
        self._watch = watch
        self._tally = tally
        self._stop = stop
        self._begun = perf_counter()

    @property
    def elapsed_s(self) -> float:
        return perf_counter() - self._begun

    async def run(self, jobs: Sequence[Job], concurrency: int) -> None:
        """All jobs, or as many as were begun before the stop."""
        waiting = iter(jobs)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(concurrency, len(jobs))):
                    group.create_task(self._work(waiting))
        except ExceptionGroup as faults:  # the run file cannot be written; every worker says the same
            raise faults.exceptions[0] from None

    async def _work(self, waiting: Iterator[Job]) -> None:
        for job in waiting:
            if self._stop.reason:
                return
            self._tally.under_way += 1
            try:
                record = await self._try(job)
                await self._writer.trial(job.trial_id, record, self.elapsed_s)
            except StoppedError:
                return
            finally:
                self._tally.under_way -= 1
            self._tally.outcomes[record.outcome] += 1
            self._watch.ended(job, record, self._tally)

    async def _try(self, job: Job) -> TrialRecord:
        started, begun = now(), perf_counter()
        self._writer.begin(job.trial_id)
        trial = LiveTrial(
            trial_id=job.trial_id,
            case=job.case,
            number=job.number,
            calls=self._calls,
            settings=self._setup.settings,
            prompts=self._setup.prompts,
            seed=self._setup.settings.seed,
        )
        attempt = _Attempt(output=job.output) if job.output is not None else await self._attempt(trial)
        await self._calls.settle(job.trial_id, "attempt", good=attempt.output is not None)
        verdicts = await self._judge(trial, attempt)
        await self._calls.settle(job.trial_id, "judge", good=all(verdict.outcome != "error" for verdict in verdicts))
        return TrialRecord(
            output=attempt.output,
            verdicts=tuple(verdicts),
            error_kind=attempt.error_kind,
            error=attempt.error,
            started=started,
            elapsed_s=perf_counter() - begun,
        )

    async def _attempt(self, trial: LiveTrial) -> _Attempt:
        try:
            return _Attempt(output=await self._setup.runner.attempt(trial))
        except ModelError as error:
            return _Attempt(output=None, error_kind=error.kind, error=str(error))
        except ReplayError as error:
            return _Attempt(output=None, error_kind="replay", error=str(error))
        except StoppedError:
            raise
        except Exception as error:  # noqa: BLE001  # a suite's fault is this trial's error, not the end of the run
            return _Attempt(output=None, error_kind="crash", error=_crash(trial, error))

    async def _judge(self, trial: LiveTrial, attempt: _Attempt) -> Sequence[Verdict]:
        if attempt.output is None:
            return self._no_verdict(f"no answer to judge: {attempt.error}")
        trial.phase = "judge"
        try:
            return await self._setup.judge(trial, attempt.output)
        except ReplayError as error:
            return self._no_verdict(str(error))
        except StoppedError:
            raise
        except Exception as error:  # noqa: BLE001  # likewise
            return self._no_verdict(f"the judge crashed: {_crash(trial, error)}")

    def _no_verdict(self, critique: str) -> list[Verdict]:
        return [Verdict(judge=judge.name, outcome="error", critique=critique) for judge in self._setup.judges]


def _crash(trial: LiveTrial, error: Exception) -> str:
    trial.note("crash", traceback="".join(traceback.format_exception(error)))
    return f"{type(error).__name__}: {error}"
