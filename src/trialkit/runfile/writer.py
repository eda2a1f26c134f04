"""Writing a run file while the run goes on. What is paid for is committed when it arrives."""

import asyncio
import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from trialkit.errors import TrialkitError
from trialkit.text.json import dump
from trialkit.text.plain import plain
from trialkit.vocabulary import Case

from .columns import insert, with_texts_away
from .open import close_to_one_file, connect_writer, drafting, upgrade, writing
from .records import CallRecord, Event, Header, Label, Mark, Phase, PlannedTrial, Remark, State, TrialRecord
from .rescue import rescue
from .tables import CALLS, CASES, ENDED, EVENTS, HEADER, LABELS, MARKS, MODELS, PROMPTS, REMARKS, VERDICTS
from .thread import DatabaseThread

#: How long an event may wait for a commit that takes it along.
_FLUSH_S = 0.4

_LAST_EVENT = "SELECT coalesce(max(seq), -1) FROM events WHERE trial_id = ?"
#: But for what a trial begins with that goes on from another: nothing else of its calls comes from elsewhere.
_VOID = (
    "UPDATE calls SET void = 1 WHERE trial_id = ? AND phase = ?"
    " AND NOT (source = 'cache' AND (SELECT origin FROM trials WHERE id = trial_id) IS NOT NULL)"
)
_GONE_ON = "UPDATE changes SET number = (SELECT max(number) + 1 FROM changes) WHERE trial_id = ?"


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def create_run(path: Path, header: Header, cases: Sequence[Case], trials: Sequence[PlannedTrial]) -> None:
    """A new run file with all its cases and trials, or none at all. An empty one there only keeps the name free."""
    draft = path.with_name(f"{path.name}.new")
    try:
        _create(draft, header, cases, trials)
        draft.replace(path)
    except BaseException as error:
        for part in ("", "-wal", "-shm"):
            draft.with_name(f"{draft.name}{part}").unlink(missing_ok=True)
        if path.is_file() and not path.stat().st_size:
            path.unlink()
        if isinstance(error, OSError):
            raise TrialkitError(f"cannot write {path}: {error.strerror}") from None
        raise


def _create(path: Path, header: Header, cases: Sequence[Case], trials: Sequence[PlannedTrial]) -> None:
    with drafting(path) as db:
        db.execute("BEGIN")
        insert(db, "run", [HEADER.of(header, id=1, created=now(), state="running")])
        insert(db, "prompts", map(PROMPTS.of, header.prompts))
        insert(db, "models", map(MODELS.of, header.models))
        insert(db, "cases", [CASES.of(case, position=place) for place, case in enumerate(cases)])
        for trial_id, trial in enumerate(trials, start=1):
            _insert_trial(db, trial_id, trial)
        db.execute("COMMIT")


def _insert_trial(db: sqlite3.Connection, trial_id: int, trial: PlannedTrial) -> None:
    output = None if trial.output is None else dump(trial.output)
    given = output is not None or trial.ended is not None
    planned = {"id": trial_id, "case_id": trial.case_id, "number": trial.number, "given": given, "output": output}
    origin = None if trial.origin is None else dump(plain(trial.origin))
    insert(db, "trials", [{**planned, "origin": origin}])
    insert(db, "calls", [CALLS.of(replace(call, trial_id=trial_id), at=now()) for call in trial.calls])
    if trial.ended is not None:
        _write_trials(db, [(trial_id, trial.ended)])
    if trial.label is not None:
        put_label(db, trial_id, trial.label)


def put_label(db: sqlite3.Connection, trial_id: int, label: Label) -> None:
    """In the place of an older one by the same annotator; of those that settle a trial there is one."""
    db.execute("DELETE FROM labels WHERE trial_id = ? AND settles AND ?", (trial_id, label.settles))
    insert(db, "labels", [LABELS.of(label, trial_id=trial_id, at=now())], how="INSERT OR REPLACE")


def put_mark(db: sqlite3.Connection, trial_id: int, mark: Mark) -> None:
    insert(db, "marks", [MARKS.of(mark, trial_id=trial_id, at=now())], how="INSERT OR REPLACE")


