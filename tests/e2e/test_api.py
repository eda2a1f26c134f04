"""The Python API, as a notebook uses it."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import trialkit
from tests.e2e.program import Program
from tests.e2e.test_commodity import model
from tests.run_files import case, ended, verdict, write_run
from tests.server import Server
from trialkit import Case, Message, Request, RunSettings, ScriptedModel, Suite, Trial, Verdict, compare, open_run


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
        _ = trialkit.frobnicate  # type: ignore[attr-defined]


def test_later_verdicts_are_among_them(trialkit: Program, server: Server) -> None:
    assert trialkit("run", "commodity", *model(server), "--ids", "S01").status == 0
    path = trialkit.last_run()
    assert trialkit("rejudge", str(path), "--judge", "rules").status == 0
    found = {one.judge: one for _, one in open_run(path).verdicts}
    assert set(found) == {"llm:openai/judge@v1", "rules"}
    assert found["rules"].findings
    assert compare(path, path, judge="rules").before.judges == ("rules",)


class Capitals(Suite):
    name = "capitals-of-a-notebook"

    def cases(self, settings: RunSettings) -> list[Case]:
        return [Case(id="au", title="Australia", group="countries", data={"answer": "Canberra"})]

    async def attempt(self, trial: Trial) -> dict[str, str]:
        reply = await trial.ask("model", Request(messages=(Message(role="user", text=trial.case.title),)))
        return {"text": reply.text}

    async def judge(self, trial: Trial, output: Mapping[str, Any]) -> Verdict:
        passed = trial.case.data["answer"] in output["text"]
        return Verdict(outcome="pass" if passed else "fail", critique=output["text"])


def test_a_suite_that_is_not_installed_is_run(tmp_path: Path) -> None:
    with ScriptedModel(lambda _: "It is Canberra.") as model:
        run = trialkit.run(Capitals(), model=model.name, trials=2, output_dir=tmp_path)
    assert run.info.state == "done"
    assert [(trial.case_id, trial.outcome) for trial in run.trials] == [("au", "pass"), ("au", "pass")]
    assert json.loads(run.path.with_suffix(".json").read_text())["run"]["suite"] == "capitals-of-a-notebook"


async def test_in_an_event_loop_a_run_is_awaited(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"await trialkit\.arun"):
        trialkit.run("commodity", model="baseline", output_dir=tmp_path)
    run = await trialkit.arun("commodity", model="baseline", output_dir=tmp_path, ids=("S01",))
    assert [trial.outcome for trial in run.trials] == ["pass"]
    assert run.path.with_suffix(".csv").exists()


def test_what_is_to_be_known_before_a_run_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    trialkit.run("commodity", model="baseline", output_dir=tmp_path, clear_cache=True)
    assert "stored replies" in caplog.text


def test_settings_are_checked(tmp_path: Path) -> None:
    with pytest.raises(trialkit.InputError, match="commodity: setting trials = 0"):
        trialkit.run("commodity", trials=0, output_dir=tmp_path)
    with pytest.raises(trialkit.InputError) as told:
        trialkit.run("commodity", analyzer_header=("mine",), output_dir=tmp_path)
    assert "analyzer_header" in str(told.value)
    assert "mine" not in str(told.value)
    assert list(tmp_path.iterdir()) == []
