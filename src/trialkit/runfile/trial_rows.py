"""Reads trials from a run file's tables: whole, or what came of them."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from trialkit.vocabulary import Verdict

from .columns import Columns, read_object
from .records import Label, Remark
from .results import RecordedTrial, ShortVerdict, Spending, TrialResult
from .schema import ANSWERED

_TRIALS = Columns(RecordedTrial, elsewhere=("decided", "verdicts", "labels", "remarks", "spending", "later"))
_VERDICTS, _LABELS, _REMARKS = Columns(Verdict), Columns(Label), Columns(Remark)
_SPENDING = (
    "SELECT role, model, source, count(*),"
    " CASE WHEN count(input_tokens) = count(*) THEN sum(input_tokens) END,"
    " CASE WHEN count(output_tokens) = count(*) THEN sum(output_tokens) END,"
    " CASE WHEN count(cost) = count(*) THEN sum(cost) END,"
    " sum(latency_s), trial_id, phase = 'after'"
    f" FROM calls WHERE {ANSWERED} AND {{where}} GROUP BY trial_id, role, model, source, phase = 'after'"
)


class Which(NamedTuple):
    """Which trials, as a condition on their id."""

    condition: str = "IS NOT NULL"
    values: tuple[int | str, ...] = ()

    @property
    def where(self) -> str:
        return f"trial_id {self.condition}"

    @property
    def where_id(self) -> str:
        return f"id {self.condition}"


def read_trials(db: sqlite3.Connection, which: Which) -> list[RecordedTrial]:
    verdicts, decided = _verdicts(db, which)
    labels, remarks, spending = read_labels(db, which), _remarks(db, which), _spending(db, which)
    return [
        _TRIALS.read(
            row,
            decided=decided.get(row[0]),
            verdicts=tuple(verdicts[row[0]].values()),
            labels=tuple(labels[row[0]]),
            remarks=tuple(remarks[row[0]]),
            spending=tuple(spending[row[0], 0]),
            later=tuple(spending[row[0], 1]),
        )
        for row in db.execute(f"SELECT {_TRIALS.names} FROM trials WHERE {which.where_id} ORDER BY id", which.values)
    ]


def _verdicts(
    db: sqlite3.Connection, which: Which
) -> tuple[defaultdict[int, dict[str, Verdict]], Mapping[int, Verdict]]:
    """By trial the newest of each judge, and the one that decides."""
    found: defaultdict[int, dict[str, Verdict]] = defaultdict(dict)
    decided: dict[int, Verdict] = {}
    query = f"SELECT trial_id, decides, {_VERDICTS.names} FROM verdicts WHERE {which.where} ORDER BY id"
    for trial_id, decides, *row in db.execute(query, which.values):
        verdict = _VERDICTS.read(row)
        found[trial_id][verdict.judge] = verdict
        if decides:
            decided[trial_id] = verdict
    return found, decided


def read_labels(db: sqlite3.Connection, which: Which) -> defaultdict[int, list[Label]]:
    found: defaultdict[int, list[Label]] = defaultdict(list)
    for trial_id, *row in db.execute(f"SELECT trial_id, {_LABELS.names} FROM labels WHERE {which.where}", which.values):
        found[trial_id].append(_LABELS.read(row))
    return found


def _remarks(db: sqlite3.Connection, which: Which) -> defaultdict[int, list[Remark]]:
    found: defaultdict[int, list[Remark]] = defaultdict(list)
    query = f"SELECT trial_id, {_REMARKS.names} FROM remarks WHERE {which.where} ORDER BY id"
    for trial_id, *row in db.execute(query, which.values):
        found[trial_id].append(_REMARKS.read(row))
    return found


def _spending(db: sqlite3.Connection, which: Which) -> defaultdict[tuple[int, int], list[Spending]]:
    """By trial, and whether it had ended."""
    found: defaultdict[tuple[int, int], list[Spending]] = defaultdict(list)
    rows = db.execute(_SPENDING.format(where=which.where), which.values)
    for role, model, source, calls, input_tokens, output_tokens, cost, latency_s, trial_id, later in rows:
        found[trial_id, later].append(
            Spending(
                role=role,
                model=model,
                source=source,
                calls=calls,
                input_tokens=input_tokens,
                output_tokens=output_tokens,
                cost=cost,
                latency_s=latency_s,
            )
        )
    return found


def read_results(db: sqlite3.Connection, which: Which, *, all_judges: bool) -> list[TrialResult]:
    said, decided = _short_verdicts(db, which, all_judges=all_judges)
    labels, drawn = read_labels(db, which), _drawn(db, which)
    calls = (
        "SELECT trial_id, CASE WHEN count(cost) = count(*) THEN sum(cost) END,"
        " CASE WHEN sum(source = 'cache') = 0 THEN sum(latency_s) END"
        f" FROM calls WHERE {ANSWERED} AND phase = 'attempt' AND {which.where} GROUP BY trial_id"
    )
    spent = {trial_id: (cost, seconds) for trial_id, cost, seconds in db.execute(calls, which.values)}
    # what an answer cost that was not given here, nobody here knows; one without model calls cost nothing
    trials = (
        "SELECT id, case_id, number, ended IS NOT NULL, error, CASE WHEN given = 0 THEN 0.0 END, elapsed_s"
        f" FROM trials WHERE {which.where_id} ORDER BY id"
    )
    return [
        TrialResult(
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
        for trial_id, case_id, number, ended, error, nothing, elapsed_s in db.execute(trials, which.values)
    ]


def _short_verdicts(
    db: sqlite3.Connection, which: Which, *, all_judges: bool
) -> tuple[Mapping[int, list[ShortVerdict]], Mapping[int, ShortVerdict]]:
    said: defaultdict[int, list[ShortVerdict]] = defaultdict(list)
    decided: dict[int, ShortVerdict] = {}
    query = (
        "SELECT trial_id, decides, judge, outcome, critique, score, scores FROM verdicts"
        f" WHERE {which.where}{'' if all_judges else ' AND decides'} ORDER BY id"
    )
    for trial_id, decides, judge, outcome, critique, score, scores in db.execute(query, which.values):
        said[trial_id].append(verdict := ShortVerdict(judge, outcome, critique, score, read_object(scores)))
        if decides:
            decided[trial_id] = verdict
    if all_judges:
        rejudged = f"SELECT trial_id, data FROM remarks WHERE kind = 'rejudged' AND {which.where} ORDER BY id"
        for trial_id, data in db.execute(rejudged, which.values):
            said[trial_id] += [_later(one) for one in json.loads(data)["verdicts"]]
    return said, decided


def _later(data: Mapping[str, Any]) -> ShortVerdict:
    scores = data.get("scores") or {}
    return ShortVerdict(data["judge"], data["outcome"], data["critique"], data["score"], scores, later=True)


def _drawn(db: sqlite3.Connection, which: Which) -> Mapping[int, str]:
    """Drawn at random once, a trial is in a random sample, whatever it was picked for besides."""
    drawn: dict[int, str] = {}
    query = f"SELECT trial_id, data FROM remarks WHERE kind = 'drawn' AND {which.where} ORDER BY id"
    for trial_id, data in db.execute(query, which.values):
        if drawn.get(trial_id) != "random":
            drawn[trial_id] = json.loads(data)["how"]
    return drawn
