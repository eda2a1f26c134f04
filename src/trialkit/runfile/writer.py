"""Writing a run file while the run goes on. What is paid for is committed when it arrives."""

import json
import sqlite3
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from trialkit.errors import TrialkitError
from trialkit.text.plain import plain
from trialkit.vocabulary import Case, Verdict

from .open import close_to_one_file, connect_writer, create, upgrade, writing
from .records import CallRecord, Header, Label, Phase, PlannedTrial, Remark, State, TrialRecord
from .thread import DatabaseThread


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
    create(path)
    with writing(path) as db:
        db.execute("BEGIN")
        _insert_header(db, header)
        db.executemany(
            "INSERT INTO cases VALUES (?, ?, ?, ?, ?)",
            [(case.id, place, case.title, case.group, _json(case.data)) for place, case in enumerate(cases)],
        )
        for trial_id, trial in enumerate(trials, start=1):
            _insert_trial(db, trial_id, trial)
        db.execute("COMMIT")
        close_to_one_file(db)


def _insert_header(db: sqlite3.Connection, header: Header) -> None:
    db.execute(
        "INSERT INTO run (id, suite, subject, created, settings, versions, state) VALUES (1, ?, ?, ?, ?, ?, 'running')",
        (header.suite, header.subject, now(), _json(header.settings), _json(header.versions)),
    )
    db.executemany(
        "INSERT INTO prompts VALUES (?, ?, ?, ?)", [(p.role, p.version, p.hash, p.text) for p in header.prompts]
    )
    db.executemany(
        "INSERT INTO models VALUES (?, ?, ?, ?)", [(m.role, m.name, m.endpoint, m.key) for m in header.models]
    )


def _insert_trial(db: sqlite3.Connection, trial_id: int, trial: PlannedTrial) -> None:
    output = None if trial.output is None else _json(trial.output)
    db.execute(
        "INSERT INTO trials (id, case_id, number, given, output) VALUES (?, ?, ?, ?, ?)",
        (trial_id, trial.case_id, trial.number, output is not None or trial.ended is not None, output),
    )
    if trial.ended is not None:
        _write_trial(db, trial_id, trial.ended)
    if trial.label is not None:
        _write_label(db, trial_id, trial.label)


def reopen_trials(path: Path, trials: Sequence[tuple[int, Phase | None]]) -> None:
    """These trials are to be run again, and the calls of that phase made anew. Their old verdicts stay on file."""
    with writing(path) as db:
        db.execute("BEGIN IMMEDIATE")
        for trial_id, phase in trials:
            db.execute("UPDATE trials SET ended = NULL, error = NULL, error_kind = NULL WHERE id = ?", (trial_id,))
            db.execute("UPDATE verdicts SET decides = 0 WHERE trial_id = ?", (trial_id,))
            db.execute("UPDATE calls SET void = 1 WHERE trial_id = ? AND phase = ?", (trial_id, phase))
        db.execute("COMMIT")


def note_exports(path: Path, hashes: Collection[str]) -> None:
    """To be noted before they are written, so that no kill can come between."""
    upgrade(path)
    rows = [(one, now()) for one in hashes]
    with writing(path) as db:
        db.executemany("INSERT OR IGNORE INTO exports VALUES (?, ?)", rows)
        close_to_one_file(db)


