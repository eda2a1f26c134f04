"""A session of a run: from the settings to a run file that is closed again."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from trialkit.errors import TrialkitError
from trialkit.runfile import RunFile, RunWriter, TrialRecord, create_run, run_lock
from trialkit.settings import RunSettings
from trialkit.suites import Content, Peer, Suite, asking, changes_since, check_beside, content_of, suite_of_run

from .batching import batch_notices, batches_of
from .budget import Budget
from .caller import Caller, Stop
from .calls import Calls
from .connect import connected
from .executor import Executor, LocalExecutor
from .files import edited_beside, new_path
from .header import header_of, identified
from .interrupt import blocking
from .job import Job
from .left import Left, left_to_do, reopen_errors
from .ready import as_begun, check_models, read_settings, with_judge, without_store
from .rerun import Rerun
from .schedule import Scheduler, Tally, switching_threads_quickly
from .setup import Setup
from .shared import Shared
from .store import ReplyStore, forget_stored_replies
from .until import OpenUntil, Until, to_the_end
from .watch import watching

if TYPE_CHECKING:  # few runs need them
    from trialkit.models.batch import Batches

S = TypeVar("S", bound=RunSettings)


class Screen(Protocol):
    """Where a session shows itself."""

    def opened(self, path: Path, tally: Tally, notices: Sequence[str]) -> None: ...

    def ended(self, job: Job, record: TrialRecord, tally: Tally) -> None: ...

    def say(self, line: str) -> None: ...

    def interrupted(self, tally: Tally, reason: str) -> None: ...

    def closed(self) -> None: ...


OpenScreen = Callable[[bool], Screen]  # told whether to be verbose


@dataclass(frozen=True, kw_only=True, slots=True)
class Finished:
    path: Path
    edited: frozenset[Path]  # files beside it that somebody worked on: they are to be left alone
    reason: str  # why it stopped early; empty: it is done
    enough: bool  # it stopped early because all was known that was to be found out
    setup_fault: bool
    over_budget: bool  # going on takes a larger --max-cost
    settings: RunSettings


#: Given what the trials share, and who answers their calls.
OpenExecutor = Callable[[Setup, Calls], Executor]


class Begin(Protocol):
    async def __call__(self, open_screen: OpenScreen, open_executor: OpenExecutor = LocalExecutor) -> Finished:
        """Writes the run file, and runs."""


def start_run(suite: Suite[S], settings: S, open_screen: OpenScreen, open_until: OpenUntil = to_the_end) -> Finished:
    return blocking(start(suite, settings, open_screen, open_until=open_until))


def resume_run(
    path: Path,
    changes: Mapping[str, object],
    open_screen: OpenScreen,
    open_until: OpenUntil = to_the_end,
    *,
    errors_too: bool,
) -> Finished:
    return blocking(resume(path, changes, open_screen, open_until=open_until, errors_too=errors_too))


async def start(
    suite: Suite[S],
    settings: S,
    open_screen: OpenScreen,
    open_executor: OpenExecutor = LocalExecutor,
    *,
    open_until: OpenUntil = to_the_end,
    again: Rerun | None = None,
) -> Finished:
    """A new run. Everything that can be wrong with the input is found before the first call.

    Of a run that is to be made `again` the content and the prompts are not read anew.
    """
    shared = Shared(settings)
    async with prepared(suite, settings, shared, open_until, again) as begin:
        with shared.interruptible(), switching_threads_quickly():
            return await begin(open_screen, open_executor)


@asynccontextmanager
async def prepared(
    suite: Suite[S], settings: S, shared: Shared, open_until: OpenUntil, again: Rerun | None = None
) -> AsyncIterator[Begin]:
    """A run that can begin: nothing is wrong with its input, and nothing is written yet."""
    settings.gate(suite.measures[0])
    notices: list[str] = []
    settings = with_judge(suite, settings, notices)
    until = open_until(suite, settings)
    content = until.plan(again.content if again else content_of(suite, settings))
    check_beside(suite)
    setup = Setup.of(suite, settings, again.prompts if again else suite.prompts(settings))
    batches = batches_of(settings)
    async with connected(again.roles(setup) if again else setup.roles(), settings, shared.traffic, batches) as peers:
        setup.runner.connections = peers
        with asking(f"suite {suite.name}", "meeting"):
            content = await setup.runner.meet(content)
            if not isinstance(content, Content):
                raise TypeError(f"{content!r:.60} is no Content")
        content = await again.planned(setup, peers, content) if again else content
        notices += [*content.notices, *setup.endings(), *batch_notices(settings, setup.roles())]
        header = header_of(setup, settings, content, peers)
        session_settings = without_store(settings, peers, notices)
        if settings.clear_cache:
            notices.append(forget_stored_replies())

        async def begin(open_screen: OpenScreen, open_executor: OpenExecutor = LocalExecutor) -> Finished:
            called = (settings.name or content.subject, *setup.versions_on_trial())
            path, stop = new_path(settings.output_dir, suite.name, content.versions, *called), Stop()
            with run_lock(path):
                shared.interrupts.add(stop)
                create_run(path, header, identified(suite, content.cases), content.trials)
                session = _Session(path, setup, shared, peers, session_settings, stop, until, batches)
                return await session.go(open_screen, open_executor, notices)

        yield begin


async def resume(
    path: Path,
    changes: Mapping[str, object],
    open_screen: OpenScreen,
    open_executor: OpenExecutor = LocalExecutor,
    *,
    open_until: OpenUntil = to_the_end,
    errors_too: bool,
) -> Finished:
    """Finish a run. With `errors_too`, trials that ended in error are tried again."""
    with RunFile(path) as run:
        info, prompts, models = run.info(), run.prompts(), run.models()
    suite = suite_of_run(info)
    settings = read_settings(suite, path, {**info.settings, **changes})
    settings.gate(info.measures[0])
    until = open_until(suite, settings)
    setup, shared, stop = Setup.of(suite, settings, prompts), Shared(settings), Stop()
    batches, told = batches_of(settings), [*changes_since(info), *batch_notices(settings, setup.roles())]
    with run_lock(path):
        async with connected(as_begun(setup.roles(), models), settings, shared.traffic, batches) as peers:
            setup.runner.connections = peers
            check_models(path, models, peers)
            with RunFile(path) as run:
                edited = edited_beside(run)
            notices = [*told, *(f"{file} was edited; it is left alone" for file in edited)]
            settings = without_store(settings, peers, notices)
            shared.interrupts.add(stop)
            with shared.interruptible(), switching_threads_quickly():
                if errors_too:
                    reopen_errors(path)
                session = _Session(path, setup, shared, peers, settings, stop, until, batches)
                return await session.go(open_screen, open_executor, notices, edited)


@dataclass(frozen=True, slots=True)
class _Session:
    path: Path
    setup: Setup
    shared: Shared
    peers: Mapping[str, Peer]
    settings: RunSettings  # of this session: perhaps without stored replies
    stop: Stop
    until: Until
    batches: "Batches | None"

    async def go(
        self,
        open_screen: OpenScreen,
        open_executor: OpenExecutor,
        notices: Sequence[str],
        edited: frozenset[Path] = frozenset(),
    ) -> Finished:
        if self.batches is not None:
            self.batches.begin(self.path)
        with RunFile(self.path) as run:
            left, enough = left_to_do(run), self.until.opened(run)
        if enough:
            self.stop.now(enough, enough=True)
            left = replace(left, jobs=())
        budget = Budget(self.shared.purse, spent=left.spent, dearest=left.dearest, unknown=left.unknown)
        tally = Tally(len(left.jobs), budget, self.shared.meter, self.shared.tally)
        screen = open_screen(self.settings.verbose)

        def interrupted() -> None:
            self.shared.traffic.close()
            if self.batches is not None:
                self.batches.close()
            screen.interrupted(tally.all, self.stop.reason)

        self.shared.interrupts.add(self.stop, interrupted)
        self.shared.traffic.say = screen.say
        screen.opened(self.path, tally, notices)
        try:
            path = await self._run(left, budget, screen, tally, open_executor)
        finally:
            screen.closed()
        if self.batches is not None and not self.stop.reason:
            self.batches.end()
        return Finished(
            path=path,
            edited=edited,
            reason=self.stop.reason,
            enough=self.stop.enough,
            setup_fault=self.stop.setup_fault,
            over_budget=self.stop.over_budget,
            settings=self.settings,
        )

    async def _run(
        self,
        left: Left,
        budget: Budget,
        screen: Screen,
        tally: Tally,
        open_executor: OpenExecutor,
    ) -> Path:
        """Where the run file is in the end."""
        writer, stop = RunWriter(self.path), self.stop
        await writer.start()
        store = ReplyStore() if self.settings.use_cache and self.peers else None
        caller = Caller(
            peers=self.peers,
            record=writer.call,
            events=writer.events,
            recorded=left.recorded,
            store=store,
            budget=budget,
            stop=stop,
            meter=tally.meter,
        )

        def ended(job: Job, record: TrialRecord, tally: Tally) -> None:
            caller.settle(job.trial_id, "attempt", good=record.output is not None)
            caller.settle(job.trial_id, "judge", good=all(one.outcome != "error" for one in record.verdicts))
            screen.ended(job, record, tally.all)
            if enough := self.until.ended(job, record):
                stop.now(enough, enough=True)

        executor = open_executor(self.setup, caller)
        scheduler = Scheduler(executor=executor, writer=writer, tally=tally, stop=stop, ended=ended)
        cancelled = None
        try:
            async with watching(writer, stop, self.shared.interrupts):
                most = self.shared.most(self.peers)
                await scheduler.run(left.jobs, most, self.shared.places(self.peers))
        except asyncio.CancelledError as error:
            cancelled = None if stop.reason else error  # a second interrupt cancels, too
        except TrialkitError as error:  # the run file cannot be written: what it has can be gone on with
            stop.now(str(error), setup_fault=True)
        finally:
            await executor.aclose()
            if store is not None:
                with suppress(TrialkitError):  # a store that broke is no reason to lose a run
                    await store.aclose()
        path = await self._ended(writer, scheduler, tally)
        if cancelled is not None:
            raise cancelled
        return path

    async def _ended(self, writer: RunWriter, scheduler: Scheduler, tally: Tally) -> Path:
        stop = self.stop
        if tally.ended < tally.total:
            stop.now("cancelled")  # from outside, or by the suite itself
        elif not stop.enough:
            stop.reason = ""  # it came too late to stop anything
        try:
            done = stop.enough or not stop.reason
            await writer.finish("done" if done else "stopped", stop.reason, scheduler.elapsed_s)
        except TrialkitError as error:
            stop.now(str(error), setup_fault=True)
        return writer.path
