"""What tau2's result files say about a trial."""

from pathlib import Path
from typing import Any

import pytest

from tests.suites.tau.inout.files import TAU2_GOOD, says, simulation, tau2_answer, tau2_calls, tau2_results, user, write
from tests.suites.tau.v2 import tiny
from trialkit.suites.tau.importing import Entry, read_file

CANCEL = ("cancel_pending_order", tiny.CANCEL)
LOOK = ("get_order_details", {"order_id": "#W1"})


def read(folder: Path, *messages: dict[str, Any], **parts: Any) -> Entry:
    return read_file(write(folder, tau2_results(simulation(*messages, **parts)))).entries[0]


def output(folder: Path, *messages: dict[str, Any], **parts: Any) -> dict[str, Any]:
    found = read(folder, *messages, **parts).output
    assert found is not None
    return dict(found)


def test_a_conversation_becomes_the_output_of_a_trial(tmp_path: Path) -> None:
    results = read_file(write(tmp_path, tau2_results(simulation(*TAU2_GOOD, trial=2))))
    (found,) = results.entries
    assert (results.suite, results.subject) == ("tau2/retail", "some-model")
    assert (found.task_id, found.number, found.reward) == ("t", 3, 1.0)
    assert found.costs == {"agent": 0.5, "user": 0.125}
    assert found.parts == {"db": 1.0, "outputs": 1.0}
    assert found.output is not None
    assert found.output["actions"] == [
        {"name": CANCEL[0], "kwargs": CANCEL[1]},
        {"name": "respond", "kwargs": {"content": "Done."}},
    ]
    assert found.output["observations"] == ['{"status": "cancelled"}', "###STOP###"]
    assert (found.output["steps"], found.output["turns"]) == (2, 1)  # the greeting is neither
    assert [message["role"] for message in found.output["messages"]] == [
        "assistant",
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]
    assert results.tasks["t"].read.actions == ({"name": CANCEL[0], "kwargs": CANCEL[1]},)


def test_all_calls_of_a_reply_were_executed_and_text_beside_them_was_said(tmp_path: Path) -> None:
    together = {"role": "tool", "tool_messages": [tau2_answer("second", 1), tau2_answer("first", 0)]}
    found = output(tmp_path, says("Hi"), user("Go"), tau2_calls(LOOK, CANCEL, text="One moment"), together)
    assert [action["name"] for action in found["actions"]] == ["respond", LOOK[0], CANCEL[0]]
    assert found["observations"] == ["", "first", "second"]


@pytest.mark.parametrize(
    ("reason", "last", "end"),
    [
        ("user_stop", "###STOP###", "user_stop"),
        ("user_stop", "###TRANSFER###", "transfer"),
        ("agent_stop", "Bye", "agent_stop"),
        ("max_steps", "What?", "max_steps"),
        ("judge_stop", "What?", "judge_stop"),
        ("too_many_errors", "What?", "too_many_errors"),
        ("agent_error", "What?", "agent_error"),
        ("user_error", "What?", "user_error"),
    ],
)
def test_how_it_ended(tmp_path: Path, reason: str, last: str, end: str) -> None:
    assert output(tmp_path, says("Hi"), user(last), termination_reason=reason)["end"] == end


def test_an_infrastructure_error_is_an_error(tmp_path: Path) -> None:
    found = read(tmp_path, *TAU2_GOOD, termination_reason="infrastructure_error", reward=0.0)
    assert found.error is not None
    assert found.reward is None


def test_what_tau2_skipped_because_of_an_error_is_an_error(tmp_path: Path) -> None:
    found = read(tmp_path, termination_reason="agent_error", reward=0.0, skipped=True)
    assert (found.error, found.reward) == ("tau2 skipped the trial because of an error", None)


def test_a_tool_named_respond_is_none_of_tau2s(tmp_path: Path) -> None:
    both = tau2_calls(("respond", {"content": "12.5"}), LOOK)
    found = output(tmp_path, says("Hi"), user("Go"), both, tau2_answer("Error: …", 0), tau2_answer("here", 1))
    assert [action["name"] for action in found["actions"]] == [LOOK[0]]
    assert found["observations"] == ["here"]
    assert [note["rule"] for note in found["notes"]] == ["unknown_tool"]


def test_the_answer_to_a_call_that_cannot_be_read_is_not_taken_for_anothers(tmp_path: Path) -> None:
    both = tau2_calls(("get_order_details", "{oops"), LOOK)
    found = output(tmp_path, says("Hi"), user("Go"), both, tau2_answer("Error: …", 0), tau2_answer("here", 1))
    assert found["observations"] == ["here"]


def test_what_stands_where_a_cost_belongs_is_no_cost(tmp_path: Path) -> None:
    assert read(tmp_path, *TAU2_GOOD, agent_cost="much", user_cost={"usd": 1}).costs == {}


def test_no_reward_is_not_a_reward_of_nothing(tmp_path: Path) -> None:
    assert read(tmp_path, *TAU2_GOOD, reward=None).reward is None


def test_judged_assertions_are_kept(tmp_path: Path) -> None:
    told = {"reward": 0.0, "nl_assertions": [{"nl_assertion": "It is kind.", "met": False, "justification": "rude"}]}
    assert read(tmp_path, *TAU2_GOOD, reward_info=told).assertions == {"It is kind.": False}
