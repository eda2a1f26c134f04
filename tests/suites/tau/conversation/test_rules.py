"""Every written rule of docs/tau-bench.md, seen from what a run leaves."""

import json

import pytest

from tests.server import Call, Fault, Protocol, Say
from tests.suites.tau.conversation.stage import CANCEL_CALL, DONE, LOOK_CALL, STOP, Cast, Stage
from trialkit.dialogue import Rules


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_conversation_to_its_reward(stage: Stage, protocol: Protocol) -> None:
    played = stage.play(
        protocol=protocol,
        agent=["Which order?", Say(text="", calls=(LOOK_CALL,)), Say(text="", calls=(CANCEL_CALL,)), DONE],
        user=["Cancel my order, please.", "#W1.", STOP],
    )
    output, verdict = played.output, played.verdict
    assert (verdict.judge, verdict.outcome, verdict.score) == ("environment", "pass", 1.0)
    assert verdict.details["parts"] == {"db": 1.0, "outputs": 1.0}
    assert verdict.details["success_turn"] == 2
    assert verdict.details["breakdown"] is None
    assert [finding.met for finding in verdict.findings] == [True, True]
    assert (output["end"], output["steps"], output["turns"], output["notes"]) == ("user_stop", 4, 2, [])
    assert [action["name"] for action in output["actions"]] == [
        "respond",
        "get_order_details",
        "cancel_pending_order",
        "respond",
    ]
    assert output["observations"][0] == "#W1."
    assert json.loads(output["observations"][2])["status"] == "cancelled"
    assert output["observations"][3] == STOP
    roles = [message["role"] for message in output["messages"]]
    assert roles == ["user", "assistant", "user", "assistant", "tool", "assistant", "tool", "assistant", "user"]
    assert [event.kind for event in played.events if event.kind != "reply"] == [
        *["message"] * 3,
        *["tool calls", "observation"] * 2,
        *["message"] * 2,
    ]


def test_what_each_model_is_shown(stage: Stage) -> None:
    played = stage.play(agent=[Say(text="", calls=(CANCEL_CALL,)), DONE], user=["Cancel it.", STOP])
    first, second = played.asked("agent")
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assert first["messages"][0]["content"].startswith("# Policy")
    assert first["temperature"] == 0.0
    assert first["tools"][0]["function"]["name"] == "calculate"
    assert [message["role"] for message in second["messages"][2:]] == ["assistant", "tool"]
    greeted, last = played.asked("user")
    assert "Cancel your pending order" in greeted["messages"][0]["content"]
    assert greeted["messages"][1] == {"role": "user", "content": Rules().greeting}
    assert "temperature" not in greeted
    assert "tools" not in greeted
    assert last["messages"][2:] == [
        {"role": "assistant", "content": "Cancel it."},
        {"role": "user", "content": "Cancelled; you get 30.3 back."},
    ]
    assert all("seed" not in seen.body for seen in played.seen)


def test_a_wrong_database_and_an_output_not_said_fail_with_the_reasons(stage: Stage) -> None:
    played = stage.play(agent=["Sorry, no."], user=["Cancel it.", STOP])
    verdict = played.verdict
    assert (verdict.outcome, verdict.score) == ("fail", 0.0)
    assert verdict.details["parts"] == {"db": 0.0, "outputs": 0.0}
    assert verdict.details["breakdown"]["class"] == "missing_write"
    assert "orders #W1" in verdict.critique
    assert "'30.3'" in verdict.critique
    assert verdict.details["success_turn"] is None


def test_of_parallel_calls_only_the_first_is_executed_and_kept(stage: Stage) -> None:
    both = Say(text="", calls=(LOOK_CALL, CANCEL_CALL))
    played = stage.play(agent=[both, DONE], user=["Cancel it.", STOP])
    assert [action["name"] for action in played.output["actions"]] == ["get_order_details", "respond"]
    (note,) = played.output["notes"]
    assert (note["step"], note["rule"]) == (1, "parallel_calls_dropped")
    assert "cancel_pending_order" in note["detail"]
    kept = played.asked("agent")[1]["messages"][2]["tool_calls"]
    assert [call["function"]["name"] for call in kept] == ["get_order_details"]
    assert [len(message.get("tool_calls", ())) for message in played.output["messages"]] == [0, 1, 0, 0, 0]


