"""The Python API, as a notebook uses it."""

import subprocess
import sys
from pathlib import Path

import pytest

import trialkit
from tests.e2e.program import Program
from tests.e2e.test_commodity import model
from tests.reports.runs import case, ended, verdict, write_run
from tests.server import Server
from trialkit import compare, open_run


def test_a_run_is_read_whole(trialkit_: Path) -> None:
    run = trialkit.open_run(trialkit_)
    assert [one.id for one in run.cases] == ["S1", "S2"]
    assert [trial.outcome for trial in run.trials] == ["pass", "fail", "error"]
    assert [(trial.case_id, one.judge) for trial, one in run.verdicts] == [
        ("S1", "rules"),
        ("S1", "rules"),
        ("S2", "rules"),
    ]
    assert run.transcript("S1", 2)[0].kind == "message"
    with pytest.raises(KeyError):
        run.transcript("S9")
    assert "2 cases, 3 trials" in repr(run)


def test_pandas_gets_a_row_for_each_trial(trialkit_: Path) -> None:
    pytest.importorskip("pandas")
    frame = trialkit.open_run(str(trialkit_)).to_pandas()
    assert list(frame["outcome"]) == ["pass", "fail", "error"]
    assert frame.groupby("case")["trial"].count()["S1"] == 2


def test_runs_are_compared(trialkit_: Path, tmp_path: Path) -> None:
    other = write_run(tmp_path / "b.trial", [(case("S1"), [ended(verdict("pass"))] * 2), (case("S2"), [])])
    found = trialkit.compare(trialkit_, trialkit.open_run(other))
    assert found.rate.difference.value == 0.5
    assert "B passes 50 points more often than A" in found.summary
    assert "paired case" in repr(found)


@pytest.fixture
def trialkit_(tmp_path: Path) -> Path:
    trials = [(case("S1"), [ended(verdict("pass")), ended(verdict("fail"))]), (case("S2"), [ended(verdict("error"))])]
    return write_run(tmp_path / "a.trial", trials)


def test_a_transcript_has_the_replies(trialkit: Program, server: Server) -> None:
    assert trialkit("run", "commodity", *model(server), "--ids", "S01").status == 0
    code = (
        "import sys, trialkit\n"
        "run = trialkit.open_run(sys.argv[1])\n"
        "print([event.kind for event in run.transcript('S01')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(trialkit.last_run())],
        capture_output=True,
        text=True,
        check=True,
        env=trialkit.env,
    )
    assert done.stdout.strip() == "['message', 'reply', 'message', 'reply']"


def test_importing_trialkit_is_cheap(trialkit: Program) -> None:
    code = "import sys, trialkit\nprint([n for n in ('numpy', 'pydantic', 'rich', 'sqlite3') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=trialkit.env)
    assert done.stdout.strip() == "[]"


def test_there_is_nothing_else() -> None:
    with pytest.raises(AttributeError, match="frobnicate"):
        _ = trialkit.frobnicate


def test_later_verdicts_are_among_them(trialkit: Program, server: Server) -> None:
    assert trialkit("run", "commodity", *model(server), "--ids", "S01").status == 0
    path = trialkit.last_run()
    assert trialkit("rejudge", str(path), "--judge", "rules").status == 0
    found = {one.judge: one for _, one in open_run(path).verdicts}
    assert set(found) == {"llm:openai/judge@v1", "rules"}
    assert found["rules"].findings
    assert compare(path, path, judge="rules").before.judges == ("rules",)
