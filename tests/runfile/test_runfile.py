"""A run file gives back what was put in, also while it is being written, and after the writer died."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.runfile.writing import call, case, header, write
from trialkit.errors import InputError, TrialkitError
from trialkit.models import Reply, ToolCall, Usage
from trialkit.runfile import (
    Event,
    Label,
    PlannedTrial,
    Remark,
    RunFile,
    RunWriter,
    TrialRecord,
    create_run,
    is_going_on,
    run_lock,
)
from trialkit.vocabulary import Case, Finding, Measure, Verdict

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(words, json_values, max_size=4)
verdicts = st.builds(
    Verdict,
    judge=words,
    outcome=st.sampled_from(["pass", "fail", "error"]),
    critique=words,
    findings=st.lists(st.builds(Finding, check=words, met=st.none() | st.booleans(), evidence=words)).map(tuple),
    score=st.none() | st.floats(0, 1),
    details=objects,
)
events = st.builds(Event, kind=words.filter(lambda kind: kind != "reply"), data=objects)
records = st.builds(
    TrialRecord,
    output=st.none() | objects,
    verdicts=st.lists(verdicts, max_size=3, unique_by=lambda verdict: verdict.judge).map(tuple),
    events=st.lists(events, max_size=3).map(tuple),
    error_kind=st.none() | words,
    error=st.none() | words,
    started=words,
    elapsed_s=st.floats(0, 100),
)
labels = st.builds(Label, annotator=words, outcome=st.sampled_from(["pass", "fail"]), critique=words)
replies = st.builds(
    Reply,
    text=words,
    tool_calls=st.lists(st.builds(ToolCall, id=words, name=words, arguments=words), max_size=2).map(tuple),
    usage=st.none() | st.builds(Usage, input_tokens=st.integers(0, 10**6), output_tokens=st.integers(0, 10**6)),
    cost=st.none() | st.floats(0, 10),
    model=words,
)


@given(
    record=records,
    reply=replies,
    kept=records,
    label=st.builds(Label, annotator=words, outcome=st.just("fail"), critique=words),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_goes_in_comes_out(
    tmp_path_factory: pytest.TempPathFactory, record: TrialRecord, reply: Reply, kept: TrialRecord, label: Label
) -> None:
    path = tmp_path_factory.mktemp("run") / "x.trial"
    planned = [PlannedTrial(case_id="a", number=1), PlannedTrial(case_id="a", number=2, label=label, ended=kept)]
    create_run(path, header(trials=2), [case()], planned)
    asyncio.run(write(path, [(1, record)], [call(1, reply)]))
    with RunFile(path) as run:
        first, second = run.trials()
        assert run.calls() == [call(1, reply)]
        assert run.info().settings == {"trials": 2}
        assert run.info().wall_s == 2.0
        assert (run.cases(), run.prompts(), run.models()) == ([case()], header().prompts, header().models)
        assert run.transcript(1) == list(record.events)
    for row, wanted in ((first, record), (second, kept)):
        assert (row.output, row.error, row.error_kind) == (wanted.output, wanted.error, wanted.error_kind)
        assert row.verdicts == wanted.verdicts
        assert row.outcome == wanted.outcome
        assert row.ended is not None
    assert second.labels == (label,)
    assert (first.given, second.given) == (False, True)
    assert first.cost == reply.cost


def test_half_a_character_as_models_escape_it_ends_no_run(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    create_run(path, header(), [replace(case(), title="\ud83c")], [PlannedTrial(case_id="a", number=1)])
    verdict = Verdict(judge="j", outcome="error", critique="corn \ud83c")
    record = TrialRecord(output=None, verdicts=(verdict,), error="no \udf3d", started="", elapsed_s=1.0)
    asyncio.run(write(path, [(1, record)]))
    with RunFile(path) as run:
        (trial,), (found,) = run.trials(), run.cases()
    assert trial.decided is not None
    assert (found.title, trial.decided.critique, trial.error) == ("\ufffd", "corn \ufffd", "no \ufffd")


async def test_it_is_readable_while_it_is_written_and_one_file_when_closed(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    create_run(path, header(), [case()], [PlannedTrial(case_id="a", number=1)])
    writer = RunWriter(path)
    await writer.start()
    await writer.call(call(1, Reply(text="paid", cost=0.25)))
    with RunFile(path) as run:
        assert run.spent() == 0.25
        assert run.trials()[0].ended is None
        assert run.info().state == "running"
    await writer.finish("stopped", "interrupted", 1.0)
    assert os.listdir(tmp_path) == ["x.trial"]  # noqa: PTH208 - in a test that is async only for the writer's sake


def test_what_is_read_while_it_is_written_is_of_one_moment(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    create_run(path, header(), [case()], [PlannedTrial(case_id="a", number=number) for number in range(1, 401)])
    verdict = Verdict(judge="j", outcome="pass", critique="")
    record = TrialRecord(output={}, verdicts=(verdict,), started="", elapsed_s=1.0)
    ended = [(number, record) for number in range(1, 401)]
    writing = threading.Thread(target=lambda: asyncio.run(write(path, ended)))
    writing.start()
    with RunFile(path) as run:
        while writing.is_alive():
            assert all(row.decided for row in run.trials() if row.ended)
            assert all(one.decided for one in run.results() if one.ended)
    writing.join()


async def test_someone_who_reads_at_the_end_is_no_trouble(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    create_run(path, header(), [case()], [PlannedTrial(case_id="a", number=1)])
    writer = RunWriter(path)
    await writer.start()
    with closing(sqlite3.connect(path)) as reader:
        rows = reader.execute("SELECT * FROM cases")
        assert rows.fetchone() is not None
        await writer.finish("done", "", 1.0)
    with RunFile(path) as run:
        assert run.info().state == "done"


def test_trying_a_trial_again_keeps_its_old_verdict_but_the_new_one_decides(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    create_run(path, header(), [case()], [PlannedTrial(case_id="a", number=1)])

    def record(outcome: Any, event: str) -> TrialRecord:
        verdict = Verdict(judge="j", outcome=outcome, critique="")
        return TrialRecord(
            output={}, verdicts=(verdict,), events=(Event(kind=event, data={}),), started="", elapsed_s=1.0
        )

    asyncio.run(write(path, [(1, record("error", "first"))]))
    asyncio.run(write(path, [(1, record("pass", "second"))]))
    with RunFile(path) as run:
        assert run.trials()[0].outcome == "pass"
        assert [event.kind for event in run.transcript(1)] == ["second"]
        assert run.info().wall_s == 4.0
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT outcome FROM verdicts ORDER BY id").fetchall() == [("error",), ("pass",)]


def test_an_unknown_price_makes_the_cost_unknown_not_zero(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    create_run(path, header(), [case()], [PlannedTrial(case_id="a", number=1)])
    calls = [call(1, Reply(cost=0.5), "r1"), call(1, Reply(cost=None), "r2"), call(1, None, "r3", error="x")]
    asyncio.run(write(path, [], calls))
    with RunFile(path) as run:
        (row,) = run.trials()
        assert row.cost is None
        assert [part.calls for part in row.spending] == [2]
        assert run.spent() == 0.5
        assert run.failed_calls() == 1


async def test_remarks_are_added_after_the_end(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    create_run(path, header(), [case()], [PlannedTrial(case_id="a", number=1)])
    writer = RunWriter(path)
    await writer.start()
    remark = Remark(kind="fault", author="m@v1", data={"fault": "agent"})
    await writer.remark(1, remark)
    await writer.finish("done", "", 0.0)
    with RunFile(path) as run:
        assert run.trials()[0].remarks == (remark,)


async def test_a_fault_of_the_disk_reaches_whoever_writes(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    create_run(path, header(), [case()], [PlannedTrial(case_id="a", number=1)])
    writer = RunWriter(path)
    await writer.start()
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE calls")
    with pytest.raises(TrialkitError, match=r"x\.trial"):
        await writer.call(call(1, Reply()))
    with pytest.raises(TrialkitError, match="no such table"):
        await writer.finish("done", "", 0.0)


async def test_a_number_that_it_cannot_hold_reaches_whoever_writes(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    create_run(path, header(), [case()], [PlannedTrial(case_id="a", number=1)])
    writer = RunWriter(path)
    await writer.start()
    async with asyncio.timeout(20):
        with pytest.raises(TrialkitError, match="too large"):
            await writer.call(call(1, Reply(usage=Usage(input_tokens=2**63, output_tokens=0))))
        with pytest.raises(TrialkitError, match="too large"):
            await writer.finish("done", "", 0.0)


def test_a_journal_that_a_killed_process_left_is_rolled_back(tmp_path: Path) -> None:
    """A run that is closed, or opened again, changes its kind of journal; it can be killed in the midst of that."""
    path = tmp_path / "x.trial"
    create_run(path, header(), [case()], [PlannedTrial(case_id="a", number=1)])
    dying = (
        "import os, sqlite3, sys\n"
        "db = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "db.executescript('PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN IMMEDIATE;')\n"
        "db.execute('UPDATE cases SET title = hex(zeroblob(100000))')\n"
        "os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", dying, str(path)], check=False).returncode == 9
    assert path.with_name("x.trial-journal").exists()
    with RunFile(path) as run:
        assert run.cases() == [case()]


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    with run_lock(path), pytest.raises(InputError, match="another process"), run_lock(path):
        pass
    with run_lock(path):
        pass


def test_who_looks_whether_a_run_goes_on_keeps_nobody_from_it(tmp_path: Path) -> None:
    path, done = tmp_path / "x.trial", threading.Event()

    def look() -> None:
        while not done.is_set():
            is_going_on(path)

    onlookers = [threading.Thread(target=look) for _ in range(2)]
    for one in onlookers:
        one.start()
    try:
        for _ in range(300):
            with run_lock(path):
                pass
    finally:
        done.set()
        for one in onlookers:
            one.join()
    assert not is_going_on(path)
    with run_lock(path):
        assert is_going_on(path)


def test_a_file_that_cannot_be_created_is_told(tmp_path: Path) -> None:
    """A full disk looks like this too, and no traceback helps there."""
    with pytest.raises(TrialkitError, match="cannot write"):
        create_run(tmp_path, header(), [case()], [])


def test_a_run_that_could_not_be_created_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.trial"
    path.touch()  # its name was taken for it
    with pytest.raises(TypeError):
        create_run(path, header(), [Case(id="a", title="t", group="g", data={"no": {1, 2}})], [])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE cases SET data = 'x' || data",
        "UPDATE run SET settings = '['",
        "UPDATE verdicts SET findings = '[{}]'",
        "UPDATE trials SET output = '[1]'",
        "UPDATE run SET judges = '[7]'",
        "UPDATE run SET measures = '[]'",
        "UPDATE run SET subject = x'00ff'",
        "UPDATE run SET state = 'asleep'",
        "UPDATE verdicts SET outcome = 'x'",
        "DELETE FROM cases",
        "DROP TABLE verdicts",
        "UPDATE cases SET data = replace(hex(zeroblob(100000)), '00', '[')",
    ],
)
def test_damage_inside_of_a_sound_database_is_told(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "x.trial"
    verdict = Verdict(judge="j", outcome="pass", critique="")
    ended = TrialRecord(output={}, verdicts=(verdict,), started="", elapsed_s=0.0)
    create_run(path, header(), [case()], [PlannedTrial(case_id="a", number=1, ended=ended)])
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(damage)
    with pytest.raises(InputError, match=r"x\.trial: the run file is damaged"), RunFile(path) as run:
        run.info(), run.cases(), run.trials()


@pytest.mark.parametrize(
    "damage",
    [
        "score = 'high'",
        "score = 1e308",
        "score = x'00'",
        """scores = '{"s": "high"}'""",
        """scores = '{"s": 1e999}'""",
    ],
)
@pytest.mark.parametrize("read", [RunFile.worths, RunFile.trials, RunFile.results])
def test_a_score_that_is_no_number_is_damage(tmp_path: Path, damage: str, read: Callable[[RunFile], object]) -> None:
    """SQLite keeps any value in any column."""
    path = tmp_path / "x.trial"
    ended = TrialRecord(output={}, verdicts=(Verdict(outcome="scored", critique="", score=3),), started="", elapsed_s=0)
    measured = replace(header(), measures=(Measure(name="s"),))
    create_run(path, measured, [case()], [PlannedTrial(case_id="a", number=1, ended=ended)])
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"UPDATE verdicts SET {damage}")
    with pytest.raises(InputError, match=r"x\.trial: the run file is damaged"), RunFile(path) as run:
        read(run)