def test_tau2_executes_parallel_calls_in_order_and_greets_first(stage: Stage) -> None:
    both = Say(text="", calls=(Call(name="get_order_details", arguments={"order_id": "#W1"}, id="a"), CANCEL_CALL))
    played = stage.play(suite="tau2/retail", agent=[both, "Done."], user=["Cancel #W1.", STOP])
    assert played.verdict.outcome == "pass"
    assert [action["name"] for action in played.output["actions"]] == [
        "get_order_details",
        "cancel_pending_order",
        "respond",
    ]
    assert played.output["messages"][0] == {"role": "assistant", "content": Rules().greeting}
    roles = [message["role"] for message in played.asked("agent")[1]["messages"]]
    assert roles == ["system", "assistant", "user", "assistant", "tool", "tool"]
    assert "Play the customer." in played.asked("user")[0]["messages"][0]["content"]
    assert "Cancel #W1." in played.asked("user")[0]["messages"][0]["content"]


@pytest.mark.parametrize(
    ("arguments", "says"), [("{'order_id': 1}", "not JSON"), ("[1]", "not a JSON object"), ('{"a": NaN}', "NaN")]
)
def test_arguments_that_cannot_be_read_do_not_reach_the_environment(stage: Stage, arguments: str, says: str) -> None:
    bad = Say(text="", calls=(Call(name="cancel_pending_order", arguments=arguments),))
    played = stage.play(agent=[bad, "I give up."], user=["Cancel it.", STOP])
    assert played.rules == ["invalid_arguments"]
    assert [action["name"] for action in played.output["actions"]] == ["respond"]
    assert played.output["steps"] == 2
    told = played.asked("agent")[1]["messages"][-1]
    assert told["role"] == "tool"
    assert told["content"].startswith("Error: ")
    assert says in told["content"]
    (sent,) = played.asked("agent")[1]["messages"][2]["tool_calls"]
    assert sent["function"]["arguments"] == "{}"  # what it wrote would be refused by some servers; the note keeps it
    assert arguments in played.output["notes"][0]["detail"]
    assert played.output["messages"][1]["tool_calls"][0]["arguments"] == arguments


def test_no_arguments_at_all_are_an_empty_object(stage: Stage) -> None:
    played = stage.play(
        agent=[Say(text="", calls=(Call(name="list_all_product_types", arguments=""),)), "A teapot."],
        user=["What is there?", STOP],
    )
    assert played.rules == []
    assert "Teapot" in played.output["observations"][0]


def test_half_a_character_in_arguments_is_replaced(stage: Stage) -> None:
    bad = Say(text="", calls=(Call(name="think", arguments='{"thought": "\\ud800"}'),))
    played = stage.play(agent=[bad, "Hm."], user=["Hello.", STOP])
    assert played.output["actions"][0]["kwargs"] == {"thought": "\ufffd"}


def test_an_unknown_tool_is_answered_by_the_environment(stage: Stage) -> None:
    unknown = Say(text="", calls=(Call(name="fly", arguments={"to": "Oslo"}),))
    played = stage.play(agent=[unknown, "No."], user=["Fly me.", STOP])
    assert played.rules == ["unknown_tool"]
    assert played.output["observations"][0] == "Unknown action fly"
    again = stage.play(suite="tau2/retail", agent=[unknown, "No."], user=["Fly me.", STOP])
    assert again.output["observations"][0] == "Error: Tool 'fly' not found."


def test_text_with_a_call_is_not_shown_to_the_user(stage: Stage) -> None:
    played = stage.play(agent=[Say(text="One moment.", calls=(CANCEL_CALL,)), DONE], user=["Cancel it.", STOP])
    assert played.rules == ["text_with_call"]
    assert played.verdict.outcome == "pass"
    assert not any("One moment." in json.dumps(body) for body in played.asked("user"))
    assert played.asked("agent")[1]["messages"][2]["content"] == "One moment."


@pytest.mark.parametrize(("suite", "counts"), [("tau-bench/retail", False), ("tau2/retail", True)])
def test_only_in_tau2_does_text_with_a_call_count_as_said(stage: Stage, suite: str, counts: bool) -> None:
    moment = Say(text="You get 30.3 back.", calls=(CANCEL_CALL,))
    played = stage.play(suite=suite, agent=[moment, "Done."], user=["Cancel it.", STOP])
    said = [action["kwargs"]["content"] for action in played.output["actions"] if action["name"] == "respond"]
    assert said == (["You get 30.3 back.", "Done."] if counts else ["Done."])
    assert len(played.output["observations"]) == len(played.output["actions"])


