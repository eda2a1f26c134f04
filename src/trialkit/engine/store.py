"""Stored replies, across runs: asking the same of the same model for the same trial again costs nothing."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from trialkit.models import Reply
from trialkit.paths import cache_dir
from trialkit.runfile import DatabaseThread, now


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

    async def get(self, key: str) -> Reply | None:
        if self._empty is None:
            self._empty = (await self._thread.do(lambda db: db.execute("SELECT 1 FROM replies").fetchone())) is None
        if self._empty:  # it was when the run began, and no trial asks what another has asked: nothing can be found
            return None
        row = await self._thread.do(lambda db: db.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone())
        return Reply.from_data(json.loads(row[0])) if row else None

    def put(self, key: str, reply: Reply) -> None:
        row = (key, json.dumps(reply.to_data()), now())
        self._thread.put(lambda db: db.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?)", row))

    def remove(self, key: str) -> None:
        self._thread.put(lambda db: db.execute("DELETE FROM replies WHERE key = ?", (key,)))

    async def aclose(self) -> None:
        await self._thread.aclose()


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
