"""Reading a run file, also while the run goes on."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, Self, TypeVar

from trialkit.errors import InputError
from trialkit.models import Reply
from trialkit.vocabulary import Case, Finding, Outcome, Verdict

from .open import connect_reader
from .records import CallRecord, Event, Label, ModelInUse, Prompt, Remark, Source, State

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True, slots=True)
class RunInfo:
    suite: str
    subject: str
    created: str
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    state: State
    reason: str
    wall_s: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Spending:
    """What the calls of one role took, per source. `cost` is None where a price is unknown."""

    role: str
    model: str
    source: Source
    calls: int
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    latency_s: float


@dataclass(frozen=True, kw_only=True, slots=True)
class TrialRow:
    id: int
    case_id: str
    number: int
    started: str | None
    ended: str | None
    elapsed_s: float | None
    given: bool  # its answer came with the golden data
    output: Mapping[str, Any] | None
    error_kind: str | None
    error: str | None
    decided: Verdict | None
    verdicts: tuple[Verdict, ...]  # the newest of each judge
    labels: tuple[Label, ...] = ()
    remarks: tuple[Remark, ...] = ()
    spending: tuple[Spending, ...] = ()
    later: tuple[Spending, ...] = ()  # about the trial, when it had ended: no part of what the run cost

    @property
    def outcome(self) -> Outcome | None:
        """None: not ended yet, or nobody judged it."""
        if self.decided is not None:
            return self.decided.outcome
        return "error" if self.error is not None else None

    @property
    def hopeless(self) -> bool:
        """It came without an answer, and none is to be asked for: trying again would change nothing."""
        return self.given and self.output is None

    @property
    def cost(self) -> float | None:
        costs = [part.cost for part in self.spending]
        return None if None in costs else sum(cost for cost in costs if cost is not None)


class Said(NamedTuple):
    """A verdict without its findings. `later`: a judge gave it after the trial's end."""

    judge: str
    outcome: Outcome
    critique: str
    later: bool = False


class Glance(NamedTuple):
    """A trial without its answer and transcript: what comparing takes, and quick to read and to make."""

    id: int
    case_id: str
    number: int
    ended: bool
    error: str | None
    decided: Said | None
    said: tuple[
        Said, ...
    ]  # by every judge, the oldest first; a judge that was asked several times stands there as often
    labels: tuple[Label, ...]
    drawn: str  # how it came to be labelled: random, or the hunt that picked it; empty: nobody noted it
    cost: float | None  # of the answer, without judging; None: unknown
    seconds: float | None  # likewise; None: some of it came from stored replies

    @property
    def outcome(self) -> Outcome | None:
        """None: not ended yet, or nobody judged it."""
        if self.decided is not None:
            return self.decided.outcome
        return "error" if self.error is not None else None


