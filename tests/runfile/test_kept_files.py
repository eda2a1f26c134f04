"""Run files that earlier versions wrote, as they left them: they open, and say what they said then.

`files/*.sql` are dumps of files that version 0.1 wrote (v1: before it noted exports; v3: brought up to date
by 0.2; v4 to v10: by 0.3), one trial of them still open.
"""

import json
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from shutil import copyfile

import pytest

from tests.e2e.court import Court
from tests.e2e.program import Program
from tests.server import Server
from tests.shared import shared_path
from trialkit.errors import InputError
from trialkit.runfile import Label, RunFile, note_exports, write_labels
from trialkit.runfile.schema import MIGRATIONS
from trialkit.vocabulary import PASS, JudgeInUse, Measure

FILES = Path(__file__).parent / "files"
kept = pytest.mark.parametrize("name", ["v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10"])


def written(name: str, folder: Path, endpoint: str = "") -> Path:
    """The file as it was; `endpoint`: where its models are now."""
    path = folder / f"{name}.trial"
    text = (FILES / f"{name}.sql").read_text(encoding="utf-8")
    with closing(sqlite3.connect(path)) as db:
        db.executescript(re.sub(r"http://127\.0\.0\.1:\d+/v1", endpoint, text) if endpoint else text)
    return path


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


@kept
def test_a_kept_file_is_read_as_a_new_one_and_stays_as_it_is(name: str, tmp_path: Path) -> None:
    path = written(name, tmp_path)
    before = path.read_bytes()
    with RunFile(path) as run:
        info, cases, trials = run.info(), run.cases(), run.trials()
        assert info.measures == (PASS,)
        assert info.judges == (
            JudgeInUse(
                name="llm:openai/judge@v1",
                kind="model",
                model="openai/judge",
                prompt="v1",
                prompt_hash=next(prompt.hash for prompt in run.prompts() if prompt.role == "judge"),
            ),
        )
        assert [(case.id, case.identity, case.skipped, case.tags) for case in cases] == [
            ("S01", "", "", ()),
            ("S02", "", "", ()),
        ]
        assert [trial.outcome for trial in trials] == ["pass", "fail", "pass", None]
        assert {label for trial in trials for label in trial.labels} == {
            Label(annotator="ann", outcome="pass", critique="Für mich gut."),
            Label(annotator="ann", outcome="fail", critique="Für mich gut."),
        }
        later = [one.outcome for trial in run.results() for one in trial.verdicts if one.later]
        assert later == ["pass", "pass", "fail"]
        assert [event.kind for event in run.transcript(1)] == ["message", "reply"] * 2
        assert run.transcript(1)[1].data["text"] == "The long position is at risk if the price falls."
        assert len(run.calls()) == 7
        assert len(run.exported()) == (name != "v1")
    assert path.read_bytes() == before


def test_why_a_task_was_skipped_leaves_the_case_s_data(tmp_path: Path) -> None:
    with RunFile(written("v2-tau", tmp_path)) as run:
        *_, skipped = run.cases()
        assert skipped.skipped == "the agent cannot “transfer”"
        assert "skipped" not in skipped.data
        assert skipped.data["instruction"] == "Ask for 2."
        assert run.info().measures == (PASS, Measure(name="reward", low=0.0, high=1.0))
        assert [judge.kind for judge in run.info().judges] == ["environment"]


def test_data_of_other_suites_stays_as_it_is(tmp_path: Path) -> None:
    path = written("v2-tau", tmp_path)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE run SET suite = 'mine'")
    with RunFile(path) as run:
        *_, case = run.cases()
        assert (case.skipped, case.data["skipped"]) == ("", "the agent cannot “transfer”")


def test_several_may_bring_a_file_up_to_date_at_once(tmp_path: Path) -> None:
    path = written("v1", tmp_path)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda name: note_exports(path, [name]), "abcdefgh"))
    with RunFile(path) as run:
        assert run.exported() == set("abcdefgh")


