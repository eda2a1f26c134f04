"""A thread that owns a SQLite connection, so that the event loop never waits for the disk.

Work that is waiting when the thread comes round goes into one transaction: at 500 calls a second a commit
serves several of them, at one call a second each has its own at once.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from queue import Empty, SimpleQueue
from typing import TypeVar, cast

from trialkit.errors import TrialkitError

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], object]
_Job = tuple[Work | None, "asyncio.Future[object] | None"]


class DatabaseThread:
    def __init__(
        self,
        connect: Callable[[], sqlite3.Connection],
        name: str,
        at_end: Callable[[sqlite3.Connection], None] = lambda _: None,  # when all is committed, or no more can be
    ) -> None:
        self._connect = connect
        self._at_end = at_end
        self._name = name
        self._jobs: SimpleQueue[_Job] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._broken: Exception | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def put(self, work: Work) -> None:
        """Do this soon, in order; an error shows at the next call."""
        self._check()
        self._jobs.put((work, None))

    async def do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do this, and come back when it is committed."""
        future: asyncio.Future[object] = self._loop.create_future()
        self.hand(work, future)
        return cast("T", await future)

    def hand(self, work: Work, committed: "asyncio.Future[object]") -> None:
        """Do this; the future tells when it is committed."""
        self._check()
        self._jobs.put((work, committed))

    async def aclose(self) -> None:
        """Finish what is waiting, then close the connection."""
        self._jobs.put((None, None))
        await asyncio.to_thread(self._thread.join)
        self._check()

    def _check(self) -> None:
        if self._broken is not None:
            raise TrialkitError(f"cannot write {self._name}: {self._broken}") from self._broken

    def _run(self) -> None:
        try:
            db = self._connect()
        except (sqlite3.Error, OSError) as error:
            self._broken = error
            self._drain(error)
            return
        try:
            while (batch := self._next_batch()) is not None:
                self._commit(db, batch)
        except Exception as error:  # noqa: BLE001 - whatever it is, nobody may wait for ever
            self._broken = error
            self._drain(error)
        finally:
            self._end(db)

    def _end(self, db: sqlite3.Connection) -> None:
        with closing(db):
            try:
                self._at_end(db)
            except Exception as error:  # noqa: BLE001 - as above
                self._broken = self._broken or error

    def _next_batch(self) -> list[_Job] | None:
        batch = [self._jobs.get()]
        while batch[-1][0] is not None:
            try:
                batch.append(self._jobs.get_nowait())
            except Empty:
                break
        if batch[-1][0] is not None:
            return batch
        self._jobs.put((None, None))  # the end is met again once what came before it is committed
        return batch[:-1] or None

    def _commit(self, db: sqlite3.Connection, batch: list[_Job]) -> None:
        waiting: list[tuple[asyncio.Future[object], object]] = []
        try:
            db.execute("BEGIN IMMEDIATE")
            for work, future in batch:
                result = work(db) if work else None
                if future is not None:
                    waiting.append((future, result))
            db.execute("COMMIT")
        except Exception as error:  # an OverflowError too: a number that the file cannot hold
            if db.in_transaction:
                db.execute("ROLLBACK")
            self._fail([future for _, future in batch if future is not None], error)
            raise
        if waiting:
            self._loop.call_soon_threadsafe(_resolve, waiting)

    def _drain(self, error: Exception) -> None:
        """After a fault: whoever still waits is told, until the end is asked for."""
        while (job := self._jobs.get())[0] is not None:
            if job[1] is not None:
                self._fail([job[1]], error)

    def _fail(self, futures: list["asyncio.Future[object]"], error: Exception) -> None:
        fault = TrialkitError(f"cannot write {self._name}: {error}")
        self._loop.call_soon_threadsafe(_reject, futures, fault)


def _resolve(waiting: list[tuple["asyncio.Future[object]", object]]) -> None:
    for future, result in waiting:
        if not future.done():
            future.set_result(result)


def _reject(futures: list["asyncio.Future[object]"], fault: Exception) -> None:
    for future in futures:
        if not future.done():
            future.set_exception(fault)