def test_an_empty_reply_is_asked_for_once_more(stage: Stage) -> None:
    played = stage.play(agent=[Say(text=None), Say(text="", calls=(CANCEL_CALL,)), DONE], user=["Cancel it.", STOP])
    assert played.rules == ["empty_reply"]
    assert (played.verdict.outcome, played.output["steps"]) == ("pass", 2)
    first, second = played.asked("agent")[:2]
    assert first == second


def test_two_empty_replies_in_a_row_are_the_agents_failure(stage: Stage) -> None:
    played = stage.play(agent=[Say(text=None), Say(text="  ")], user=["Cancel it."])
    assert played.rules == ["empty_reply", "empty_reply"]
    assert played.output["end"] == "agent_error"
    assert (played.verdict.outcome, played.verdict.score) == ("fail", 0.0)
    assert played.verdict.details["reward_info"] is None


def test_a_call_of_respond_is_a_reply(stage: Stage) -> None:
    reply = Say(text="", calls=(Call(name="respond", arguments={"content": "Which order?"}),))
    played = stage.play(agent=[reply, "Bye."], user=["Cancel it.", "Never mind.", STOP])
    assert played.rules == ["respond_called"]
    assert played.output["actions"][0] == {"name": "respond", "kwargs": {"content": "Which order?"}}
    assert played.asked("agent")[1]["messages"][2] == {"role": "assistant", "content": "Which order?"}


def test_in_tau2_respond_is_an_unknown_tool(stage: Stage) -> None:
    reply = Say(text="", calls=(Call(name="respond", arguments={"content": "Which order?"}),))
    played = stage.play(suite="tau2/retail", agent=[reply, "Bye."], user=["Cancel it.", STOP])
    assert played.rules == ["unknown_tool"]
    assert [action["kwargs"] for action in played.output["actions"]] == [{"content": "Bye."}]
    assert played.output["messages"][3]["content"] == "Error: Tool 'respond' not found."


def test_a_call_of_respond_without_content_is_an_unknown_tool(stage: Stage) -> None:
    reply = Say(text="", calls=(Call(name="respond", arguments={"text": "Hi"}),))
    played = stage.play(agent=[reply, "Bye."], user=["Hello.", STOP])
    assert played.rules == ["unknown_tool"]
    assert [action["kwargs"] for action in played.output["actions"]] == [{"content": "Bye."}]


def test_the_step_limit_is_a_fail_that_is_not_scored(stage: Stage) -> None:
    cancel = Say(text="", calls=(CANCEL_CALL,))
    played = stage.play(agent=[cancel, cancel, "30.3"], user=["Cancel it.", "Go on."], max_steps=3)
    assert played.output["end"] == "max_steps"
    assert (played.verdict.outcome, played.verdict.score) == ("fail", 0.0)
    assert played.verdict.details["reward_info"] is None
    assert played.verdict.details["parts"] == {}
    assert played.verdict.details["breakdown"]["class"] == "max_steps"


def test_a_user_who_stops_after_the_last_step_is_in_time(stage: Stage) -> None:
    played = stage.play(agent=[Say(text="", calls=(CANCEL_CALL,)), DONE], user=["Cancel it.", STOP], max_steps=2)
    assert (played.output["end"], played.verdict.outcome) == ("user_stop", "pass")


def test_a_transfer_ends_the_conversation_even_with_wrong_arguments(stage: Stage) -> None:
    transfer = Say(text="", calls=(Call(name="transfer_to_human_agents", arguments={"why": "?"}),))
    played = stage.play(agent=[transfer], user=["Cancel it."])
    assert played.output["end"] == "transfer"
    assert played.output["observations"][0].startswith("Error: ")
    assert played.verdict.details["breakdown"]["class"] == "premature_transfer"


@pytest.mark.parametrize("arguments", ["[1]", "{oops"])
def test_a_transfer_ends_the_conversation_even_if_its_arguments_cannot_be_read(stage: Stage, arguments: str) -> None:
    transfer = Say(text="", calls=(Call(name="transfer_to_human_agents", arguments=arguments),))
    played = stage.play(agent=[transfer], user=["Cancel it."])
    assert played.output["end"] == "transfer"
    assert played.rules == ["invalid_arguments"]
    assert played.output["actions"] == [{"name": "transfer_to_human_agents", "kwargs": {}}]
    assert played.output["observations"][0].startswith("Error: ")
    assert played.verdict.details["breakdown"]["class"] == "premature_transfer"


def test_tau_bench_does_not_look_for_a_stop_in_the_first_message(stage: Stage) -> None:
    played = stage.play(agent=[Say(text="", calls=(CANCEL_CALL,)), DONE], user=[f"Cancel it. {STOP}", STOP])
    assert (played.output["end"], played.output["turns"], played.verdict.outcome) == ("user_stop", 1, "pass")


