"""A suite of YAML whose judges are models: what is asked, billed, told and kept, from run to rejudge."""

import json
from typing import Any

import pytest

from tests.server import Action, Call, Protocol, Say, Server, tool_names
from tests.suites.files.here import Here
from trialkit.runfile import RunFile

SUITE = """\
cases:
  - {id: a, text: Where is it?, truth: At the post office., old: No idea.}
  - {id: b, text: Hi, truth: Hello., old: Bye}
prompt: "{{ text }}"
judges:
  polite: {model: [It is polite., "It says: {{ truth }}"]}
  good: {model: {scale: {1: useless, 5: perfect}, question: how helpful it is}}
  right: {model: {classes: [same, other], passes: same, reference: "{{ truth }}"}}
  better: {model: {against: "{{ old }}"}}
"""
SAID: dict[str, dict[str, Any]] = {
    "record_findings": {"findings": [{"check": n, "met": True, "evidence": "so"} for n in (1, 2)], "critique": "fine"},
    "record_score": {"score": 4, "critique": "good"},
    "record_class": {"choice": "same", "critique": "the same"},
    "record_preference": {"better": "first", "critique": "clearer"},
}
MODELS = ("--model", "openai/gpt-4o-mini", "--judge-model", "anthropic/claude-haiku-4-5")


class Bench:
    """The one on trial, and the judges; `unread` of their first replies say nothing."""

    def __init__(self) -> None:
        self.unread = 0

    def __call__(self, body: dict[str, Any], protocol: Protocol) -> Action:
        names = tool_names(body, protocol)
        if not names:
            return Say(text="At the post office.", input_tokens=100, output_tokens=10)
        if self.unread:
            self.unread -= 1
            return Say(text="I like it.", input_tokens=1000, output_tokens=20)
        return Say(
            text=None, calls=(Call(name=names[0], arguments=SAID[names[0]]),), input_tokens=1000, output_tokens=20
        )


@pytest.fixture
def bench(here: Here, monkeypatch: pytest.MonkeyPatch) -> Any:
    here.write(suite_yaml=SUITE)
    respond = Bench()
    with Server(respond) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
        monkeypatch.setenv("OPENAI_BASE_URL", server.openai_base)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield server


def report(here: Here) -> Any:
    return json.loads(here("report", here.last_run(), "--format", "json").out)


def test_models_judge_in_four_ways_and_what_they_cost_is_told(here: Here, bench: Server) -> None:
    done = here("run", "suite.yaml", *MODELS)
    assert done.status == 0, done.text
    told = report(here)
    judges = told["metrics"]["judges"]
    assert {name: one["value"] for name, one in judges.items()} == {"polite": 1, "good": 4, "right": 1, "better": 0.5}
    assert len(bench.requests) == 2 * (1 + 5)
    spent = told["metrics"]["roles"]["judge"]
    assert spent["calls"]["value"] == 10
    assert spent["cost_usd"]["value"] == pytest.approx(10 * (1000 * 1e-6 + 20 * 5e-6))
    for run in (("replay",), ("rejudge",)):
        assert here(*run, here.last_run()).status == 0


def test_a_reply_that_nobody_can_read_is_paid_and_then_an_error(here: Here, bench: Server) -> None:
    bench.respond.unread = 2  # type: ignore[attr-defined]  # a Bench
    done = here("run", "suite.yaml", *MODELS, "--max-concurrency", "1")
    assert done.status == 3, done.text
    assert "Errors, the first of each judge: polite on a/1: no verdict in the judge's second reply" in " ".join(
        done.out.split()
    )
    with RunFile(here.folder / here.last_run()) as run:
        first, second = (trial.verdicts for trial in run.trials())
    assert [one.outcome for one in first] == ["error", "scored", "pass", "scored"]
    assert "no verdict in the judge's second reply" in first[0].critique
    assert second[0].outcome == "pass"
    assert report(here)["metrics"]["roles"]["judge"]["calls"]["value"] == 11


def test_another_model_judges_again_and_the_audit_asks_about_answers_said_otherwise(here: Here, bench: Server) -> None:
    assert here("run", "suite.yaml", *MODELS).status == 0
    run = here.last_run()
    again = here("rejudge", run, "--judge-model", "openai/gpt-4o")
    assert again.status == 0, again.text
    assert "polite with openai/gpt-4o" in here("report", run).out + again.out
    audit = here("audit", "judge", run, "--sample", "1")
    assert audit.status == 0, audit.text
    asked = json.dumps([seen.body for seen in bench.requests])
    assert "NOTE TO THE JUDGE" in asked
    plan = here("plan", "suite.yaml", *MODELS)
    assert (plan.status, "judge" in plan.out) == (0, True), plan.text


def test_a_judge_without_a_key_is_told_before_anything_is_paid(here: Here, bench: Server, monkeypatch: Any) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name)
    done = here("run", "suite.yaml", *MODELS)
    assert (done.status, "ANTHROPIC_API_KEY" in done.err, len(bench.requests)) == (2, True, 0), done.text
