"""A run under way, in the tests' own process: it does what it is told to, and nothing else."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from tests.runfile.writing import call, ended
from trialkit.models import Reply
from trialkit.runfile import Event, RunWriter, run_lock

T = TypeVar("T")


class Run:
    """Its event loop has a thread of its own: a browser's may be in the way of another."""

    def __init__(self, path: Path, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._writer = self._do(self._start(path))

    def say(self, text: str, trial_id: int = 1, *, first: bool = False) -> None:
        async def said() -> None:
            if first:
                self._writer.begin(trial_id)
            self._writer.events(trial_id, [Event(kind="message", data={"role": "user", "text": text})])
            await self._writer.call(call(trial_id, Reply(text="", cost=0.25), text))

        self._do(said())

    def use(self, tool: str, result: str | None = None) -> None:
        """Calls it; with a result: that comes back."""
        called = Event(kind="tool calls", data={"by": "assistant", "calls": [{"name": tool, "arguments": "{}"}]})
        came = Event(kind="observation", data={"tool": tool, "text": result})

        async def used() -> None:
            self._writer.events(1, [called if result is None else came])

        self._do(used())

    def end(self, trial_id: int = 1) -> None:
        self._do(self._writer.trial(trial_id, ended(), 1.0))

    def finish(self) -> None:
        self._do(self._writer.finish("done", "", 1.0))

    def close(self) -> None:
        self._do(self._writer.close())

    async def _start(self, path: Path) -> RunWriter:
        writer = RunWriter(path)
        await writer.start()
        return writer

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


@contextmanager
def going_on(path: Path) -> Iterator[Run]:
    """At the end the process is gone and has not said so."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        with run_lock(path):
            yield Run(path, loop)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
