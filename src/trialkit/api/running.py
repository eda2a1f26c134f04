"""Running suites from Python."""

import asyncio
import logging
import shlex
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

from trialkit.analysis.until import open_until
from trialkit.engine import (
    Finished,
    Job,
    Tally,
    beside,
    blocking,
    combinations,
    read_settings,
    start,
    start_many,
    write_beside,
)
from trialkit.errors import InputError
from trialkit.runfile import RunFile, TrialRecord
from trialkit.suites import Suite, checked_suite, content_of, get_suite, remember_suite

from .compared import Runs
from .opened import Run

T = TypeVar("T")

_LOG = logging.getLogger("trialkit")


class _Silent:
    """A run is not shown as it goes; what is to be known of it is logged."""

    def opened(self, path: Path, tally: Tally, notices: Sequence[str]) -> None:  # noqa: ARG002 - only told
        for notice in notices:
            self.say(notice)

    def ended(self, job: Job, record: TrialRecord, tally: Tally) -> None:
        pass

    def say(self, line: str) -> None:
        _LOG.warning(line)

    def interrupted(self, tally: Tally, reason: str) -> None:
        pass

    def closed(self) -> None:
        pass


def run(suite: str | Path | Suite[Any], **settings: object) -> Run:
    """Runs a suite, by its name, its file or itself. The settings are the flags of `trialkit run SUITE`.

    A run that was stopped is opened too: its `info` says so. In an event loop, as of a notebook: `await arun(…)`.
    """
    return _outside_of_a_loop(arun(suite, **settings), "run")


async def arun(suite: str | Path | Suite[Any], **settings: object) -> Run:
    """`run`, inside of an event loop."""
    found = _found(suite)
    several = combinations(found, found.settings, settings)
    if len(several) > 1:
        raise InputError(f"{found.name}: settings with several values make {len(several)} runs: use trialkit.run_many")
    wanted = read_settings(found, found.name, several[0])
    return _opened(await start(found, wanted, lambda _verbose: _Silent(), open_until=open_until))


def run_many(suite: str | Path | Suite[Any], **settings: object) -> Runs:
    """A run of each combination, at the same time, where a setting is a list of values or the suite has a matrix.

    They have one budget, `max_cost`, and take turns at a server. In an event loop: `await arun_many(…)`.
    """
    return _outside_of_a_loop(arun_many(suite, **settings), "run_many")


async def arun_many(suite: str | Path | Suite[Any], **settings: object) -> Runs:
    """`run_many`, inside of an event loop."""
    found = _found(suite)
    several = [read_settings(found, found.name, one) for one in combinations(found, found.settings, settings)]
    if several[0].until_decided:
        raise InputError(f"{found.name}: until_decided holds one run against another: use trialkit.run")
    return Runs(_opened(one) for one in await start_many(found, several, lambda _verbose: _Silent()))


def _outside_of_a_loop(work: Coroutine[Any, Any, T], name: str) -> T:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return blocking(work)
    work.close()
    raise RuntimeError(
        f"an event loop is running, as in a notebook: write `await trialkit.a{name}(…)` for trialkit.{name}(…)"
    )


def _opened(finished: Finished) -> Run:
    with RunFile(finished.path) as run_file:
        contents = beside(run_file)
    write_beside(finished.path, contents)
    if finished.reason and not finished.enough:
        _LOG.warning(_stopped(finished))
    return Run(finished.path)


def _found(suite: str | Path | Suite[Any]) -> Suite[Any]:
    if isinstance(suite, str | Path):
        return get_suite(str(suite))
    found = checked_suite(suite, f"{suite!r:.60}")
    remember_suite(found)
    return found


def _stopped(finished: Finished) -> str:
    return f"stopped: {finished.reason}; to finish: {shlex.join(['trialkit', 'resume', str(finished.path)])}"


def case_ids(suite: str | Path | Suite[Any], **settings: object) -> list[str]:
    """The cases that a run with these settings would try; nothing is run. For tests: one for each case."""
    found = _found(suite)
    content = content_of(found, read_settings(found, found.name, settings))
    return list(dict.fromkeys(trial.case_id for trial in content.trials))
