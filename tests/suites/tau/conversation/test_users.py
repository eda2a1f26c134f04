"""The users, as the agent and their own model see them."""

import json
from typing import Any

import pytest

from tests.server import Say
from tests.suites.tau.conversation.stage import CANCEL_CALL, DONE, STOP, Played, Stage
from trialkit.errors import InputError

CANCEL = Say(text="", calls=(CANCEL_CALL,))
YES, NO = "It fits the part.\nGood: yes", "The order number is made up.\n**Good: no**"


def heard(played: Played) -> list[str]:
    """What the agent read of the user."""
    return [message["content"] for message in played.output["messages"] if message["role"] == "user"]


def test_the_thought_of_a_react_user_stays_with_the_user(stage: Stage) -> None:
    thought = "Thought:\nI must not say that I am rich.\n\n"
    played = stage.play(
        agent=[CANCEL, DONE],
        user=[f"{thought}Message:\nCancel it.\nPlease.", f"{thought}**Message:** {STOP}"],
        user_strategy="react",
    )
    assert heard(played) == ["Cancel it.\nPlease.", STOP]
    assert not any("rich" in json.dumps(body) for body in played.asked("agent"))
    assert "I must not say" in json.dumps(played.asked("user")[1]["messages"])
    assert "Thought:" in played.asked("user")[0]["messages"][0]["content"]
    assert played.output["end"] == "user_stop"


def test_a_thought_alone_is_never_sent(stage: Stage) -> None:
    played = stage.play(
        agent=[CANCEL, DONE],
        user=["Thought: shall I say ###STOP###?", "Message: Cancel it.", STOP],
        user_strategy="react",
    )
    assert heard(played) == ["Cancel it.", STOP]
    assert played.rules == ["user_asked_again"]


def test_verify_writes_a_rejected_message_anew(stage: Stage) -> None:
    played = stage.play(
        agent=[CANCEL, DONE],
        user=["Cancel #W77.", NO, "Cancel my order.", YES, STOP, YES],
        user_strategy="verify",
    )
    assert heard(played) == ["Cancel my order.", STOP]
    assert played.rules == ["user_line_rejected"]
    check = played.asked("user")[1]["messages"]
    assert "supervise" in check[0]["content"]
    assert "Cancel #W77." in check[1]["content"]
    assert "Cancel your pending order" in check[1]["content"]
    assert not any("#W77" in json.dumps(body) for body in played.asked("agent"))


def test_verify_sends_the_third_try_as_it_is(stage: Stage) -> None:
    played = stage.play(
        agent=[CANCEL, DONE], user=["a", NO, "b", NO, "c", STOP, YES], user_strategy="verify", max_steps=2
    )
    assert heard(played)[0] == "c"


def test_a_check_that_says_neither_yes_nor_no_lets_the_message_pass(stage: Stage) -> None:
    played = stage.play(agent=[CANCEL, DONE], user=["Cancel it.", "Perhaps.", STOP, YES], user_strategy="verify")
    assert heard(played) == ["Cancel it.", STOP]
    assert played.rules == ["user_check_unread"]


def test_reflection_rewrites_a_rejected_message_knowing_why(stage: Stage) -> None:
    rewritten = "Thought:\nI leave the number out.\nMessage:\nCancel my order."
    played = stage.play(
        agent=[CANCEL, DONE],
        user=["Cancel #W77.", NO, rewritten, YES, STOP, YES],
        user_strategy="reflection",
    )
    assert heard(played) == ["Cancel my order.", STOP]
    asked = played.asked("user")[2]["messages"][1]["content"]
    assert "The order number is made up." in asked
    assert "Cancel #W77." in asked


def test_a_scripted_user_says_its_lines_then_stops(stage: Stage) -> None:
    script = stage.folder / "lines.txt"
    script.write_text("Hello.\n\nCancel it, please.\n")
    settings: dict[str, Any] = {"user_strategy": "scripted", "user_script": script}
    played = stage.play(agent=["How can I help?", CANCEL, DONE], **settings)
    assert heard(played) == ["Hello.", "Cancel it, please.", STOP]
    assert {call.role for call in played.calls} == {"agent"}


def test_a_scripted_user_without_a_script_says_the_instruction(stage: Stage) -> None:
    played = stage.play(agent=[CANCEL, DONE], user_strategy="scripted")
    assert heard(played) == ["You are Ada. Cancel your pending order and ask what you get back.", STOP]


def test_a_script_that_is_not_there_is_named(stage: Stage) -> None:
    with pytest.raises(InputError, match=r"lines\.txt: cannot be read: .*; --user-script names it"):
        stage.play(user_strategy="scripted", user_script=stage.folder / "lines.txt")


def test_the_users_model_may_be_somewhere_else(stage: Stage) -> None:
    played = stage.play(
        agent=[CANCEL, DONE],
        user=["Cancel it.", STOP],
        user_model="anthropic/user",
        user_api_base=stage.server.url,
    )
    assert {(seen.body["model"], seen.protocol) for seen in played.seen} == {("agent", "openai"), ("user", "anthropic")}


def test_cost_and_tokens_are_counted_apart(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    prices = stage.folder / "prices.json"
    each = {"litellm_provider": "openai", "input_cost_per_token": 1e-3, "output_cost_per_token": 1e-2}
    dear = {name: cost * 10 if isinstance(cost, float) else cost for name, cost in each.items()}
    prices.write_text(json.dumps({"agent": each, "user": dear}))
    monkeypatch.setenv("TRIALKIT_PRICES", str(prices))
    played = stage.play(
        agent=[Say(text="", calls=(CANCEL_CALL,), input_tokens=100, output_tokens=10), DONE],
        user=[Say(text="Cancel it.", input_tokens=50, output_tokens=5), STOP],
    )
    spent = {part.role: part for part in played.trial.spending}
    assert spent["agent"].cost == pytest.approx(112 * 1e-3 + 17 * 1e-2)
    assert spent["user"].cost == pytest.approx(62 * 1e-2 + 12 * 1e-1)
    assert (spent["user"].input_tokens, spent["user"].output_tokens) == (62, 12)
