"""Who plays which role where keys are missing, and how that is told."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.e2e.court import Court
from tests.server import Server
from trialkit.engine import start_many_runs
from trialkit.errors import InputError
from trialkit.runfile import RunFile
from trialkit.suites import get_suite

ONE = ("--ids", "S01", "--output-dir", "out")


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def test_the_model_on_trial_judges_where_the_usual_judge_has_no_key(
    trialkit: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    court = Court()
    with Server(court) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "k" * 20)
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_base)
        done = trialkit("run", "commodity", "--model", "openai/gpt-5", *ONE)
        assert done.status == 0, done.err
        said = [line for line in done.err.splitlines() if "the judge is the model on trial" in line]
        assert len(said) == 1
        assert "openai/gpt-5 (no key for anthropic: set the environment variable ANTHROPIC_API_KEY)" in said[0]
        assert (court.analyses, court.judgements) == (1, 1)
        assert {request.body["model"] for request in server.requests} == {"gpt-5"}
        (run,) = Path("out").glob("*.trial")
        with RunFile(run) as file:
            assert file.info().settings["judge_model"] == "openai/gpt-5"
        # who is chosen stays chosen
        named = trialkit("run", "commodity", "--model", "openai/gpt-5", "--judge-model", "anthropic/claude-x", *ONE)
        assert (named.status, court.analyses) == (2, 1)
        assert "judge (anthropic/claude-x): no key for anthropic: set the environment variable ANTHROP" in named.err
        assert "name another judge with --judge-model, or judge without a model: --judge rules" in named.err


def test_several_models_on_trial_need_one_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else each would be judged by another."""
    monkeypatch.setenv("OPENAI_API_KEY", "k" * 20)
    suite = get_suite("commodity")
    several = [suite.settings.model_validate({"model": f"openai/{name}"}) for name in ("gpt-5", "gpt-5-mini")]
    with pytest.raises(InputError, match=r"would judge themselves \(openai/gpt-5, .*name one judge with --judge-model"):
        start_many_runs(suite, several, lambda _: pytest.fail("it begins"))


def test_a_project_that_names_its_judge_has_that_one(trialkit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k" * 20)
    Path("trialkit.toml").write_text('judge-model = "anthropic/claude-x"\n', encoding="utf-8")
    done = trialkit("run", "commodity", "--model", "openai/gpt-5", *ONE)
    assert done.status == 2
    assert "judge (anthropic/claude-x): no key for anthropic" in done.err


def test_a_missing_key_is_told_with_the_role_that_needs_it(trialkit: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    done = trialkit("run", "commodity", *ONE)
    assert done.status == 2
    assert "trialkit: analyzer (anthropic/claude-sonnet-5-5): no key for anthropic: set" in done.err
    planned = trialkit("plan", "commodity", "--model", "openai/gpt-5")
    assert "claude" in planned.out
    monkeypatch.setenv("OPENAI_API_KEY", "k" * 20)
    planned = trialkit("plan", "commodity", "--model", "openai/gpt-5")
    assert "claude" not in planned.out
