"""Several runs of a suite at the same time: within one budget, one limit for each server, and one interrupt."""

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from typing import Any, TypeVar

from trialkit.errors import InputError
from trialkit.settings import RunSettings
from trialkit.suites import Suite

from .branching import Branch
from .interrupt import blocking
from .ready import with_judge
from .schedule import switching_threads_quickly
from .session import Finished, OpenScreen, prepared
from .shared import Shared
from .until import OpenUntil, to_the_end

S = TypeVar("S", bound=RunSettings)
T = TypeVar("T")


def start_many_runs(
    suite: Suite[S], several: Sequence[S], open_screen: OpenScreen, open_until: OpenUntil = to_the_end
) -> list[Finished]:
    return blocking(start_many(suite, several, open_screen, open_until=open_until))


async def start_many(
    suite: Suite[S], several: Sequence[S], open_screen: OpenScreen, *, open_until: OpenUntil = to_the_end
) -> list[Finished]:
    """A run for each of the settings, which say the same of what the runs share. None begins before all can."""
    judges = {str(with_judge(suite, settings, []).to_data().get("judge_model")) for settings in several}
    if len(judges) > 1 and len({settings.to_data().get("judge_model") for settings in several}) == 1:
        raise InputError(
            f"the models on trial would judge themselves ({', '.join(sorted(judges))}), for the usual judge has no key;"
            " to compare them name one judge with --judge-model"
        )
    shared = Shared(several[0])
    async with AsyncExitStack() as stack:
        begins = [
            await stack.enter_async_context(prepared(suite, settings, shared, open_until)) for settings in several
        ]
        with shared.interruptible(), switching_threads_quickly():
            return await _all_of([begin(open_screen) for begin in begins])


def go_on(arms: Sequence[tuple[RunSettings, Branch]], open_screen: OpenScreen) -> list[Finished]:
    """A run for each of the arms that go on from a recorded step."""
    return blocking(_go_on(arms, open_screen))


async def _go_on(arms: Sequence[tuple[RunSettings, Branch]], open_screen: OpenScreen) -> list[Finished]:
    shared = Shared(arms[0][0])
    async with AsyncExitStack() as stack:
        begins = [
            await stack.enter_async_context(prepared(branch.suite, settings, shared, to_the_end, branch))
            for settings, branch in arms
        ]
        with shared.interruptible(), switching_threads_quickly():
            return await _all_of([begin(open_screen) for begin in begins])


async def _all_of(work: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """One that fails ends none of the others. Who is cancelled cancels them, and waits until each has saved its own."""
    tasks = [asyncio.create_task(one) for one in work]
    try:
        await asyncio.wait(tasks)
    except asyncio.CancelledError:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    return [task.result() for task in tasks]
