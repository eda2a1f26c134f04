"""Ctrl-C: the first waits for the calls on their way, since they are paid for; the second does not.
Agents and services, which may never answer, are waited for a moment only.

A kill and the end of the terminal ask for the same.
"""

import asyncio
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from .caller import Stop

#: The terminal ended; Windows does not tell.
_HANGUP = None if sys.platform == "win32" else signal.SIGHUP
_SIGNALS = tuple(filter(None, (signal.SIGINT, signal.SIGTERM, _HANGUP)))
T = TypeVar("T")


class Interrupts:
    """Who is to stop, and whom to tell of it then."""

    def __init__(self) -> None:
        self._told: dict[Stop, Callable[[], None]] = {}

    def add(self, stop: Stop, told: Callable[[], None] = lambda: None) -> None:
        self._told[stop] = told

    def stop(self, reason: str, *, setup_fault: bool = False) -> bool:
        """False: all were stopping already."""
        going = {stop: told for stop, told in self._told.items() if not stop.reason}
        for stop, told in going.items():
            stop.now(reason, setup_fault=setup_fault)
            stop.interrupt()
            told()
        return bool(going)


@contextmanager
def on_interrupt(interrupts: Interrupts) -> Iterator[None]:
    """While inside, an interrupt asks the runs to stop, and the next one cancels the task that entered, once: what is
    done then is to save. A terminal that ends tells so several times, which is no more than once.

    Signals come to the main thread only: in another one nothing is interrupted. What `nohup` ignores stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def react(number: int) -> None:
        first = interrupts.stop("interrupted")
        if not first and number != _HANGUP and task is not None and not task.cancelling():
            task.cancel()

    def handler(number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(react, number)

    heard = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in heard}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def blocking(work: Coroutine[Any, Any, T]) -> T:
    """For callers without an event loop."""
    try:
        return asyncio.run(work)
    except asyncio.CancelledError:  # by a second interrupt
        raise KeyboardInterrupt from None
