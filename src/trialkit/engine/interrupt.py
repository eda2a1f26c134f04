"""Ctrl-C: the first waits for the calls on their way, since they are paid for; the second does not.

A kill and the end of the terminal ask for the same.
"""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, TypeVar

from .caller import Stop

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
T = TypeVar("T")


@dataclass(slots=True)
class Interrupts:
    told: Callable[[], None] = lambda: None  # called at the first one


@contextmanager
def on_interrupt(stop: Stop) -> Iterator[Interrupts]:
    """While inside, an interrupt asks the run to stop, and the next one cancels the task that entered, once: what is
    done then is to save. A terminal that ends tells so several times, which is no more than once.

    Signals come to the main thread only: in another one nothing is interrupted. What `nohup` ignores stays ignored.
    """
    interrupts = Interrupts()
    if threading.current_thread() is not threading.main_thread():
        yield interrupts
        return
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def react(number: int) -> None:
        if not stop.reason:
            stop.now("interrupted")
            interrupts.told()
        elif number != signal.SIGHUP and task is not None and not task.cancelling():
            task.cancel()

    def handler(number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(react, number)

    heard = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in heard}
    try:
        yield interrupts
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def blocking(work: Coroutine[Any, Any, T]) -> T:
    """For callers without an event loop."""
    try:
        return asyncio.run(work)
    except asyncio.CancelledError:  # by a second interrupt
        raise KeyboardInterrupt from None
