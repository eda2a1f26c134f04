"""A session of a run: from the settings to a run file that is closed again."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from trialkit import __version__
from trialkit.errors import TrialkitError
from trialkit.models import Traffic
from trialkit.runfile import (
    Header,
    ModelInUse,
    Prompt,
    RunFile,
    RunWriter,
    TrialRecord,
    create_run,
    run_lock,
)
from trialkit.settings import RunSettings
from trialkit.suites import Content, Peer, Suite, asking, check_beside, content_of, each, get_suite
from trialkit.vocabulary import Case

from .budget import Budget
from .caller import Caller, Stop
from .calls import Calls
from .connect import connected
from .executor import Executor, LocalExecutor
from .files import edited_beside, new_path
from .interrupt import Interrupts, blocking, on_interrupt
from .job import Job
from .left import Left, left_to_do, reopen_errors
from .ready import check_models, read_settings, without_store
from .schedule import Scheduler, Tally, switching_threads_quickly
from .setup import Setup
from .store import ReplyStore, forget_stored_replies
from .until import OpenUntil, Until, to_the_end
from .watch import watching

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
) -> Finished:
    """A new run. Everything that can be wrong with the input is found before the first call."""
    settings.gate(suite.measures[0])
    until = open_until(suite, settings)
    content = until.plan(content_of(suite, settings))
    check_beside(suite)
    with asking(f"suite {suite.name}", "prompts"):
        prompts = each(suite.prompts(settings), Prompt)
    setup = Setup.of(suite, settings, prompts)
    traffic = Traffic(settings.max_concurrency)
    async with connected(setup.roles(), settings, traffic) as peers:
        setup.runner.connections = peers
        with asking(f"suite {suite.name}", "meeting"):
            (content,) = each([await setup.runner.meet(content)], Content)
        header = Header(
            suite=suite.name,
            subject=content.subject,
            settings=settings.to_data(),
            versions={"trialkit": __version__, **content.versions},
            prompts=tuple(setup.prompts.values()),
            models=tuple(
                ModelInUse(role=role, name=peer.name, endpoint=peer.endpoint, key=peer.key)
                for role, peer in peers.items()
            ),
            measures=suite.measures,
            judges=tuple(setup.judges),
        )
        notices = list(content.notices)
        settings = without_store(settings, peers, notices)
        if settings.clear_cache:
            notices.append(forget_stored_replies())
        path, stop = new_path(settings.output_dir, suite.name, content.subject), Stop()
        with run_lock(path), on_interrupt(stop) as interrupts:
            create_run(path, header, identified(suite, content.cases), content.trials)
            session = _Session(path, setup, traffic, peers, settings, stop, until)
            return await session.go(interrupts, open_screen, open_executor, notices)


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
    suite = get_suite(info.suite)
    settings = read_settings(suite, path, {**info.settings, **changes})
    settings.gate(info.measures[0])
    until = open_until(suite, settings)
    setup, traffic, stop = Setup.of(suite, settings, prompts), Traffic(settings.max_concurrency), Stop()
    with run_lock(path):
        async with connected(setup.roles(), settings, traffic) as peers:
            setup.runner.connections = peers
            check_models(path, models, peers)
            with RunFile(path) as run:
                edited = edited_beside(run)
            notices = [f"{file} was edited; it is left alone" for file in edited]
            settings = without_store(settings, peers, notices)
            with on_interrupt(stop) as interrupts:
                if errors_too:
                    reopen_errors(path)
                session = _Session(path, setup, traffic, peers, settings, stop, until)
                return await session.go(interrupts, open_screen, open_executor, notices, edited)


def identified(suite: Suite[Any], cases: Sequence[Case]) -> list[Case]:
    """Each with a hash of what is asked and of the truth."""
    return [case if case.identity else replace(case, identity=suite.identity(case)) for case in cases]


@dataclass(frozen=True, slots=True)
class _Session:
    path: Path
    setup: Setup
    traffic: Traffic
    peers: Mapping[str, Peer]
    settings: RunSettings  # of this session: perhaps without stored replies
    stop: Stop
    until: Until

    async def go(
        self,
        interrupts: Interrupts,
        open_screen: OpenScreen,
        open_executor: OpenExecutor,
        notices: Sequence[str],
        edited: frozenset[Path] = frozenset(),
    ) -> Finished:
        with RunFile(self.path) as run:
            left, enough = left_to_do(run), self.until.opened(run)
        if enough:
            self.stop.now(enough, enough=True)
            left = replace(left, jobs=())
        budget = Budget(self.settings.max_cost, spent=left.spent, dearest=left.dearest, unknown=left.unknown)
        tally = Tally(len(left.jobs), budget)
        screen = open_screen(self.settings.verbose)

        def interrupted() -> None:
            self.traffic.close()
            screen.interrupted(tally, self.stop.reason)

        interrupts.told = interrupted
        self.traffic.say = screen.say
        screen.opened(self.path, tally, notices)
        try:
            with switching_threads_quickly():
                path = await self._run(left, budget, screen, tally, open_executor, interrupts)
        finally:
            screen.closed()
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
        interrupts: Interrupts,
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
        )

        def ended(job: Job, record: TrialRecord, tally: Tally) -> None:
            caller.settle(job.trial_id, "attempt", good=record.output is not None)
            caller.settle(job.trial_id, "judge", good=all(one.outcome != "error" for one in record.verdicts))
            screen.ended(job, record, tally)
            if enough := self.until.ended(job, record):
                stop.now(enough, enough=True)

        executor = open_executor(self.setup, caller)
        scheduler = Scheduler(executor=executor, writer=writer, tally=tally, stop=stop, ended=ended)
        cancelled = None
        try:
            async with watching(writer, stop, interrupts):
                await scheduler.run(left.jobs, self.settings.max_concurrency)
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
