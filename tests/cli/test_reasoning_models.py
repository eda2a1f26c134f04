"""A reasoning model plays every role there is, over both of OpenAI's protocols, without an error or a flag."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command
from tests.e2e.court import Court
from tests.server import Reasoner, Server
from tests.suites.tau.v2.tiny import Tiny, task
from trialkit.runfile import RunFile

SUITE = """
cases: cases.jsonl
prompt: "{{ question }}"
judges:
  checks: {model: [It apologises.]}
  scale: {model: {scale: {1: useless, 5: perfect}, question: how helpful it is}}
  class: {model: {classes: [same, other], passes: same, reference: "{{ truth }}"}}
  better: {model: {against: "{{ truth }}"}}
"""


@pytest.fixture
def model(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reasoner]:
    reasoner = Reasoner(getattr(request, "param", None))
    with Server(reasoner) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "k" * 20)
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_base)
        yield reasoner


both = pytest.mark.parametrize("name", ["openai/m", "openai-responses/m"])


def ended(done: Any, trialkit: Command) -> dict[str, Any]:
    assert done.status == 0, done.err
    (run,) = Path("eval_results").glob("*.trial")
    metrics: dict[str, Any] = json.loads(trialkit("report", run, "--format", "json").out)["metrics"]
    assert (metrics["trials"]["errors"]["value"], metrics["failed_calls"]["value"]) == (0, 0)
    return metrics


@both
@pytest.mark.parametrize("model", [Court()], indirect=True)
def test_commodity_its_judge_again_and_its_judge_on_trial(trialkit: Command, model: Reasoner, name: str) -> None:
    done = trialkit("run", "commodity", "--model", name, "--judge-model", name, "--ids", "S01")
    metrics = ended(done, trialkit)
    assert model.refused == 0
    assert metrics["trials"]["passed"]["value"] == 1
    assert metrics["roles"]["analyzer"]["reasoning_tokens"]["value"] == 64
    assert "thoughts" in done.out
    for again in (["rejudge", "latest", "--judge-asks", "each"], ["audit", "judge", "latest"]):
        done = trialkit(*again, "--judge-model", name)
        assert (done.status, "0 had been judged so already" in done.out or "1 passed" in done.out) == (0, True)
    assert model.refused == 0


@both
def test_tau2_and_whose_fault_it_was(trialkit: Command, model: Reasoner, tau2_home: Path, name: str) -> None:
    models = ["--model", name, "--user-model", name, "--data-dir", tau2_home]
    done = trialkit("run", "tau2/retail", *models, "--task-ids", "0,1")
    metrics = ended(done, trialkit)
    assert metrics["left_out"]["agent"] == "temperature"
    assert sum("does not take temperature" in line for line in done.err.splitlines()) >= 1
    (run,) = Path("eval_results").glob("*.trial")
    assert trialkit("replay", run).status == 0
    asked = trialkit("faults", run, "--judge-model", name)
    assert asked.status == 0, asked.err
    assert model.tools == {"record_fault"}
    with RunFile(run) as file:
        assert [len(row.remarks) for row in file.trials()] == [1, 1]


@both
def test_assertions_of_tau2(trialkit: Command, model: Reasoner, tmp_path: Path, name: str) -> None:
    counts = {"actions": [], "nl_assertions": ["It is brief."], "reward_basis": ["NL_ASSERTION"]}
    data = Tiny(tmp_path / "shop").write(task(evaluation_criteria=counts))
    models = [part for flag in ("--model", "--user-model", "--judge-model") for part in (flag, name)]
    ended(trialkit("run", "tau2/retail", *models, "--data-dir", data), trialkit)
    assert model.tools == {"record_findings"}


@both
def test_all_kinds_of_judges_that_are_models(trialkit: Command, model: Reasoner, name: str) -> None:
    Path("cases.jsonl").write_text('{"id": "1", "question": "Why?", "truth": "So."}\n', encoding="utf-8")
    Path("suite.yaml").write_text(SUITE, encoding="utf-8")
    named = ["--model", name, "--judge-model", name, "--temperature", "0", "--max-tokens", "50"]
    done = trialkit("run", "suite.yaml", *named)
    metrics = ended(done, trialkit)
    assert model.tools == {"record_findings", "record_score", "record_class", "record_preference"}
    renamed = ", max_tokens (but max_completion_tokens)" if name == "openai/m" else ""
    assert metrics["left_out"]["model"] == f"temperature{renamed}"
    with RunFile(next(Path("eval_results").glob("*.trial"))) as file:
        (trial,) = file.trials()
    assert {verdict.outcome for verdict in trial.verdicts} <= {"pass", "fail", "scored"}