class RunWriter:
    """Writes to a run file; open it inside the event loop, and at the end `finish` the session, or `close` it."""

    def __init__(self, path: Path) -> None:
        upgrade(path)
        self.path = path
        self._thread = DatabaseThread(lambda: connect_writer(path), str(path))
        self._session: int | None = None

    async def start(self) -> None:
        def work(db: sqlite3.Connection) -> int | None:
            db.execute("UPDATE run SET state = 'running', reason = ''")
            return db.execute("INSERT INTO sessions (started) VALUES (?)", (now(),)).lastrowid

        self._session = await self._thread.do(work)

    async def call(self, record: CallRecord) -> None:
        """Commit a model call. The trial goes on only then: at most one call of each trial can be lost to a kill."""
        await self._thread.do(lambda db: _insert_call(db, record))

    async def trial(self, trial_id: int, record: TrialRecord, session_s: float) -> None:
        """Commit a trial that ended, in place of what an earlier attempt at it left."""
        await self._thread.do(lambda db: self._end_trial(db, trial_id, record, session_s))

    async def forget(self, trial_ids: Collection[int], roles: Collection[str]) -> None:
        """What was asked of these roles about these trials after their end led to nothing."""
        pairs = [(trial_id, role) for trial_id in trial_ids for role in roles]
        update = "UPDATE calls SET void = 1 WHERE trial_id = ? AND phase = 'after' AND role = ?"
        await self._thread.do(lambda db: db.executemany(update, pairs))

    async def remark(self, trial_id: int, remark: Remark) -> None:
        """Commit something that was found out about a trial after its end."""
        row = (trial_id, remark.kind, remark.author, _json(remark.data), now())
        insert = "INSERT INTO remarks (trial_id, kind, author, data, at) VALUES (?, ?, ?, ?, ?)"
        await self._thread.do(lambda db: db.execute(insert, row))

    async def finish(self, state: State, reason: str, session_s: float) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.execute("UPDATE run SET state = ?, reason = ?", (state, reason))
            self._tick(db, session_s)

        await self._thread.do(work)
        await self.close()

    async def close(self) -> None:
        """Alone where no session was started: the run's state and its time stay as they were."""
        await self._thread.aclose()
        with writing(self.path) as db:
            close_to_one_file(db)

    def _tick(self, db: sqlite3.Connection, session_s: float) -> None:
        db.execute("UPDATE sessions SET elapsed_s = ? WHERE id = ?", (session_s, self._session))

    def _end_trial(self, db: sqlite3.Connection, trial_id: int, record: TrialRecord, session_s: float) -> None:
        _write_trial(db, trial_id, record)
        self._tick(db, session_s)


def _write_trial(db: sqlite3.Connection, trial_id: int, record: TrialRecord) -> None:
    at = now()
    db.execute(
        "UPDATE trials SET started = ?, ended = ?, elapsed_s = ?, output = ?, error_kind = ?, error = ? WHERE id = ?",
        (
            record.started,
            at,
            record.elapsed_s,
            None if record.output is None else _json(record.output),
            record.error_kind,
            record.error,
            trial_id,
        ),
    )
    db.execute("DELETE FROM events WHERE trial_id = ?", (trial_id,))
    db.executemany(
        "INSERT INTO events VALUES (?, ?, ?, ?)",
        [(trial_id, seq, event.kind, _json(event.data)) for seq, event in enumerate(record.events)],
    )
    db.execute("UPDATE verdicts SET decides = 0 WHERE trial_id = ?", (trial_id,))
    for place, verdict in enumerate(record.verdicts):
        _insert_verdict(db, trial_id, verdict, decides=place == 0, at=at)


def _insert_verdict(db: sqlite3.Connection, trial_id: int, verdict: Verdict, *, decides: bool, at: str) -> None:
    db.execute(
        "INSERT INTO verdicts (trial_id, judge, decides, outcome, critique, findings, score, details, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            trial_id,
            verdict.judge,
            decides,
            verdict.outcome,
            verdict.critique,
            _json([plain(finding) for finding in verdict.findings]),
            verdict.score,
            _json(verdict.details),
            at,
        ),
    )


def _write_label(db: sqlite3.Connection, trial_id: int, label: Label) -> None:
    row = (trial_id, label.annotator, label.outcome, label.critique, now())
    db.execute("INSERT OR REPLACE INTO labels VALUES (?, ?, ?, ?, ?)", row)


def _insert_call(db: sqlite3.Connection, record: CallRecord) -> None:
    reply, usage = record.reply, record.reply.usage if record.reply else None
    db.execute(
        "INSERT INTO calls (trial_id, phase, role, model, request_key, nth, source, reply, error_kind, error, attempts,"
        " input_tokens, output_tokens, cost, latency_s, void, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            record.trial_id,
            record.phase,
            record.role,
            record.model,
            record.request_key,
            record.nth,
            record.source,
            _json(reply.to_data()) if reply else None,
            record.error_kind,
            record.error,
            record.attempts,
            usage.input_tokens if usage else None,
            usage.output_tokens if usage else None,
            reply.cost if reply else None,
            record.latency_s,
            record.void,
            now(),
        ),
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