def _reading(
    method: Callable[Concatenate["RunFile", P], T],
) -> Callable[Concatenate["RunFile", P], T]:
    """What is not as it was written, in SQLite's pages or in our JSON, is the file's fault."""

    @wraps(method)
    def read(run: "RunFile", /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            with run.moment():
                return method(run, *args, **kwargs)
        except (sqlite3.DatabaseError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{run.path}: the run file is damaged: {error}") from None

    return read


class RunFile:
    """A run file, open for reading."""

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
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            if self._db.in_transaction:  # a damaged page ends it
                self._db.execute("COMMIT")

    def _rows(self, query: str, values: tuple[Any, ...] = ()) -> Iterator[sqlite3.Row]:
        # Not `yield from`: it would touch the cursor once more when a reader gives up after the file is closed.
        for row in self._db.execute(query, values):  # noqa: UP028
            yield row

    def _one(self, query: str) -> sqlite3.Row:
        row = next(self._rows(query), None)
        if row is None:
            raise InputError(f"{self.path}: the run was killed before it began; there is nothing in it")
        return row

    @_reading
    def info(self) -> RunInfo:
        row = self._one("SELECT * FROM run")
        wall_s = self._one("SELECT coalesce(sum(elapsed_s), 0) FROM sessions")[0]
        return RunInfo(
            suite=row["suite"],
            subject=row["subject"],
            created=row["created"],
            settings=json.loads(row["settings"]),
            versions=json.loads(row["versions"]),
            state=row["state"],
            reason=row["reason"],
            wall_s=wall_s,
        )

    @_reading
    def prompts(self) -> tuple[Prompt, ...]:
        return tuple(Prompt(**row) for row in self._rows("SELECT * FROM prompts ORDER BY role"))

    @_reading
    def models(self) -> tuple[ModelInUse, ...]:
        return tuple(ModelInUse(**row) for row in self._rows("SELECT * FROM models ORDER BY role"))

    @_reading
    def cases(self) -> list[Case]:
        rows = self._rows("SELECT id, title, grp, data FROM cases ORDER BY position")
        return [Case(id=r["id"], title=r["title"], group=r["grp"], data=json.loads(r["data"])) for r in rows]

    @_reading
    def trials(self) -> list[TrialRow]:
        verdicts, spending, labels, remarks = self._verdicts(), self._spending(), self._labels(), self._remarks()
        return [
            replace(
                _trial_row(row, verdicts[row["id"]]),
                labels=tuple(labels[row["id"]]),
                remarks=tuple(remarks[row["id"]]),
                spending=tuple(spending[row["id"], False]),
                later=tuple(spending[row["id"], True]),
            )
            for row in self._rows("SELECT * FROM trials ORDER BY id")
        ]

    @_reading
    def glances(self, *, all_judges: bool = True) -> list[Glance]:
        """All trials, in little time and memory: 80,000 of them in half a second.

        Without `all_judges` only what was decided is read, in half of that.
        """
        said: defaultdict[int, list[Said]] = defaultdict(list)
        decided: dict[int, Said] = {}
        which = "" if all_judges else " WHERE decides"
        verdicts = f"SELECT trial_id, decides, judge, outcome, critique FROM verdicts{which} ORDER BY id"
        for trial_id, decides, judge, outcome, critique in self._tuples(verdicts):
            said[trial_id].append(verdict := Said(judge, outcome, critique))
            if decides:
                decided[trial_id] = verdict
        labels, drawn = self._labels(), dict[int, str]()
        remarks = "SELECT trial_id, kind, data FROM remarks WHERE kind IN ('rejudged', 'drawn') ORDER BY id"
        for trial_id, kind, data in self._tuples(remarks):
            if kind == "drawn":
                # drawn at random once, it is in a random sample, whatever it was picked for besides
                drawn[trial_id] = drawn[trial_id] if drawn.get(trial_id) == "random" else json.loads(data)["how"]
            elif all_judges:
                found = json.loads(data)
                said[trial_id] += [
                    Said(one["judge"], one["outcome"], one["critique"], later=True) for one in found["verdicts"]
                ]
        calls = (
            "SELECT trial_id, CASE WHEN count(cost) = count(*) THEN sum(cost) END,"
            " CASE WHEN sum(source = 'cache') = 0 THEN sum(latency_s) END"
            " FROM calls WHERE reply IS NOT NULL AND phase = 'attempt' GROUP BY trial_id"
        )
        spent = {trial_id: (cost, seconds) for trial_id, cost, seconds in self._tuples(calls)}
        # what an answer cost that was not given here, nobody here knows; one without model calls cost nothing
        trials = (
            "SELECT id, case_id, number, ended IS NOT NULL, error, CASE WHEN given = 0 THEN 0.0 END, elapsed_s"
            " FROM trials ORDER BY id"
        )
        return [
            Glance(
                trial_id,
                case_id,
                number,
                bool(ended),
                error,
                decided.get(trial_id),
                tuple(said.get(trial_id, ())),
                tuple(labels.get(trial_id, ())),
                drawn.get(trial_id, ""),
                *spent.get(trial_id, (nothing, elapsed_s or None)),
            )
            for trial_id, case_id, number, ended, error, nothing, elapsed_s in self._tuples(trials)
        ]

    def _tuples(self, query: str) -> list[tuple[Any, ...]]:
        """As SQLite gives them: three times as quick as rows with names."""
        cursor = self._db.cursor()
        cursor.row_factory = None
        return cursor.execute(query).fetchall()

    @_reading
    def transcript(self, trial_id: int) -> list[Event]:
        """All that happened in a trial; a reply stands where it came, with what it said."""
        calls = "SELECT request_key, nth, reply FROM calls WHERE trial_id = ? AND reply IS NOT NULL ORDER BY id"
        replies = {(r["request_key"], r["nth"]): r["reply"] for r in self._rows(calls, (trial_id,))}
        rows = self._rows("SELECT kind, data FROM events WHERE trial_id = ? ORDER BY seq", (trial_id,))
        events = [Event(kind=row["kind"], data=json.loads(row["data"])) for row in rows]
        return [_with_reply(event, replies) if event.kind == "reply" else event for event in events]

    @_reading
    def calls(self) -> list[CallRecord]:
        return [_call_record(row) for row in self._rows("SELECT * FROM calls ORDER BY id")]

    @_reading
    def spent(self) -> float:
        """Dollars paid for the run so far, as far as prices are known; not for what was asked after a trial's end."""
        query = "SELECT coalesce(sum(cost), 0) FROM calls WHERE source = 'live' AND phase != 'after'"
        return float(self._one(query)[0])

    @_reading
    def exported(self) -> frozenset[str]:
        """The hashes of all exports that were written; none in a file from before they were noted."""
        if not list(self._rows("SELECT 1 FROM sqlite_master WHERE name = 'exports'")):
            return frozenset()
        return frozenset(row["hash"] for row in self._rows("SELECT hash FROM exports"))

    @_reading
    def failed_calls(self) -> int:
        return int(self._one("SELECT count(*) FROM calls WHERE reply IS NULL AND phase != 'after'")[0])

    def _verdicts(self) -> defaultdict[int, list[tuple[bool, Verdict]]]:
        found: defaultdict[int, list[tuple[bool, Verdict]]] = defaultdict(list)
        for row in self._rows("SELECT * FROM verdicts ORDER BY id"):
            findings = tuple(Finding(**finding) for finding in json.loads(row["findings"]))
            verdict = Verdict(
                judge=row["judge"],
                outcome=row["outcome"],
                critique=row["critique"],
                findings=findings,
                score=row["score"],
                details=json.loads(row["details"]) if row["details"] != "{}" else {},
            )
            found[row["trial_id"]].append((bool(row["decides"]), verdict))
        return found

    def _labels(self) -> defaultdict[int, list[Label]]:
        found: defaultdict[int, list[Label]] = defaultdict(list)
        for row in self._rows("SELECT * FROM labels"):
            found[row["trial_id"]].append(
                Label(annotator=row["annotator"], outcome=row["outcome"], critique=row["critique"])
            )
        return found

    def _remarks(self) -> defaultdict[int, list[Remark]]:
        found: defaultdict[int, list[Remark]] = defaultdict(list)
        for row in self._rows("SELECT * FROM remarks ORDER BY id"):
            found[row["trial_id"]].append(Remark(kind=row["kind"], author=row["author"], data=json.loads(row["data"])))
        return found

    def _spending(self) -> defaultdict[tuple[int, bool], list[Spending]]:
        """By trial, and whether it had ended."""
        found: defaultdict[tuple[int, bool], list[Spending]] = defaultdict(list)
        query = (
            "SELECT trial_id, role, model, source, phase = 'after' AS after,"
            " count(*) AS calls, sum(latency_s) AS latency_s,"
            " CASE WHEN count(cost) = count(*) THEN sum(cost) END AS cost,"
            " CASE WHEN count(input_tokens) = count(*) THEN sum(input_tokens) END AS input_tokens,"
            " CASE WHEN count(output_tokens) = count(*) THEN sum(output_tokens) END AS output_tokens"
            " FROM calls WHERE reply IS NOT NULL GROUP BY trial_id, role, model, source, phase = 'after'"
        )
        for row in self._rows(query):
            values = dict(row)
            found[values.pop("trial_id"), bool(values.pop("after"))].append(Spending(**values))
        return found


def _trial_row(row: sqlite3.Row, verdicts: list[tuple[bool, Verdict]]) -> TrialRow:
    newest = {verdict.judge: verdict for _, verdict in verdicts}
    return TrialRow(
        id=row["id"],
        case_id=row["case_id"],
        number=row["number"],
        started=row["started"],
        ended=row["ended"],
        elapsed_s=row["elapsed_s"],
        given=bool(row["given"]),
        output=json.loads(row["output"]) if row["output"] else None,
        error_kind=row["error_kind"],
        error=row["error"],
        decided=next((verdict for decides, verdict in reversed(verdicts) if decides), None),
        verdicts=tuple(newest.values()),
    )


def _call_record(row: sqlite3.Row) -> CallRecord:
    return CallRecord(
        trial_id=row["trial_id"],
        phase=row["phase"],
        role=row["role"],
        model=row["model"],
        request_key=row["request_key"],
        nth=row["nth"],
        source=row["source"],
        reply=Reply.from_data(json.loads(row["reply"])) if row["reply"] else None,
        error_kind=row["error_kind"],
        error=row["error"],
        attempts=row["attempts"],
        latency_s=row["latency_s"],
        void=bool(row["void"]),
    )


def _with_reply(event: Event, replies: Mapping[tuple[str, int], str]) -> Event:
    text = replies.get((event.data["request_key"], event.data["nth"]))
    return Event(kind="reply", data={**event.data, **(json.loads(text) if text else {})})
