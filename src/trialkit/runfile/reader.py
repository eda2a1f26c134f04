"""Reading a run file, also while the run goes on."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from hashlib import sha256
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, cast

from trialkit.errors import InputError
from trialkit.vocabulary import Case

from .columns import Columns, amount
from .exports import read_exports
from .open import connect_reader, sound
from .records import CallRecord, Event, ModelInUse, Prompt
from .remainder import SESSIONS, Remainder, read_left
from .reply_notes import ReplyNotes, read_reply_notes
from .results import Counts, RecordedTrial, RunInfo, Spending, TrialResult
from .search import trials_that_say
from .tables import CALLS, CASES, EVENTS, INFO, MODELS, PROMPTS
from .texts import whole_rows
from .trial_rows import Which, read_results, read_rows, read_spending, read_trials

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


def _reading(method: Callable[Concatenate["RunFile", P], T]) -> Callable[Concatenate["RunFile", P], T]:
    @wraps(method)
    def read(run: "RunFile", /, *args: P.args, **kwargs: P.kwargs) -> T:
        with sound(run.path), run.moment():
            return method(run, *args, **kwargs)

    return read


class RunFile:
    """A run file, open for reading. Whatever version wrote it, it is read as this one would have written it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._db = connect_reader(path)
        self._made: dict[Callable[[RunFile], object], object] = {}

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
                self._db.execute("ROLLBACK")  # nothing was written; to commit may fail where to read did

    def once(self, make: Callable[["RunFile"], T]) -> T:
        """What is made of the run, made once while it is open: `once(RunFile.trials)` reads them one time for all."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("T", self._made[make])

    @_reading
    def info(self) -> RunInfo:
        row = self._db.execute(f"SELECT {INFO.names} FROM run").fetchone()
        if row is None:
            raise InputError(f"{self.path}: the run was killed before it began; there is nothing in it")
        wall_s = self._figure("SELECT coalesce(sum(elapsed_s), 0) FROM sessions")
        return INFO.read(row, wall_s=wall_s)

    @_reading
    def sessions(self) -> int:
        """In how many trials ended."""
        return int(self._figure(SESSIONS))

    @_reading
    def prompts(self) -> tuple[Prompt, ...]:
        return tuple(self._all(PROMPTS, "prompts ORDER BY role"))

    @_reading
    def models(self) -> tuple[ModelInUse, ...]:
        return tuple(self._all(MODELS, "models ORDER BY role"))

    @_reading
    def cases(self) -> list[Case]:
        return self._all(CASES, "cases ORDER BY position")

    @_reading
    def trial(self, trial_id: int) -> RecordedTrial:
        found = read_trials(self._db, Which("= ?", (trial_id,)))
        if not found:
            raise InputError(f"{self.path}: there is no trial with the id {trial_id}")
        return found[0]

    @_reading
    def trials(self, *, case_id: str | None = None, since: int = 0, answers: bool = True) -> list[RecordedTrial]:
        """All, or those of a case. `since`: those that changed after this `change`. Without `answers`: in less room."""
        return read_trials(self._db, _which(case_id, since), answers=answers)

    def stream(self, at_once: int = 200) -> Iterator[RecordedTrial]:
        """All trials, in the memory of a few: so many are read `at_once`, each such part as of its own moment."""
        last = 0
        while part := self._part(last, at_once):
            yield from part
            last = part[-1].id

    @_reading
    def results(self, *, all_judges: bool = True, since: int = 0) -> list[TrialResult]:
        """All trials, in little time and memory: 80,000 of them in half a second.

        Without `all_judges` only what was decided is read, in half of that.
        """
        return read_results(self._db, _which(None, since), all_judges=all_judges)

    @_reading
    def change(self) -> int:
        """The number of the last change to any trial: begun, gone on, ended, judged again, labelled.

        Who watches a run reads, in one `moment`, the trials `since` the last number and the new number.
        """
        return int(self._figure("SELECT coalesce(max(number), 0) FROM changes"))

    @_reading
    def counts(self) -> Counts:
        query = "SELECT ended IS NOT NULL, outcome, count(*) FROM trial_results GROUP BY 1, 2"
        counted = Counter({(bool(ended), outcome): count for ended, outcome, count in self._db.execute(query)})
        return Counts(
            total=counted.total(),
            open=sum(count for (ended, _), count in counted.items() if not ended),
            passed=counted[True, "pass"],
            failed=counted[True, "fail"],
            scored=counted[True, "scored"],
            errors=counted[True, "error"],
            unjudged=counted[True, None],
        )

    @_reading
    def worths(self) -> dict[str, list[float | None]]:
        """By case, what the headline measure says of each trial that has a verdict; None: it ended in error."""
        found: defaultdict[str, list[float | None]] = defaultdict(list)
        told = "WHERE headline IS NOT NULL OR outcome = 'error' ORDER BY trial_id"
        for case_id, value in self._db.execute(f"SELECT case_id, headline FROM trial_results {told}"):
            found[case_id].append(None if value is None else amount(value))
        return dict(found)

    @_reading
    def under_way(self) -> list[tuple[str, int]]:
        """By case and number the trials that the last session has begun and not ended, the newest first."""
        begun = "started >= (SELECT max(started) FROM sessions) AND ended IS NULL ORDER BY started DESC"
        return [*self._db.execute(f"SELECT case_id, CAST(number AS INTEGER) FROM trials WHERE {begun}")]

    @_reading
    def mark_kinds(self) -> tuple[str, ...]:
        """The words by which people have marked trials."""
        return tuple(kind for (kind,) in self._db.execute("SELECT DISTINCT kind FROM marks ORDER BY 1"))

    @_reading
    def spending(self) -> tuple[Spending, ...]:
        """Of all trials up to their ends, by role, model and source."""
        return read_spending(self._db)

    @_reading
    def transcript(self, trial_id: int) -> list[Event]:
        """All that happened in a trial; a reply stands where it came, with what it said."""
        replies: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        calls = "SELECT request_key, nth, reply FROM calls WHERE trial_id = ? AND reply IS NOT NULL ORDER BY id"
        for key, nth, reply in whole_rows(self._db, self._db.execute(calls, (trial_id,))):
            replies[key, nth].append(reply)
        events = self._all(EVENTS, "events WHERE trial_id = ? ORDER BY seq DESC", trial_id)
        found = [_with_reply(event, replies) if event.kind == "reply" else event for event in events]
        return found[::-1]

    @_reading
    def that_say(self, words: str) -> frozenset[int]:
        """The ids of the trials in whose transcripts the words stand."""
        return trials_that_say(self._db, words)

    @_reading
    def events_by_trial(self, kind: str) -> Mapping[int, list[Event]]:
        """All of a kind."""
        found: defaultdict[int, list[Event]] = defaultdict(list)
        query = f"SELECT trial_id, {EVENTS.names} FROM events WHERE kind = ? ORDER BY trial_id, seq"
        for trial_id, *row in whole_rows(self._db, self._db.execute(query, (kind,))):
            found[trial_id].append(EVENTS.read(row))
        return found

    def events(self, kind: str) -> list[Event]:
        """Likewise, whichever trial they happened in."""
        return [event for found in self.events_by_trial(kind).values() for event in found]

    @_reading
    def calls(self, trial_id: int | None = None) -> list[CallRecord]:
        """All, or those of a trial."""
        which = Which() if trial_id is None else Which("= ?", (trial_id,))
        return self._all(CALLS, f"calls WHERE {which.where()} ORDER BY id", *which.values)

    @_reading
    def parties(self) -> tuple[str, ...]:
        """The roles of the models that took part in trials, judges left aside."""
        found = "SELECT DISTINCT role FROM spending WHERE phase = 'attempt' ORDER BY role"
        return tuple(role for (role,) in self._db.execute(found))

    @_reading
    def faults(self) -> list[CallRecord]:
        """The last call of each trial up to its end, where it failed."""
        last = "SELECT max(id) FROM calls WHERE phase != 'after' GROUP BY trial_id"
        return self._all(CALLS, f"calls WHERE id IN ({last}) AND reply IS NULL ORDER BY id")

    @_reading
    def spent(self) -> float:
        """Dollars paid for the run so far, as far as prices are known; not for what was asked after a trial's end."""
        return self._figure("SELECT coalesce(sum(cost), 0) FROM spending WHERE source = 'live' AND phase != 'after'")

    @_reading
    def cost(self) -> float | None:
        """Of all trials up to their ends, stored replies too; None where that is unknown."""
        elsewhere = self._figure("SELECT count(*) > 0 AND min(given) FROM trials WHERE ended IS NOT NULL")
        costs = [part.cost for part in read_spending(self._db)]
        if elsewhere and not costs:  # what answers cost that were not given here, nobody here knows
            return None
        return None if None in costs else sum((cost for cost in costs if cost is not None), 0.0)

    @_reading
    def exported(self, *, of_now: bool = False) -> frozenset[str]:
        """The hashes of all exports that were written; `of_now`: of those that hold all that is in it."""
        return read_exports(self._db, of_now=of_now)

    @_reading
    def left(self) -> Remainder:
        """For a session that goes on."""
        return read_left(self._db)

    @_reading
    def failed_calls(self) -> int:
        return int(self._figure("SELECT coalesce(sum(failed), 0) FROM spending WHERE phase != 'after'"))

    @_reading
    def retries(self) -> int:
        """Requests that were sent again, whatever came of them."""
        again = "SELECT coalesce(sum(retries), 0) FROM spending WHERE source = 'live' AND phase != 'after'"
        return int(self._figure(again))

    @_reading
    def stored(self) -> int:
        """Trials whose every answer of the attempt was a stored reply, of an earlier run: they are no new evidence."""
        by_trial = "SELECT min(source) AS source FROM spending WHERE phase = 'attempt' AND replies"
        # of the two sources `cache` is the first and `live` the last
        whole = f"{by_trial} GROUP BY trial_id HAVING max(source) = 'cache'"
        return int(self._figure(f"SELECT count(*) FROM ({whole})"))

    @_reading
    def replies(self) -> Mapping[tuple[str, int], str]:
        """By case and number of the trial, a hash of what was asked in its attempt and what was replied."""
        asked = "SELECT case_id, number, request_key, nth, reply FROM calls JOIN trials ON trials.id = trial_id"
        found: defaultdict[tuple[str, int], Any] = defaultdict(sha256)
        order = "phase = 'attempt' AND reply IS NOT NULL ORDER BY trial_id, request_key, nth"
        for case_id, number, *said in self._db.execute(f"{asked} WHERE {order}"):
            found[case_id, number].update(repr(said).encode())
        return {trial: hashed.hexdigest() for trial, hashed in found.items()}

    @_reading
    def reply_notes(self) -> Mapping[str, ReplyNotes]:
        """By role, what is particular to its replies; a role without any of it is left out."""
        return read_reply_notes(self._db)

    @_reading
    def _part(self, last: int, at_once: int) -> list[RecordedTrial]:
        ids = "IN (SELECT id FROM trials WHERE id > ? ORDER BY id LIMIT ?)"
        return read_trials(self._db, Which(ids, (last, at_once)))

    def _all(self, columns: Columns[R], rows: str, *values: int | str) -> list[R]:
        return read_rows(self._db, columns, rows, *values)

    def _figure(self, query: str) -> float:
        return float(self._db.execute(query).fetchone()[0])


def _which(case_id: str | None, since: int) -> Which:
    if case_id is not None:
        return Which("IN (SELECT id FROM trials WHERE case_id = ?)", (case_id,))
    return Which("IN (SELECT trial_id FROM changes WHERE number > ?)", (since,)) if since else Which()


def _with_reply(event: Event, replies: Mapping[tuple[str, int], list[str]]) -> Event:
    """Of several replies to the same, from the last event on back: one for each, as far as there are so many."""
    said = replies.get((event.data["request_key"], event.data["nth"]), [])
    text = said.pop() if len(said) > 1 else "".join(said)
    return Event(kind="reply", data={**event.data, **(json.loads(text) if text else {})})
