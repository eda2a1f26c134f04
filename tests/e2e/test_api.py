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
from trialkit import (
    Case,
    Measure,
    Message,
    Request,
    RunSettings,
    ScriptedModel,
    Suite,
    Trial,
    Verdict,
    compare,
    open_run,
)


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
    assert run.pass_rate == run.headline
    assert (run.pass_rate.value, run.pass_rate.n) == (0.5, 2)
    assert run.pass_rate.low is not None
    assert "2 cases, 3 trials, pass rate 50.0% [" in repr(run)
    assert [trial.number for trial in run.trials_of("S1")] == [1, 2]


def test_what_is_not_in_a_run_is_told_in_a_sentence(trialkit_: Path) -> None:
    run = trialkit.open_run(trialkit_)
    with pytest.raises(trialkit.InputError, match=r"a\.trial: there is no case 'S11'; did you mean 'S1'\?"):
        run.transcript("S11")
    with pytest.raises(trialkit.InputError, match=r"there is no case 'other'; its cases are S1, S2$"):
        run.trials_of("other")
    with pytest.raises(trialkit.InputError, match="case S1 has no trial 3; its trials are 1, 2"):
        run.transcript("S1", 3)


def test_a_case_is_checked(trialkit_: Path) -> None:
    """An error is no fail; it is none either where enough others passed."""
    run = trialkit.open_run(trialkit_)
    run.check("S1", at_least=1)
    with pytest.raises(AssertionError, match=r"^S1: 1 of 2 trials passed, 2 must\ntrial 2: As it is\.$"):
        run.check("S1")
    with pytest.raises(trialkit.TrialkitError, match=r"^undecided: S2: 0 of 1 trial passed, 1 must\ntrial 1: "):
        run.check("S2")
    run.check("S2", at_least=0)


def test_of_scores_there_is_no_pass_rate(tmp_path: Path) -> None:
    quality = Measure(name="quality", low=1, high=5)
    trials = [(case("S1"), [ended(verdict("scored", score=4))])]
    run = trialkit.open_run(write_run(tmp_path / "a.trial", trials, measures=(quality,)))
    assert run.headline.value == 4
    assert "average quality 4" in repr(run)
    for ask in (lambda: run.pass_rate, lambda: run.check("S1")):
        with pytest.raises(trialkit.InputError, match=r"quality \(1 to 5\), so none passes"):
            ask()


def test_a_notebook_shows_runs_and_comparisons(tmp_path: Path) -> None:
    trials = [(case("S1"), [ended(verdict("pass")), ended(verdict("fail", "<script>alert(1)</script>"))])]
    path = write_run(tmp_path / "a.trial", trials)
    shown = trialkit.open_run(path)._repr_html_()
    assert "<h3>unknown-suite: subject" in shown
    assert '<svg class="chart"' in shown
    assert shown.count('class="pass"') == shown.count('class="fail"') == 1
    assert "&lt;script&gt;" in shown
    assert "<script" not in shown
    assert "<button" not in shown
    assert "paired case" in trialkit.compare(path, path)._repr_html_()


def test_one_test_for_each_case(tmp_path: Path) -> None:
    """As docs/python.md shows it, with a case that fails, one that passes, and one without a verdict."""
    (tmp_path / "tally.py").write_text(
        "from trialkit import Case, Suite, Verdict\n"
        "class Numbers(Suite):\n"
        "    name = 'numbers'\n"
        "    def cases(self, settings):\n"
        "        return [Case(id=one, title=one, group='', data={}) for one in ('good', 'bad', 'odd')]\n"
        "    def roles(self, settings, prompts):\n"
        "        return {}\n"
        "    async def attempt(self, trial):\n"
        "        return {'said': trial.case.id}\n"
        "    async def judge(self, trial, output):\n"
        "        outcome = {'good': 'pass', 'bad': 'fail', 'odd': 'error'}[output['said']]\n"
        "        return Verdict(outcome=outcome, critique='it is ' + output['said'])\n"
    )
    (tmp_path / "test_tally.py").write_text(
        "import pytest, trialkit\n"
        "@pytest.fixture(scope='session')\n"
        "def run():\n"
        "    return trialkit.run('tally.py', trials=2)\n"
        "def test_gate(run):\n"
        "    assert run.pass_rate.value >= 0.5\n"
        "@pytest.mark.parametrize('case', trialkit.case_ids('tally.py'))\n"
        "def test_case(run, case):\n"
        "    run.check(case)\n"
    )
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA"]
    env = {**Program(tmp_path).env, "PYTEST_ADDOPTS": "", "PYTEST_XDIST_WORKER": ""}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env, check=False)
    assert "PASSED test_tally.py::test_gate" in done.stdout
    assert "PASSED test_tally.py::test_case[good]" in done.stdout
    assert "FAILED test_tally.py::test_case[bad] - AssertionError: bad: 0 of 2 trials passed" in done.stdout
    assert "TrialkitError: undecided: odd: 0 of 2 trials passed" in done.stdout
    assert len(list((tmp_path / "eval_results").glob("*.trial"))) == 1


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


def test_settings_with_several_values_make_several_runs(tmp_path: Path) -> None:
    runs = trialkit.run_many("commodity", model=["baseline", "baseline:shotgun"], ids=("S01",), output_dir=tmp_path)
    assert [run.info.subject for run in runs] == ["baseline", "baseline:shotgun"]
    assert [len(run.trials) for run in runs] == [1, 1]
    assert "Each against the first" in repr(runs)
    assert "<table" in runs._repr_html_()
    with pytest.raises(trialkit.InputError, match=r"commodity: settings .* make 2 runs: use trialkit\.run_many"):
        trialkit.run("commodity", model=["baseline", "baseline:shotgun"], output_dir=tmp_path)
    with pytest.raises(trialkit.InputError, match="until_decided holds one run against another"):
        trialkit.run_many("commodity", seed=[1, 2], until_decided=True, output_dir=tmp_path)


async def test_in_an_event_loop_several_are_awaited(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"await trialkit\.arun_many"):
        trialkit.run_many("commodity", model="baseline", output_dir=tmp_path)
    runs = await trialkit.arun_many("commodity", model="baseline", seed=[1, 2], output_dir=tmp_path, ids=("S01",))
    assert [run.info.name for run in runs] == ["seed=1", "seed=2"]


def test_what_is_to_be_known_before_a_run_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    trialkit.run("commodity", model="baseline", output_dir=tmp_path, clear_cache=True)
    assert "stored replies" in caplog.text


def test_settings_are_checked(tmp_path: Path) -> None:
    with pytest.raises(trialkit.InputError, match="commodity: setting trials = 0"):
        trialkit.run("commodity", trials=0, output_dir=tmp_path)
    with pytest.raises(trialkit.InputError, match=r"commodity: there is no setting 'trails'; did you mean trials\?"):
        trialkit.run("commodity", trails=3, output_dir=tmp_path)
    with pytest.raises(trialkit.InputError) as told:
        trialkit.run("commodity", analyzer_header=("mine",), output_dir=tmp_path)
    assert "analyzer_header" in str(told.value)
    assert "mine" not in str(told.value)
    assert list(tmp_path.iterdir()) == []
