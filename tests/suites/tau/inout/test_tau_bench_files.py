"""What tau-bench's result files say about a trial."""

from pathlib import Path
from typing import Any

import pytest

from tests.suites.tau.inout.files import (
    DROP,
    GOOD,
    LOOK,
    TASK,
    TRANSFER,
    answer,
    calls,
    crash,
    entry,
    says,
    user,
    write,
)
from trialkit.suites.tau.importing import Entry, read_file


def read(folder: Path, *entries: dict[str, Any]) -> Entry:
    return read_file(write(folder, list(entries)), "tau-bench/retail").entries[0]


def output(folder: Path, *messages: dict[str, Any], **parts: Any) -> dict[str, Any]:
    found = read(folder, entry(*messages, **parts)).output
    assert found is not None
    return dict(found)


def said(content: str) -> dict[str, Any]:
    return {"name": "respond", "kwargs": {"content": content}}


def test_a_conversation_becomes_the_output_of_a_trial(tmp_path: Path) -> None:
    found = read(tmp_path, entry(*GOOD))
    assert (found.task_id, found.number, found.reward, found.error) == ("0", 1, 1.0, None)
    assert found.costs == {"user": 0.25}
    assert found.parts == {"db": 1.0}
    assert found.output == {
        "end": "user_stop",
        "actions": [{"name": DROP[0], "kwargs": DROP[1]}, said("You get 30.3 back.")],
        "action_steps": [1, 2],
        "observations": ["done", "Thanks ###STOP###"],
        "steps": 2,
        "turns": 1,
        "notes": [],
        "messages": [
            user("Hello, cancel it."),
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "c0",
                        "name": DROP[0],
                        "arguments": '{"order_id": "#W1", "reason": "no longer needed"}',
                    }
                ],
            },
            {"role": "tool", "content": "done", "tool_call_id": "c0", "name": DROP[0]},
            says("You get 30.3 back."),
            user("Thanks ###STOP###"),
        ],
    }


@pytest.mark.parametrize("cost", [10**400, 1e308, -5, float("nan"), "much"])
def test_a_cost_that_nobody_can_have_paid_is_not_told(tmp_path: Path, cost: object) -> None:
    assert read(tmp_path, entry(*GOOD, info={"user_cost": cost})).costs == {}


def test_an_end_that_we_do_not_have_is_passed_over(tmp_path: Path) -> None:
    assert output(tmp_path, *GOOD, info={"trialkit": {"end": "agent_stop"}})["end"] == "agent_stop"
    assert output(tmp_path, *GOOD, info={"trialkit": {"end": ["bored"]}})["end"] == "user_stop"


def test_a_system_message_without_text_is_none(tmp_path: Path) -> None:
    assert output(tmp_path, {"role": "system"}, *GOOD)["actions"] == output(tmp_path, *GOOD)["actions"]


def test_a_tool_of_the_other_domain_does_not_hide_the_domain(tmp_path: Path) -> None:
    strange = calls(("search_direct_flight", {"origin": "SFO"}))
    talk = (user("Hi"), strange, answer("Unknown action search_direct_flight"), says("Sorry"), user("###STOP###"))
    assert read_file(write(tmp_path, [entry(*talk)])).suite == "tau-bench/retail"
    without_truth = entry(*talk, info={"task": None})
    assert read_file(write(tmp_path, [without_truth])).suite == "tau-bench/airline"


def test_what_the_case_is_comes_from_the_file_alone(tmp_path: Path) -> None:
    results = read_file(write(tmp_path, [crash(task_id=3), entry(*GOOD, task_id=5)]))
    assert results.suite == "tau-bench/retail"
    assert results.subject == "some-model"
    assert list(results.tasks) == ["5"]
    assert results.tasks["5"].read.asked() == {
        "user_id": "ada_1",
        "instruction": TASK["instruction"],
        "actions": TASK["actions"],
        "outputs": ["30.3"],
    }


@pytest.mark.parametrize(
    ("messages", "parts", "end"),
    [
        (GOOD, {}, "user_stop"),
        ((user("Hi"), calls(TRANSFER), answer("Transfer successful")), {}, "transfer"),
        ((user("Hi"), calls(LOOK), answer("…")), {"reward": 0.0, "info": {"reward_info": None}}, "max_steps"),
        ((user("Hi"), says("Hm?"), user("What?")), {"reward": 0.0, "info": {"reward_info": None}}, "max_steps"),
        (GOOD, {"reward": 0.0, "info": {"reward_info": None, "trialkit": {"end": "agent_error"}}}, "agent_error"),
    ],
)
def test_how_it_ended(tmp_path: Path, messages: Any, parts: dict[str, Any], end: str) -> None:
    assert output(tmp_path, *messages, **parts)["end"] == end