@kept
def test_a_kept_file_is_reported_compared_and_replayed(name: str, tmp_path: Path) -> None:
    trialkit, path = Program(tmp_path), written(name, tmp_path)
    report = trialkit("report", str(path), "--format", "json")
    metrics = json.loads(report.out)["metrics"]
    assert metrics["pass_rate"]["value"] == 0.75  # a case counts once
    assert metrics["cost_usd"]["value"] == pytest.approx(0.093)
    same = trialkit("compare", str(path), str(path), "--format", "json")
    assert same.status == 0, same.text
    replayed = trialkit("replay", str(path))
    assert replayed.status == 0, replayed.text


@kept
def test_a_kept_file_is_resumed_and_is_a_new_one_then(name: str, tmp_path: Path) -> None:
    court = Court()
    with Server(court) as server:
        path = written(name, tmp_path, server.openai_base)
        done = Program(tmp_path)("resume", str(path))
    assert done.status == 0, done.text
    assert (court.analyses, court.judgements) == (1, 1)
    assert version(path) == len(MIGRATIONS)
    with RunFile(path) as run:
        assert [trial.outcome for trial in run.trials()] == ["pass", "fail", "pass", "pass"]
        assert run.info().judges[0].model == "openai/judge"


@kept
def test_whoever_writes_a_kept_file_brings_it_up_to_date(name: str, tmp_path: Path) -> None:
    path = written(name, tmp_path)
    write_labels(path, [(2, Label(annotator="b", outcome="fail", critique=""))], {})
    assert version(path) == len(MIGRATIONS)
    other = written(name, tmp_path / "..")
    note_exports(other, ["x"])
    with RunFile(path) as labelled, RunFile(other) as exported:
        assert labelled.trials()[1].labels == (Label(annotator="b", outcome="fail", critique=""),)
        assert "x" in exported.exported()


@pytest.mark.parametrize("newest", [False, True])
def test_a_file_with_other_bytes_in_it_is_read_or_told(newest: bool, tmp_path: Path) -> None:
    path = written("v2", tmp_path)
    if newest:
        note_exports(path, ["x"])
    whole, told = path.read_bytes(), list[str]()
    for seed in range(150):
        chance = Random(seed)
        content = bytearray(whole)
        for _ in range(chance.choice([1, 5])):
            content[chance.randrange(100, len(content))] = chance.randrange(256)
        path.write_bytes(content[: chance.randrange(len(content))] if seed % 10 == 0 else content)
        try:
            with RunFile(path) as run:
                run.info(), run.prompts(), run.models(), run.cases(), run.calls(), run.results()
                run.counts(), run.worths(), run.cost(), run.change(), run.exported()
                assert [run.transcript(trial.id) for trial in run.trials()]
        except InputError as error:
            told.append(str(error))
    assert 20 < len(told) < 140
    assert max(map(len, told)) < 400


def test_a_kept_file_that_is_damaged_is_told(tmp_path: Path) -> None:
    path = written("v2", tmp_path)
    with closing(sqlite3.connect(path)) as db:
        db.executescript("PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'verdicts';")
    with pytest.raises(InputError, match=r"v2\.trial: the run file is damaged"):
        RunFile(path)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("commodity-baseline", [10, 10, 0, 0]),
        ("tau2-retail-oracle", [10, 10, 0, 0]),
        ("tau-bench-retail-imported", [115, 33, 47, 35]),
    ],
)
def test_the_runs_of_version_0_1_say_what_they_said(
    name: str, counts: list[int], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    path = tmp_path / f"{name}.trial"
    copyfile(shared_path("runs-0.1", path.name), path)
    trialkit = Program(tmp_path)
    trialkit.env["TAU_BENCH_HOME"] = str(shared_path("tau-bench"))
    if name.startswith("tau2"):
        trialkit.env["TAU2_DATA_DIR"] = str(request.getfixturevalue("tau2_home"))
    trials = json.loads(trialkit("report", str(path), "--format", "json").out)["metrics"]["trials"]
    assert [trials[word]["value"] for word in ("total", "passed", "failed", "errors")] == counts
    replayed = trialkit("replay", str(path))
    assert replayed.status == 0, replayed.text
    assert trialkit("compare", str(path), str(path)).status == 0