def put_remark(db: sqlite3.Connection, trial_id: int, remark: Remark) -> None:
    insert(db, "remarks", [REMARKS.of(remark, trial_id=trial_id, at=now())])


def reopen_trials(path: Path, trials: Sequence[tuple[int, Phase | None]]) -> None:
    """These trials are to be run again, and the calls of that phase made anew. Their old verdicts stay on file."""
    with writing(path) as db:
        db.execute("BEGIN IMMEDIATE")
        for trial_id, phase in trials:
            db.execute("UPDATE trials SET ended = NULL, error = NULL, error_kind = NULL WHERE id = ?", (trial_id,))
            db.execute("UPDATE verdicts SET decides = 0 WHERE trial_id = ?", (trial_id,))
            db.execute(_VOID, (trial_id, phase))
        db.execute("COMMIT")


def note_exports(path: Path, hashes: Collection[str]) -> None:
    """To be noted before they are written, so that no kill can come between."""
    with writing(path) as db:
        insert(db, "exports", [{"hash": one, "at": now()} for one in hashes], how="INSERT OR IGNORE")
        close_to_one_file(db)


class RunWriter:
    """Writes to a run file; open it inside the event loop, and at the end `finish` the session, or `close` it."""

    def __init__(self, path: Path) -> None:
        upgrade(path)
        self.path = path  # at the end perhaps another one: see `in_place`
        self._file = path.stat()
        self._thread = DatabaseThread(lambda: connect_writer(path), str(path), self._keep)
        self._session: int | None = None
        self._rows = _Pending()  # for the next commit
        self._committed: asyncio.Future[object] | None = None  # that commit, where somebody waits for it
        self._timer: asyncio.TimerHandle | None = None

    async def start(self) -> None:
        def work(db: sqlite3.Connection) -> int | None:
            db.execute("UPDATE run SET state = 'running', reason = ''")
            return db.execute("INSERT INTO sessions (started) VALUES (?)", (now(),)).lastrowid

        self._session = await self._thread.do(work)

    def begin(self, trial_id: int, *, anew: bool = True) -> None:
        """Before the first event of a trial. `anew`: what an earlier attempt left in the transcript goes."""
        self._rows.begun.append((trial_id, now(), anew))
        self._soon()

    def events(self, trial_id: int, events: Iterable[Event]) -> None:
        """What happened in a trial under way. It is committed with the next call of any trial, or half a second later
        at most; the trial does not wait for it.
        """
        self._rows.events += [EVENTS.of(event, trial_id=trial_id) for event in events]
        self._soon()

    async def call(self, record: CallRecord) -> None:
        """Commit a model call. The trial goes on only then: at most one call of each trial can be lost to a kill."""
        self._rows.calls.append(record)
        await self._commit()

    async def trial(self, trial_id: int, record: TrialRecord, session_s: float) -> None:
        """Commit a trial that ended. What its record has of events comes behind those that were told before."""
        self._rows.ended.append((trial_id, record))
        self._rows.session = session_s, self._session
        await self._commit()

    async def forget(self, trial_ids: Collection[int], roles: Collection[str]) -> None:
        """What was asked of these roles about these trials after their end led to nothing."""
        pairs = [(trial_id, role) for trial_id in trial_ids for role in roles]
        update = "UPDATE calls SET void = 1 WHERE trial_id = ? AND phase = 'after' AND role = ?"
        await self._do(lambda db: db.executemany(update, pairs))

    async def remark(self, trial_id: int, remark: Remark) -> None:
        """Commit something that was found out about a trial after its end."""
        await self._do(lambda db: put_remark(db, trial_id, remark))

    async def finish(self, state: State, reason: str, session_s: float) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.execute("UPDATE run SET state = ?, reason = ?", (state, reason))
            _tick(db, session_s, self._session)

        try:
            await self._do(work)
        finally:
            await self.close()

    async def close(self) -> None:
        """Alone where no session was started: the run's state and its time stay as they were."""
        await self._thread.aclose()

    def in_place(self) -> bool:
        """Whether the file is where it was. If not, it can be written all the same, and in the end `path` is a copy."""
        try:
            return os.path.samestat(self.path.stat(), self._file)
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:  # a network disk that is away: nobody knows
            return True

    def _keep(self, db: sqlite3.Connection) -> None:
        if self.in_place():
            close_to_one_file(db)
        else:
            self.path = rescue(db, self.path)

    def _soon(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(_FLUSH_S, self._hand_over)

    async def _commit(self) -> None:
        """All that came in one turn of the event loop is handed over together: a busy one has ten calls in a turn."""
        if self._committed is None:
            loop = asyncio.get_running_loop()
            self._committed = loop.create_future()
            loop.call_soon(self._hand_over)
        await asyncio.shield(self._committed)  # others wait for it as well

    def _hand_over(self) -> None:
        rows, self._rows = self._rows, _Pending()
        committed, self._committed = self._committed, None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        try:
            if committed is not None:
                self._thread.hand(rows.write, committed)
            elif rows.begun or rows.events:
                self._thread.put(rows.write)
        except TrialkitError as error:  # without a call that waits it shows at the next one
            if committed is not None:
                committed.set_exception(error)

    async def _do(self, work: Callable[[sqlite3.Connection], object]) -> None:
        self._hand_over()
        await self._thread.do(work)


class _Pending:
    """What goes into one transaction, table by table."""

    def __init__(self) -> None:
        self.begun: list[tuple[int, str, bool]] = []  # trial, when, anew
        self.events: list[dict[str, object]] = []
        self.calls: list[CallRecord] = []
        self.ended: list[tuple[int, TrialRecord]] = []
        self.session: tuple[float, int | None] | None = None  # how long, which

    def write(self, db: sqlite3.Connection) -> None:
        db.executemany("UPDATE trials SET started = ? WHERE id = ?", [(at, trial) for trial, at, _ in self.begun])
        db.executemany("DELETE FROM events WHERE trial_id = ?", [(trial,) for trial, _, anew in self.begun if anew])
        _add_events(db, self.events)
        insert(db, "calls", [CALLS.of(call, at=now()) for call in self.calls])
        _write_trials(db, self.ended)
        if self.session:
            _tick(db, *self.session)


def _tick(db: sqlite3.Connection, session_s: float, session: int | None) -> None:
    db.execute("UPDATE sessions SET elapsed_s = ? WHERE id = ?", (session_s, session))


def _add_events(db: sqlite3.Connection, events: Sequence[dict[str, object]]) -> None:
    """Behind those that their trials have."""
    last: dict[object, int] = {}
    for event in events:
        trial_id = event["trial_id"]
        if trial_id not in last:
            (last[trial_id],) = db.execute(_LAST_EVENT, (trial_id,)).fetchone()
        last[trial_id] += 1
        event["seq"] = last[trial_id]
    insert(db, "events", events)
    db.executemany(_GONE_ON, [(trial_id,) for trial_id in last])


def _write_trials(db: sqlite3.Connection, ended: Sequence[tuple[int, TrialRecord]]) -> None:
    if not ended:
        return
    at = now()
    rows = [{**with_texts_away(db, "trials", ENDED.of(record, ended=at)), "id": trial} for trial, record in ended]
    names = [name for name in rows[0] if name != "id"]
    db.executemany(f"UPDATE trials SET {', '.join(f'{name} = :{name}' for name in names)} WHERE id = :id", rows)
    _add_events(db, [EVENTS.of(event, trial_id=trial) for trial, record in ended for event in record.events])
    db.executemany("UPDATE verdicts SET decides = 0 WHERE trial_id = ?", [(trial,) for trial, _ in ended])
    verdicts = [
        VERDICTS.of(verdict, trial_id=trial, decides=place == 0, at=at)
        for trial, record in ended
        for place, verdict in enumerate(record.verdicts)
    ]
    insert(db, "verdicts", verdicts)