def test_steps_are_the_agents_messages_and_turns_the_users_that_it_dealt_with(tmp_path: Path) -> None:
    found = output(
        tmp_path, user("Hi"), says("Hm?"), user("It's me"), calls(LOOK), answer("…"), says("Ah"), user("###STOP###")
    )
    assert (found["steps"], found["turns"]) == (3, 2)


def test_only_the_first_of_several_calls_was_executed(tmp_path: Path) -> None:
    found = output(tmp_path, user("Hi"), calls(LOOK, DROP), answer("…"), says("Ah"), user("###STOP###"))
    assert [action["name"] for action in found["actions"]] == [LOOK[0], "respond"]
    assert [note["rule"] for note in found["notes"]] == ["parallel_calls_dropped"]


def test_a_tool_named_respond_responds(tmp_path: Path) -> None:
    found = output(tmp_path, user("Hi"), calls(("respond", {"content": "Hello"})), user("###STOP###"))
    assert found["actions"] == [said("Hello")]
    assert found["observations"] == ["###STOP###"]


def test_arguments_that_cannot_be_read_were_not_executed(tmp_path: Path) -> None:
    found = output(tmp_path, user("Hi"), calls((LOOK[0], "{oops")), answer("Error: …"), says("Ah"), user("###STOP###"))
    assert found["actions"] == [said("Ah")]
    assert [note["rule"] for note in found["notes"]] == ["invalid_arguments"]
    assert found["steps"] == 2


def test_a_transfer_whose_arguments_cannot_be_read_is_one(tmp_path: Path) -> None:
    found = output(tmp_path, user("Hi"), calls((TRANSFER[0], "[1]")), answer("Error: …"))
    assert found["actions"] == [{"name": TRANSFER[0], "kwargs": {}}]
    assert (found["end"], found["observations"]) == ("transfer", ["Error: …"])
    assert [note["rule"] for note in found["notes"]] == ["invalid_arguments"]


def test_answers_without_the_id_of_their_call_are_found(tmp_path: Path) -> None:
    found = output(
        tmp_path, user("Hi"), calls(LOOK), {"role": "tool", "content": "here"}, says("Ah"), user("###STOP###")
    )
    assert found["observations"] == ["here", "###STOP###"]


def test_actions_that_were_written_as_text(tmp_path: Path) -> None:
    """As act and react do: what follows the last label is the action; what is none is a reply."""
    found = output(
        tmp_path,
        user("Hi"),
        says('Thought:\nI look.\nAction:\n{"name": "get_order_details", "arguments": {"order_id": "#W1"}}'),
        user("API output: pending"),
        says('Action:\n{"name": "respond", "arguments": {"content": "It is pending."}}'),
        user("API output: is what I would say too"),
        says("Action: Bye then"),
        user("###STOP###"),
    )
    assert found["actions"] == [
        {"name": "get_order_details", "kwargs": {"order_id": "#W1"}},
        said("It is pending."),
        said("Bye then"),
    ]
    assert found["observations"] == ["pending", "API output: is what I would say too", "###STOP###"]
    assert found["turns"] == 2
    assert found["messages"][1]["content"].startswith("Thought:")


def test_a_crash_is_an_error_whatever_was_scored(tmp_path: Path) -> None:
    found = read(tmp_path, crash())
    assert (found.reward, found.error, found.traceback, found.output) == (None, "it broke", "line 1", None)


def test_half_characters_are_made_whole(tmp_path: Path) -> None:
    found = output(tmp_path, user("Hi \ud83d!"), says("Hm?"), user("###STOP###"))
    assert found["messages"][0]["content"] == "Hi \ufffd!"


@pytest.mark.parametrize(
    ("tool", "suite"), [(DROP[0], "tau-bench/retail"), ("cancel_reservation", "tau-bench/airline")]
)
def test_the_domain_is_told_by_its_tools(tmp_path: Path, tool: str, suite: str) -> None:
    one = entry(user("Hi"), calls((tool, {})), answer("…"), says("Ah"), user("###STOP###"))
    one["info"]["task"] = TASK | {"actions": [{"name": "think", "kwargs": {}}]}
    assert read_file(write(tmp_path, [one])).suite == suite
