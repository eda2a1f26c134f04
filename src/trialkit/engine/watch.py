"""Looks after the run file while a run goes on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from trialkit.runfile import RunWriter

from .caller import Stop
from .interrupt import Interrupts

_LOOK_S = 1.0


@asynccontextmanager
async def watching(writer: RunWriter, stop: Stop, interrupts: Interrupts) -> AsyncIterator[None]:
    """Without its file a run would be paid for and lost: it stops, as by an interrupt."""

    async def watch() -> None:
        while writer.in_place():  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(_LOOK_S)
        if not stop.reason:
            interrupts.stop("the run file was deleted, moved or replaced", setup_fault=True)

    watcher = asyncio.create_task(watch())
    try:
        yield
    finally:
        watcher.cancel()
