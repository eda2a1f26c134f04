"""Runs somebody's code, sync or async, without standing still: in an event loop of its own, or in threads."""

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")

#: What the code of an agent gets to come to its end.
_GRACE_S = 3.0


async def called(function: Callable[..., Any], *arguments: object, **named: object) -> Any:
    """What is no coroutine runs in a thread of its own, which the program's end does not wait for."""
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None)):  # noqa: B004 - a callable object may be async
        return await function(*arguments, **named)
    given = await _in_thread(partial(function, *arguments, **named))
    return await given if inspect.isawaitable(given) else given


async def _in_thread(run: Callable[[], T]) -> T:
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(settle: Callable[[Any], None], value: object) -> None:
        if not done.done():
            settle(value)

    def work() -> None:
        try:
            settle, value = done.set_result, run()
        except BaseException as error:  # noqa: BLE001 - whoever waits is told
            settle, value = done.set_exception, error  # type: ignore[assignment]
        with suppress(RuntimeError):  # the loop has gone: nobody waits
            loop.call_soon_threadsafe(tell, settle, value)

    threading.Thread(target=contextvars.copy_context().run, args=(work,), daemon=True).start()
    return await done


class LoopThread:
    """An event loop of its own: code that blocks it holds up nobody else's."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    async def aclose(self) -> None:
        """Whatever still runs is cancelled; who does not end by that is left behind."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.run(_cancel_others()), _GRACE_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join, _GRACE_S)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        while True:
            try:
                self._loop.run_forever()
                break
            except (SystemExit, KeyboardInterrupt):  # of the agent's code: asyncio gives it to whoever waits, and stops
                continue
        self._loop.close()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for one in others:
        one.cancel()
    await asyncio.gather(*others, return_exceptions=True)
