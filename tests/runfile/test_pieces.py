"""What is read of a run by itself: a trial, those of a case, those that changed, counts and sums, a few at a time."""

import asyncio
import sqlite3
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import get_args

import pytest

from tests.runfile.writing import call, case, ended, header, planned, write
from trialkit.errors import InputError
from trialkit.models import Reply, Usage
from trialkit.runfile import (
    CallRecord,
    Counts,
    Event,
    Label,
    Phase,
    PlannedTrial,
    Remark,
    RunFile,
    RunWriter,
    create_run,
    reopen_trials,
    write_labels,
)
from trialkit.runfile.schema import MIGRATIONS
from trialkit.vocabulary import PASS, Measure


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two cases with three trials each: of `a` pass, fail, error; of `b` pass, one that is open, one nobody judged."""
    path = planned(tmp_path / "x.trial", trials=3, cases=("a", "b"))
    trials = [
        (1, ended("pass")),
        (2, ended("pass")),
        (3, ended("fail")),
        (5, replace(ended(), output=None, verdicts=(), error="no", error_kind="crash")),
        (6, replace(ended(), verdicts=())),
    ]
    reply = Reply(text="said", cost=0.25, usage=Usage(input_tokens=10, output_tokens=2))
    calls = [call(trial_id, reply, f"r{trial_id}") for trial_id in (1, 2, 3)]
    others = [call(5, None, "r5", error="no"), replace(call(1, reply, "later"), phase="after")]
    asyncio.run(write(path, trials, [*calls, *others]))
    return path


def test_a_trial_alone_is_as_among_the_others(path: Path) -> None:
    write_labels(path, [(3, Label(annotator="ann", outcome="fail", critique="c"))], {3: "random"})
    with RunFile(path) as run:
        assert [run.trial(trial.id) for trial in run.trials()] == run.trials()
        assert run.trial(3).labels[0].annotator == "ann"
        assert run.trial(3).spending[0].cost == 0.25
        with pytest.raises(InputError, match="no trial with the id 7"):
            run.trial(7)


def test_the_trials_of_a_case(path: Path) -> None:
    with RunFile(path) as run:
        assert run.trials(case_id="b") == [trial for trial in run.trials() if trial.case_id == "b"] != []
        assert run.trials(case_id="z") == []


def test_the_calls_of_a_trial(path: Path) -> None:
    with RunFile(path) as run:
        assert run.calls(3) == [one for one in run.calls() if one.trial_id == 3] != []
        assert run.calls(4) == []


def test_counts_sums_and_values_are_those_of_the_trials(path: Path) -> None:
    with RunFile(path) as run:
        assert run.counts() == Counts(total=6, open=1, passed=2, failed=1, scored=0, errors=1, unjudged=1)
        assert run.worths() == {"a": [1.0, 0.0, None], "b": [1.0]}
        assert run.cost() == 0.75
        (part,) = run.spending()
        assert (part.role, part.calls, part.cost, part.input_tokens) == ("agent", 3, 0.75, 30)


def _replies() -> Iterator[Reply | None]:
    usage = Usage(input_tokens=10, output_tokens=2, reasoning_tokens=3)
    yield from (Reply(text='say "stop":"length"', cost=0.25, usage=usage), Reply(cost=None, usage=usage), None)
    yield from (Reply(text="x", cost=0.5, stop="length"), Reply(cost=0.125, cost_told=True, call_as_text=True))


def _calls(trial_id: int) -> Iterator[CallRecord]:
    """Each way in which a call can end, in each phase, asked of two roles."""
    phases = get_args(Phase)
    for number, (reply, phase, role, source) in enumerate(
        product(_replies(), phases, ("agent", "user"), ("live", "cache"))
    ):
        fault = {"error": "no", "error_kind": "timeout" if number % 3 else "refused"} if reply is None else {}
        some = call(trial_id, reply, f"r{number}", attempts=number % 3 + 1, source=source, **fault)
        yield replace(some, phase=phase, role=role, left_out="seed" if number % 7 == 0 else "")


def _sum(values: list[float | None]) -> float | None:
    return None if None in values or not values else sum(value or 0 for value in values)


def _spending_of(calls: list[CallRecord], role: str, source: str) -> tuple[object, ...]:
    """The same figures, from the calls themselves."""
    found = [one for one in calls if one.answered and (one.role, one.source) == (role, source)]
    telling = [one for one in found if one.error_kind != "timeout"]
    tokens = [_sum([one.input_tokens for one in telling]), _sum([one.output_tokens for one in telling])]
    return len(found), *tokens, _sum([one.cost for one in found]), sum(one.latency_s for one in found)


#: So that the migration which adds them up finds calls that are there, as in an older file.
SUMS_AWAY = "DROP TRIGGER call_counted; DROP TABLE spending; DROP VIEW call_shares;"


@pytest.mark.parametrize("older", [False, True])
def test_what_trials_took_is_the_sum_of_their_calls(older: bool, tmp_path: Path) -> None:
    path = planned(tmp_path / "x.trial", trials=2)
    calls = [*_calls(1), *(one for one in _calls(2) if one.error_kind != "timeout" and one.cost is not None)]
    asyncio.run(write(path, [(1, ended()), (2, ended())], calls))
    if older:
        with closing(sqlite3.connect(path)) as db:
            db.executescript(SUMS_AWAY)
            db.executescript(MIGRATIONS[9])
    with RunFile(path) as run:
        for trial in run.trials():
            for spending, late in ((trial.spending, False), (trial.later, True)):
                of_these = [one for one in run.calls(trial.id) if (one.phase == "after") == late]
                assert len(spending) == 4
                for part in spending:
                    tokens = part.input_tokens, part.output_tokens
                    told = part.calls, *tokens, part.cost, part.latency_s
                    assert told == _spending_of(of_these, part.role, part.source)
        before = [one for one in run.calls() if one.phase != "after"]
        assert run.failed_calls() == sum(one.reply is None for one in before)
        assert run.retries() == sum(one.attempts - 1 for one in before if one.source == "live")
        assert run.spent() == sum(one.cost or 0 for one in before if one.source == "live")
        each = {"reasoning_tokens": 54, "cut_off": 12, "told_costs": 12, "calls_as_text": 12}
        assert {role: asdict(notes) for role, notes in run.reply_notes().items()} == {
            role: {"left_out": "seed", **each} for role in ("agent", "user")
        }


def test_the_values_are_those_of_the_headline_measure(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    tone = Measure(name="tone", low=1, high=5)
    trials = [PlannedTrial(case_id="a", number=number) for number in (1, 2, 3, 4)]
    create_run(path, replace(header(), measures=(tone, PASS)), [case()], trials)
    records = [
        ended("pass", score=2.0, scores={"tone": 4.0}),
        ended("scored", score=3.0),
        ended("error", score=1.0),
        ended("fail"),
    ]
    asyncio.run(write(path, list(enumerate(records, start=1))))
    with RunFile(path) as run:
        assert run.info().measures == (tone, PASS)
        value_of = tone.reader((tone, PASS))
        told = [value_of(trial.decided) for trial in run.trials() if trial.decided]
        assert told == [4.0, 3.0, None, None]
        assert [value_of(trial.decided) for trial in run.results() if trial.decided] == told
        assert run.worths() == {"a": [4.0, 3.0, None]}
        assert run.counts().scored == 1


def test_what_answers_cost_that_came_from_elsewhere_is_unknown(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    create_run(path, header(), [case()], [PlannedTrial(case_id="a", number=1, output={}, ended=ended())])
    with RunFile(path) as run:
        assert run.cost() is None


def test_a_stream_gives_all_trials_in_the_memory_of_a_few(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    trials = [
        PlannedTrial(case_id="a", number=number, output={"text": "x" * 20_000}, ended=ended())
        for number in range(1, 301)
    ]
    create_run(path, header(), [case()], trials)
    with RunFile(path) as run:
        assert list(run.stream(at_once=7)) == run.trials()
        tracemalloc.start()
        assert sum(trial.number for trial in run.stream(at_once=10)) == 45_150
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 30 * 20_000 * 2  # all of them are 300


CHANGES: list[tuple[str, Callable[[RunWriter], object]]] = [
    ("begun", lambda writer: writer.begin(4)),
    ("gone on", lambda writer: writer.events(4, [Event(kind="message", data={})])),
    ("called", lambda writer: writer.call(call(4, Reply()))),
    ("ended", lambda writer: writer.trial(4, ended(), 1.0)),
    ("judged again", lambda writer: writer.remark(4, Remark(kind="rejudged", author="j", data={"verdicts": []}))),
]


@pytest.mark.parametrize("change", [change for _, change in CHANGES], ids=[name for name, _ in CHANGES])
async def test_who_watches_sees_each_change_once(path: Path, change: Callable[[RunWriter], object]) -> None:
    writer = RunWriter(path)
    await writer.start()
    with RunFile(path) as run:
        seen = run.change()
        assert run.trials(since=seen) == []
        done = change(writer)
        if asyncio.iscoroutine(done):
            await done
        await writer.remark(1, Remark(kind="x", author="", data={}))  # by then what waited is there
        assert [trial.id for trial in run.trials(since=seen)] == [1, 4]
        assert [trial.id for trial in run.results(since=seen)] == [1, 4]
        assert run.trials(since=run.change()) == []
    await writer.finish("done", "", 1.0)


def test_labels_and_trials_that_are_run_again_are_changes(path: Path) -> None:
    def label(outcome: str) -> None:
        write_labels(path, [(2, Label(annotator="a", outcome=outcome, critique=""))], {})  # type: ignore[arg-type]

    def changed(since: int) -> tuple[list[int], int]:
        with RunFile(path) as run, run.moment():
            return [trial.id for trial in run.results(since=since)], run.change()

    seen = changed(0)[1]
    label("pass")
    found, seen = changed(seen)
    assert found == [2]
    label("fail")
    found, seen = changed(seen)
    assert found == [2]
    reopen_trials(path, [(5, None)])
    found, seen = changed(seen)
    assert found == [5]
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM labels")
    assert changed(seen)[0] == [2]


def test_changes_are_numbered_as_they_are_committed(path: Path) -> None:
    """Whichever trial changed last: its number is greater than all before."""
    with RunFile(path) as run:
        seen = [run.change()]
        for trial_id in (6, 6, 1, 6, 2, 1):
            write_labels(path, [(trial_id, Label(annotator="a", outcome="pass", critique=""))], {})
            seen.append(run.change())
    assert seen == sorted(set(seen))
