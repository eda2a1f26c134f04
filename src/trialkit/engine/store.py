"""Stored replies, across runs: asking the same of the same model for the same trial again costs nothing."""

import asyncio
import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

from trialkit.errors import TrialkitError
from trialkit.models import Reply
from trialkit.paths import cache_dir
from trialkit.runfile import DatabaseThread, now

#: How long replies wait to be written together.
_SOON_S = 0.5


def _path() -> Path:
    return cache_dir() / "replies.sqlite"


def _connect() -> sqlite3.Connection:
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
    db.executescript(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
        "CREATE TABLE IF NOT EXISTS replies"
        " (key TEXT PRIMARY KEY, reply TEXT NOT NULL, at TEXT NOT NULL) WITHOUT ROWID;"
    )
    return db


class ReplyStore:
    """Open it inside the event loop."""

    def __init__(self) -> None:
        self._thread = DatabaseThread(_connect, str(_path()))
        self._empty: bool | None = None
        self._waiting: dict[str, Reply | None] = {}  # to be written together; None: to be removed
        self._timer: asyncio.TimerHandle | None = None

    async def get(self, key: str) -> Reply | None:
        if self._empty is None:
            self._empty = (await self._thread.do(lambda db: db.execute("SELECT 1 FROM replies").fetchone())) is None
        if self._empty:  # it was when the run began, and no trial asks what another has asked: nothing can be found
            return None
        if key in self._waiting:
            return self._waiting[key]
        row = await self._thread.do(lambda db: db.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone())
        return Reply.from_data(json.loads(row[0])) if row else None

    def put(self, key: str, reply: Reply | None) -> None:
        """None: what is stored is forgotten. It is written soon: a run loses nothing by it, which has its own file."""
        self._waiting[key] = reply
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_SOON_S, self._flush)

    def _flush(self) -> None:
        self._timer = None
        waiting, self._waiting = self._waiting, {}
        with suppress(TrialkitError):  # a store that broke is no reason to lose a trial
            self._thread.put(partial(_write, waiting))

    async def aclose(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._flush()
        await self._thread.aclose()


def _write(replies: Mapping[str, Reply | None], db: sqlite3.Connection) -> None:
    at = now()
    rows = [(key, json.dumps(reply.to_data()), at) for key, reply in replies.items() if reply is not None]
    db.executemany("INSERT OR REPLACE INTO replies VALUES (?, ?, ?)", rows)
    db.executemany("DELETE FROM replies WHERE key = ?", [(key,) for key, reply in replies.items() if reply is None])


def store_fault() -> str:
    """Why replies cannot be stored; empty: they can."""
    try:
        _connect().close()
    except (sqlite3.Error, OSError) as error:
        return f"{_path()}: {error}"
    return ""


def forget_stored_replies() -> str:
    """What came of it."""
    fault = store_fault()
    if fault:
        return f"stored replies cannot be forgotten ({fault})"
    with closing(_connect()) as db:
        return f"{db.execute('DELETE FROM replies').rowcount} stored replies forgotten"
