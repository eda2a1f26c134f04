"""Reading a run file, also while the run goes on."""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, Self, TypeVar

from trialkit.errors import InputError
from trialkit.vocabulary import Case

from .columns import Columns
from .open import connect_reader
from .records import CallRecord, Event, ModelInUse, Prompt
from .results import RecordedTrial, RunInfo, TrialResult
from .trial_rows import Which, read_results, read_trials

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

_RUN = Columns(RunInfo, elsewhere=("wall_s",))


def _reading(
    method: Callable[Concatenate["RunFile", P], T],
) -> Callable[Concatenate["RunFile", P], T]:
    """What is not as it was written, in SQLite's pages or in our JSON, is the file's fault."""

    @wraps(method)
    def read(run: "RunFile", /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            with run.moment():
                return method(run, *args, **kwargs)
        except (sqlite3.DatabaseError, ValueError, LookupError, TypeError, RecursionError) as error:
            raise InputError(f"{run.path}: the run file is damaged: {error}") from None

    return read


class RunFile:
    """A run file, open for reading. Whatever version wrote it, it is read as this one would have written it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = connect_reader(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    @contextmanager
    def moment(self) -> Iterator[None]:
        """What is read inside is of one moment, though the run goes on. Not for long: it keeps a new writer waiting."""
        outermost = not self._db.in_transaction
        if outermost:
            self._db.execute("BEGIN")
        try:
            yield
        finally:
            if outermost and self._db.in_transaction:  # a damaged page ends it
                self._db.execute("COMMIT")

    @_reading
    def info(self) -> RunInfo:
        row = self._db.execute(f"SELECT {_RUN.names} FROM run").fetchone()
        if row is None:
            raise InputError(f"{self.path}: the run was killed before it began; there is nothing in it")
        return _RUN.read(row, wall_s=self._figure("SELECT coalesce(sum(elapsed_s), 0) FROM sessions"))

    @_reading
    def prompts(self) -> tuple[Prompt, ...]:
        return tuple(self._all(Prompt, "prompts ORDER BY role"))

    @_reading
    def models(self) -> tuple[ModelInUse, ...]:
        return tuple(self._all(ModelInUse, "models ORDER BY role"))

    @_reading
    def cases(self) -> list[Case]:
        return self._all(Case, "cases ORDER BY position")

    @_reading
    def trials(self) -> list[RecordedTrial]:
        return read_trials(self._db, Which())

    @_reading
    def results(self, *, all_judges: bool = True) -> list[TrialResult]:
        """All trials, in little time and memory: 80,000 of them in half a second.

        Without `all_judges` only what was decided is read, in half of that.
        """
        return read_results(self._db, Which(), all_judges=all_judges)

    @_reading
    def transcript(self, trial_id: int) -> list[Event]:
        """All that happened in a trial; a reply stands where it came, with what it said."""
        calls = "SELECT request_key, nth, reply FROM calls WHERE trial_id = ? AND reply IS NOT NULL ORDER BY id"
        replies = {(key, nth): reply for key, nth, reply in self._db.execute(calls, (trial_id,))}
        events = self._all(Event, "events WHERE trial_id = ? ORDER BY seq", trial_id)
        return [_with_reply(event, replies) if event.kind == "reply" else event for event in events]

    @_reading
    def calls(self) -> list[CallRecord]:
        return self._all(CallRecord, "calls ORDER BY id")

    @_reading
    def spent(self) -> float:
        """Dollars paid for the run so far, as far as prices are known; not for what was asked after a trial's end."""
        return self._figure("SELECT coalesce(sum(cost), 0) FROM calls WHERE source = 'live' AND phase != 'after'")

    @_reading
    def exported(self) -> frozenset[str]:
        """The hashes of all exports that were written."""
        return frozenset(hashed for (hashed,) in self._db.execute("SELECT hash FROM exports"))

    @_reading
    def failed_calls(self) -> int:
        return int(self._figure("SELECT count(*) FROM calls WHERE reply IS NULL AND phase != 'after'"))

    def _all(self, record: type[R], rows: str, *values: int | str) -> list[R]:
        columns = Columns(record)
        return [columns.read(row) for row in self._db.execute(f"SELECT {columns.names} FROM {rows}", values)]

    def _figure(self, query: str) -> float:
        return float(self._db.execute(query).fetchone()[0])


def _with_reply(event: Event, replies: Mapping[tuple[str, int], str]) -> Event:
    text = replies.get((event.data["request_key"], event.data["nth"]))
    return Event(kind="reply", data={**event.data, **(json.loads(text) if text else {})})