def test_tau2_does(stage: Stage) -> None:
    played = stage.play(suite="tau2/retail", user=[f"Cancel it. {STOP}"])
    assert (played.output["end"], played.output["steps"], played.verdict.outcome) == ("user_stop", 0, "fail")


@pytest.mark.parametrize(
    ("token", "end"), [("###STOP###", "user_stop"), ("###TRANSFER###", "transfer"), ("###OUT-OF-SCOPE###", "user_stop")]
)
def test_tau2_has_three_tokens_that_end_a_conversation(stage: Stage, token: str, end: str) -> None:
    played = stage.play(
        suite="tau2/retail", agent=[Say(text="", calls=(CANCEL_CALL,)), "Done."], user=["Cancel.", f"Thanks {token}"]
    )
    assert (played.output["end"], played.verdict.outcome) == (end, "pass")


def test_tau_bench_knows_only_one_of_them(stage: Stage) -> None:
    played = stage.play(agent=["Yes?", "Bye."], user=["Hello.", "###TRANSFER###", STOP])
    assert (played.output["end"], played.output["turns"]) == ("user_stop", 2)


def test_tau2_counts_every_message_that_is_passed_on(stage: Stage) -> None:
    look = Say(text="", calls=(LOOK_CALL,))  # the user's message, then call and result each time
    played = stage.play(suite="tau2/retail", agent=[look, look], user=["Hello."], max_steps=5)
    assert (played.output["end"], played.output["steps"]) == ("max_steps", 2)


@pytest.mark.parametrize(("max_steps", "end"), [(5, "max_steps"), (6, "user_stop")])
def test_in_tau2_a_stop_in_the_last_step_comes_too_late(stage: Stage, max_steps: int, end: str) -> None:
    """The user's message, call, result, reply, and the user's last message are five."""
    cancel = Say(text="", calls=(CANCEL_CALL,))
    played = stage.play(suite="tau2/retail", agent=[cancel, "Done."], user=["Cancel.", STOP], max_steps=max_steps)
    assert (played.output["end"], played.verdict.score) == (end, float(end == "user_stop"))
    assert played.output["observations"][-1] == STOP


def test_actions_know_the_step_that_they_were_taken_in(stage: Stage) -> None:
    bad = Say(text="", calls=(Call(name="cancel_pending_order", arguments="{oops"),))
    both = Say(text="One moment.", calls=(Call(name="get_order_details", arguments={"order_id": "#W1"}), CANCEL_CALL))
    played = stage.play(suite="tau2/retail", agent=[bad, both, "Done."], user=["Cancel #W1.", STOP])
    assert [action["name"] for action in played.output["actions"]] == [
        "respond",
        "get_order_details",
        "cancel_pending_order",
        "respond",
    ]
    assert played.output["action_steps"] == [2, 2, 2, 3]
    assert [(note["step"], note["rule"]) for note in played.output["notes"]] == [
        (1, "invalid_arguments"),
        (2, "text_with_call"),
    ]


def test_tau2_ends_after_too_many_errors(stage: Stage) -> None:
    wrong = Say(text="", calls=(Call(name="get_order_details", arguments={"order_id": "#W9"}), Call(name="fly")))
    played = stage.play(suite="tau2/retail", agent=[wrong, wrong], user=["Hello."], max_errors=3)
    assert played.output["end"] == "too_many_errors"
    assert (played.verdict.outcome, played.verdict.score) == ("fail", 0.0)


def test_a_model_that_gives_no_reply_is_an_error_never_a_fail(stage: Stage) -> None:
    played = stage.play(agent=["Which?", Fault(kind="context_overflow")], user=["Cancel it.", "#W1."])
    assert played.trial.outcome == "error"
    assert played.trial.error_kind == "context_overflow"
    assert played.verdict.score is None


def test_a_user_without_a_message_is_an_error_that_can_be_tried_again(stage: Stage) -> None:
    played = stage.play(agent=["Which?"], user=["Cancel it.", Say(text=None), Say(text="")])
    assert (played.trial.outcome, played.trial.output) == ("error", None)
    assert "simulated user" in (played.trial.error or "")
    assert "user_asked_again" in [event.data.get("rule") for event in played.events]
    stage.server.behave(Cast(agent=[Say(text="", calls=(CANCEL_CALL,)), DONE], user=["Cancel it.", STOP]))
    assert stage.resume(played.path, errors_too=True).verdict.outcome == "pass"
