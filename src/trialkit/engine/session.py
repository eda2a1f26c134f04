"""A session of a run: from the settings to a run file that is closed again."""

import asyncio
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pydantic import ValidationError

from trialkit import __version__
from trialkit.errors import InputError, TrialkitError
from trialkit.models import Connection, Traffic
from trialkit.runfile import (
    Header,
    ModelInUse,
    RunFile,
    RunWriter,
    create_run,
    run_lock,
)
from trialkit.settings import RunSettings
from trialkit.suites import Bench, Suite, get_suite

from .budget import Budget
from .caller import Caller, Stop
from .files import edited_exports, new_path, write_exports
from .interrupt import on_interrupt
from .left import Left, left_to_do, reopen_errors
from .schedule import Scheduler, Tally, Watch
from .store import ReplyStore, clear_stored_replies, store_fault

#: How soon a thread that wants to run gets its turn. The run file's thread wants one after every statement; at Python's
#: 5 ms a busy event loop made it wait so long that 2,000 trials took 6.5 s instead of 4.6 (4.0 is the ideal).
_SWITCH_INTERVAL_S = 0.0005


class Screen(Watch, Protocol):
    """Where a session shows itself."""

    def opened(self, path: Path, tally: Tally, notices: Sequence[str]) -> None: ...

    def interrupted(self, tally: Tally) -> None: ...

    def closed(self) -> None: ...


OpenScreen = Callable[[bool], Screen]  # told whether to be verbose


@dataclass(frozen=True, kw_only=True, slots=True)
class Finished:
    path: Path
    exports: tuple[Path, ...]
    reason: str  # why it stopped early; empty: it is done
    setup_fault: bool
    over_budget: bool  # going on takes a larger --max-cost
    settings: RunSettings


def start_run(suite: Suite, settings: RunSettings, open_screen: OpenScreen) -> Finished:
    """A new run. Everything that can be wrong with the input is found before the first call."""
    material = suite.load(settings)
    bench = suite.bench(settings, {prompt.role: prompt for prompt in material.prompts})
    traffic = Traffic(settings.max_concurrency)
    connections = connect(bench, settings, traffic)
    header = Header(
        suite=suite.name,
        subject=material.subject,
        settings=settings.to_data(),
        versions={"trialkit": __version__, **material.versions},
        prompts=tuple(material.prompts),
        models=tuple(
            ModelInUse(role=role, name=c.name, endpoint=c.endpoint, key=c.key) for role, c in connections.items()
        ),
    )
    notices = list(material.notices)
    settings = _without_store(settings, connections, notices)
    if settings.clear_cache:
        fault = store_fault()
        notices.append(
            f"stored replies cannot be forgotten ({fault})"
            if fault
            else f"{clear_stored_replies()} stored replies forgotten"
        )
    path = new_path(settings.output_dir, suite.name, material.subject)
    with run_lock(path):
        create_run(path, header, material.cases, material.trials)
        session = _Session(
            path=path, suite=suite, bench=bench, traffic=traffic, connections=connections, settings=settings
        )
        return session.go(open_screen, notices)


def resume_run(path: Path, changes: Mapping[str, Any], open_screen: OpenScreen, *, errors_too: bool) -> Finished:
    """Finish a run. With `errors_too`, trials that ended in error are tried again."""
    with RunFile(path) as run:
        info, prompts = run.info(), {prompt.role: prompt for prompt in run.prompts()}
        models = run.models()
    suite = get_suite(info.suite)
    settings = read_settings(suite, path, {**info.settings, **changes})
    bench = suite.bench(settings, prompts)
    traffic = Traffic(settings.max_concurrency)
    with run_lock(path):
        connections = connect(bench, settings, traffic)
        _check_models(path, models, connections)
        with RunFile(path) as run:
            edited = edited_exports(suite, run)
        notices = [f"{file} was edited; it is left alone" for file in edited]
        settings = _without_store(settings, connections, notices)
        if errors_too:
            reopen_errors(path)
        session = _Session(
            path=path, suite=suite, bench=bench, traffic=traffic, connections=connections, settings=settings
        )
        return session.go(open_screen, notices, edited)


