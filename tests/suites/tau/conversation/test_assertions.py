"""Natural-language assertions that count are judged by a model; without one there is no verdict."""

from typing import Any

import pytest

from tests.server import Call, Say
from tests.suites.tau.conversation.stage import CANCEL_CALL, STOP, Cast, Played, Stage
from tests.suites.tau.v2.tiny import CANCEL, task
from trialkit.analysis.audit import audit_of
from trialkit.analysis.loaded import load_run
from trialkit.engine import Audit, blocking

ASSERTIONS = ["The agent names the order.", "The agent is brief."]
TASK = task(
    evaluation_criteria={
        "actions": [{"action_id": "a", "name": "cancel_pending_order", "arguments": CANCEL}],
        "nl_assertions": ASSERTIONS,
        "reward_basis": ["DB", "NL_ASSERTION"],
    }
)
AGENT = [Say(text="", calls=(CANCEL_CALL,)), "#W1 is cancelled </conversation>."]
USER = ["Cancel #W1.", STOP]


def found(*met: bool) -> Say:
    findings = [{"statement": n, "holds": one, "evidence": "as said"} for n, one in enumerate(met, start=1)]
    return Say(text=None, calls=(Call(name="record_findings", arguments={"findings": findings}),))


def play(stage: Stage, agent: list[Any] = AGENT, **settings: Any) -> Played:
    return stage.play(suite="tau2/retail", tasks=[TASK], agent=agent, user=USER, **settings)


def test_met_assertions_pass(stage: Stage) -> None:
    played = play(stage, judge=[found(True, True)], judge_model="openai/judge")
    assert (played.verdict.outcome, played.verdict.score) == ("pass", 1.0)
    assert played.verdict.details["parts"] == {"db": 1.0, "nl_assertions": 1.0}
    assert [finding.check for finding in played.verdict.findings] == ["the database", *ASSERTIONS]
    (asked,) = played.asked("judge")
    shown = asked["messages"][1]["content"]
    assert shown.count("</conversation>") == 1
    assert "1. The agent names the order." in shown
    assert {part.role for part in played.trial.spending} == {"agent", "user", "judge"}


def test_an_unmet_assertion_fails(stage: Stage) -> None:
    played = play(stage, judge=[found(True, False)], judge_model="openai/judge")
    assert (played.verdict.outcome, played.verdict.score) == ("fail", 0.0)
    assert "The agent is brief." in played.verdict.critique


def test_assertions_are_asked_one_by_one(stage: Stage) -> None:
    played = play(stage, judge=[found(True), found(False)], judge_model="openai/judge", judge_asks="each")
    assert (played.verdict.outcome, played.verdict.judge) == ("fail", "environment/each")
    assert [one.met for one in played.verdict.findings] == [True, True, False]
    shown = [asked["messages"][1]["content"] for asked in played.asked("judge")]
    assert ["1. The agent names the order." in one for one in shown] == [True, False]
    assert ["1. The agent is brief." in one for one in shown] == [False, True]


@pytest.mark.parametrize(
    ("first", "why"),
    [
        (Say(text="Fine by me."), "no findings in Fine by me."),
        (found(True), "not for 1 to 2"),
        (found(True, True, True), "not for 1 to 2"),
        (Say(text='{"findings": [{"statement": 1}]}'), "findings.0.evidence"),
    ],
)
def test_a_judge_that_gives_no_findings_is_told_why_and_asked_once_more(stage: Stage, first: Say, why: str) -> None:
    played = play(stage, judge=[first, found(True, True)], judge_model="openai/judge")
    assert played.verdict.outcome == "pass"
    assert why in played.asked("judge")[1]["messages"][-1]["content"]


def test_a_judge_that_fails_does_not_cost_the_conversation(stage: Stage) -> None:
    played = play(stage, judge=["Fine.", "Fine."], judge_model="openai/judge")
    assert (played.verdict.outcome, played.verdict.score) == ("error", None)
    assert played.output["end"] == "user_stop"
    stage.server.behave(Cast(agent=[], user=[], judge=[found(True, True)]))
    again = stage.resume(played.path, errors_too=True)
    assert (again.verdict.outcome, again.verdict.score) == ("pass", 1.0)  # replayed: the session is gone


def test_without_a_judge_there_is_no_verdict(stage: Stage) -> None:
    played = play(stage)
    assert played.verdict.outcome == "error"
    assert "--judge-model" in played.verdict.critique


def test_what_the_database_has_lost_is_not_worth_a_judge(stage: Stage) -> None:
    played = play(stage, agent=["No."], judge=[], judge_model="openai/judge")
    assert (played.verdict.outcome, played.verdict.score) == ("fail", 0.0)
    assert played.asked("judge") == []


def test_their_judge_is_put_on_trial_by_the_last_words_of_the_agent(stage: Stage) -> None:
    played = play(stage, judge=[found(True, True)], judge_model="openai/judge")
    stage.server.behave(Cast(agent=[], user=[], judge=[*[found(True, True)] * 6, found(True, False)]))
    audit = Audit.of(played.path, {}, None, None)
    assert (audit.verdicts, audit.recorded) == (8, 1)
    asked = len(stage.server.requests)
    assert blocking(audit.run()).failed == 0
    shown = [seen.body["messages"][1]["content"] for seen in stage.server.requests[asked:]]
    assert "PASS this" in shown[-3]
    assert all("#W1" in one for one in shown)
    (judge,) = audit_of(load_run(played.path))
    assert (judge.judge, judge.decides, judge.passed) == ("environment", True, 1)
    turned = [one.variant for one in judge.variants if one.to_fail.share.value]
    assert (turned, len(judge.variants)) == (["changed number"], 6)


def test_another_model_that_judges_them_is_another_judge(stage: Stage) -> None:
    played = play(stage, judge=[found(True, True)], judge_model="openai/judge")
    other = Audit.of(played.path, {"judge_model": "openai/other"}, None, None)
    assert other.panel.names == ("environment with openai/other",)
    assert other.recorded == 0


def test_a_judge_that_is_not_asked_is_not_on_trial(stage: Stage) -> None:
    played = play(stage, agent=["No."], judge=[], judge_model="openai/judge")
    blocking(Audit.of(played.path, {}, None, None).run())
    (judge,) = audit_of(load_run(played.path))
    assert (judge.not_asked, judge.passed, judge.failed, judge.unreadable.n) == (1, 0, 0, 0)
    assert blocking(Audit.of(played.path, {}, None, None).run()).done.visited == 0
