"""Ctrl-C: the first waits for the calls on their way, since they are paid for; the second does not."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from .caller import Stop

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def on_interrupt(stop: Stop, told: Callable[[], None]) -> Iterator[None]:
    """While inside, an interrupt asks the run to stop, and the next one cancels the task that entered."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def react() -> None:
        if not stop.reason:
            stop.now("interrupted")
            told()
        elif task is not None:
            task.cancel()

    def handler(_signal: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(react)

    before = {number: signal.signal(number, handler) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