def _check_models(path: Path, recorded: Sequence[ModelInUse], connections: Mapping[str, Connection]) -> None:
    """A run has one model in each role: half of it from elsewhere would be no measurement of either."""
    for model in recorded:
        now = connections.get(model.role)
        if now is not None and now.key != model.key:
            before, after = f"{model.name} at {model.endpoint}", f"{now.name} at {now.endpoint}"
            if before == after:
                before, after = model.key, now.key
            raise InputError(
                f"{path}: the {model.role} of this run is {before}, but now it would be {after}; "
                "set the environment as it was, or start a new run"
            )


def read_settings(suite: Suite, path: Path, values: Mapping[str, Any]) -> RunSettings:
    try:
        return suite.settings.model_validate(values)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise InputError(f"{path}: setting {where} = {fault['input']!r}: {fault['msg']}") from None


def _without_store(settings: RunSettings, connections: Mapping[str, Connection], notices: list[str]) -> RunSettings:
    """Settings with which the run can go on where replies cannot be stored."""
    fault = store_fault() if settings.use_cache and connections else ""
    if not fault:
        return settings
    notices.append(f"replies cannot be stored ({fault}); going on without")
    return settings.model_copy(update={"use_cache": False})


def connect(
    bench: Bench, settings: RunSettings, traffic: Traffic, *, judging: bool = False
) -> Mapping[str, Connection]:
    connections = bench.connect(traffic, judging=True) if judging else bench.connect(traffic)
    unknown = sorted({c.name for c in connections.values() if c.billed and not c.price_known})
    if settings.max_cost is not None and unknown:
        raise InputError(
            f"--max-cost cannot be kept: the price of {', '.join(unknown)} is unknown; name a file with it in"
            " TRIALKIT_PRICES (LiteLLM's format), or leave --max-cost out"
        )
    return connections


@dataclass(frozen=True, kw_only=True, slots=True)
class _Session:
    path: Path
    suite: Suite
    bench: Bench
    traffic: Traffic
    connections: Mapping[str, Connection]
    settings: RunSettings

    def go(self, open_screen: OpenScreen, notices: Sequence[str], edited: Collection[Path] = ()) -> Finished:
        stop = Stop()
        try:
            self._go(open_screen, notices, stop)
        except KeyboardInterrupt:  # before the first trial, or after the last: between them it only asks to stop
            stop.now("interrupted")
        return Finished(
            path=self.path,
            exports=write_exports(self.suite, self.path, keep=edited),
            reason=stop.reason,
            setup_fault=stop.setup_fault,
            over_budget=stop.over_budget,
            settings=self.settings,
        )

    def _go(self, open_screen: OpenScreen, notices: Sequence[str], stop: Stop) -> None:
        with RunFile(self.path) as run:
            left = left_to_do(run)
        budget = Budget(self.settings.max_cost, spent=left.spent, dearest=left.dearest, unknown=left.unknown)
        tally = Tally(len(left.jobs), budget)
        screen = open_screen(self.settings.verbose)
        screen.opened(self.path, tally, notices)
        interval = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_INTERVAL_S)
        try:
            asyncio.run(self._run(left, budget, screen, tally, stop))
        finally:
            sys.setswitchinterval(interval)
            screen.closed()

    async def _run(self, left: Left, budget: Budget, screen: Screen, tally: Tally, stop: Stop) -> None:
        writer = RunWriter(self.path)
        await writer.start()
        store = ReplyStore() if self.settings.use_cache and self.connections else None
        caller = Caller(
            connections=self.connections,
            record=writer.call,
            recorded=left.recorded,
            store=store,
            budget=budget,
            stop=stop,
        )
        scheduler = Scheduler(
            bench=self.bench,
            calls=caller,
            writer=writer,
            watch=screen,
            tally=tally,
            stop=stop,
            seed=self.settings.seed,
        )
        try:

            def interrupted() -> None:
                self.traffic.close()
                screen.interrupted(tally)

            with on_interrupt(stop, interrupted), suppress(asyncio.CancelledError):
                await scheduler.run(left.jobs, self.settings.max_concurrency)
        finally:
            for connection in self.connections.values():
                await connection.aclose()
            if store is not None:
                with suppress(TrialkitError):  # a store that broke is no reason to lose a run
                    await store.aclose()
        if tally.ended == tally.total:
            stop.reason = ""  # it came too late to stop anything
        await writer.finish("stopped" if stop.reason else "done", stop.reason, scheduler.elapsed_s)
