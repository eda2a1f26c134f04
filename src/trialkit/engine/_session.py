"""A session of a run: from the settings to a run file that is closed again."""

import asyncio
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Protocol

from pydantic import ValidationError

from trialkit import __version__
from trialkit.errors import InputError
from trialkit.models import Connection, Traffic
from trialkit.runfile import (
    Header,
    ModelInUse,
    RunFile,
    RunWriter,
    State,
    create_run,
    run_lock,
)
from trialkit.settings import RunSettings
from trialkit.suites import Bench, Suite, get_suite

from ._budget import Budget
from ._caller import Caller, Stop
from ._interrupt import on_interrupt
from ._left import Left, left_to_do
from ._schedule import Scheduler, Tally, Watch
from ._store import ReplyStore, clear_stored_replies

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
    state: State
    reason: str
    setup_fault: bool
    settings: RunSettings


def start_run(suite: Suite, settings: RunSettings, open_screen: OpenScreen) -> Finished:
    """A new run. Everything that can be wrong with the input is found before the first call."""
    material = suite.load(settings)
    bench = suite.bench(settings, {prompt.role: prompt for prompt in material.prompts})
    traffic = Traffic(settings.max_concurrency)
    connections = _connect(bench, settings, traffic)
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
    if settings.clear_cache:
        notices.append(f"{clear_stored_replies()} stored replies forgotten")
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
    suite = get_suite(info.suite)
    settings = read_settings(suite, path, {**info.settings, **changes})
    bench = suite.bench(settings, prompts)
    traffic = Traffic(settings.max_concurrency)
    with run_lock(path):
        connections = _connect(bench, settings, traffic)
        session = _Session(
            path=path, suite=suite, bench=bench, traffic=traffic, connections=connections, settings=settings
        )
        return session.go(open_screen, (), errors_too=errors_too)


def read_settings(suite: Suite, path: Path, values: Mapping[str, Any]) -> RunSettings:
    try:
        return suite.settings.model_validate(values)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise InputError(f"{path}: setting {where} = {fault['input']!r}: {fault['msg']}") from None


def _connect(bench: Bench, settings: RunSettings, traffic: Traffic) -> Mapping[str, Connection]:
    connections = bench.connect(traffic)
    unknown = sorted({c.name for c in connections.values() if not c.price_known})
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

    def go(self, open_screen: OpenScreen, notices: Sequence[str], *, errors_too: bool = False) -> Finished:
        with RunFile(self.path) as run:
            left = left_to_do(run, errors_too=errors_too)
        budget = Budget(self.settings.max_cost, spent=left.spent)
        tally = Tally(len(left.jobs), budget)
        screen = open_screen(self.settings.verbose)
        screen.opened(self.path, tally, notices)
        interval = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_INTERVAL_S)
        try:
            return asyncio.run(self._run(left, budget, screen, tally))
        finally:
            sys.setswitchinterval(interval)
            screen.closed()

    async def _run(self, left: Left, budget: Budget, screen: Screen, tally: Tally) -> Finished:
        stop = Stop()
        writer = RunWriter(self.path)
        await writer.start()
        store = ReplyStore() if self.settings.use_cache and self.connections else None
        caller = Caller(
            connections=self.connections,
            record=writer.call,
            recorded=left.recorded,
            afresh=left.afresh,
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
                await store.aclose()
        state: State = "stopped" if stop.reason else "done"
        await writer.finish(state, stop.reason, scheduler.elapsed_s)
        return Finished(
            path=self.path,
            exports=write_exports(self.suite, self.path),
            state=state,
            reason=stop.reason,
            setup_fault=stop.setup_fault,
            settings=self.settings,
        )


def write_exports(suite: Suite, path: Path) -> tuple[Path, ...]:
    with RunFile(path) as run:
        texts = {path.with_suffix(suffix): text for suffix, text in suite.exports(run).items()}
    for file, text in texts.items():
        file.write_text(text, encoding="utf-8", newline="")
    return tuple(texts)


def new_path(folder: Path, suite: str, subject: str) -> Path:
    """`<utc>-<suite>-<subject>.trial`, never one that exists."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f")[:-3] + "Z"  # names sort as the runs began
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", f"{stamp}-{suite}-{subject}").strip("-.")[:120]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            path = folder / (f"{name}.trial" if number == 1 else f"{name}-{number}.trial")
            with suppress(FileExistsError):
                path.touch(exist_ok=False)
                break
    except OSError as error:
        raise InputError(f"{folder}: cannot be written to as the output folder: {error.strerror}") from None
    return path
