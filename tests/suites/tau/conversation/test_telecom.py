"""Telecom with models on both sides: the customer calls tools of its own, which nobody else sees."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.server import Action, Call, Say
from tests.suites.tau.conversation.stage import STOP, Played, Stage, written
from trialkit.analysis.steps import steps_of
from trialkit.engine import replay_run
from trialkit.runfile import RunFile
from trialkit.suites.tau.exporting.tau2 import tau2_report

#: Roaming is off on the line and on the phone, so each has to do a part.
TASK = "[mobile_data_issue]user_abroad_roaming_disabled_off[PERSONA:Hard]"
ENABLE = Call(name="enable_roaming", arguments={"customer_id": "C1001", "line_id": "L1002"})
LOOK, TOGGLE = (Call(name=name, arguments={}) for name in ("check_network_status", "toggle_roaming"))


def calling(*calls: Call) -> Say:
    return Say(text="", calls=calls)


@pytest.fixture
def play(stage: Stage, tau2_home: Path) -> Any:
    def play(agent: Sequence[str | Action], user: Sequence[str | Action], **settings: Any) -> Played:
        asked = {"suite": "tau2/telecom", "task_split": "small", "task_ids": (TASK,), "data_dir": tau2_home}
        return stage.play(**{**asked, "agent": agent, "user": user, **settings})

    return play


AGENT = [calling(ENABLE), "Please toggle roaming."]
USER = ["My data does not work.", calling(LOOK, TOGGLE), f"Works. {STOP}"]


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_the_customers_calls_are_its_own(play: Any, protocol: str) -> None:
    played = play(AGENT, USER, protocol=protocol)
    assert (played.verdict.outcome, played.verdict.details["parts"]) == ("pass", {"env_assertions": 1.0})
    made = [(one["name"], one.get("by")) for one in played.output["actions"] if one["name"] != "respond"]
    assert made == [("enable_roaming", None), ("check_network_status", "user"), ("toggle_roaming", "user")]
    assert {role: len(played.asked(role)[0]["tools"]) for role in ("agent", "user")} == {"agent": 13, "user": 30}
    to_agent, to_user = (json.dumps(played.asked(role), ensure_ascii=False) for role in ("agent", "user"))
    assert "Data Roaming is now ON." in to_user
    assert "Data Roaming is now ON." not in to_agent
    assert "Roaming enabled successfully" not in to_user
    assert "Wi-Fi Radio" not in to_agent
    assert replay_run(played.path).differences == ()


def test_who_called_is_to_be_seen(play: Any) -> None:
    played = play(AGENT, USER)
    with RunFile(played.path) as run:
        seen = steps_of(run, played.trial)
    steps = [(step.who, [use.name for use in step.uses]) for step in seen if step.uses]
    assert steps == [("assistant", ["enable_roaming"]), ("user", ["check_network_status", "toggle_roaming"])]
    with RunFile(played.path) as run:
        simulation = json.loads(tau2_report(run))["simulations"][0]
    asked = [call for message in simulation["messages"] for call in message.get("tool_calls") or ()]
    assert [call["requestor"] for call in asked] == ["assistant", "user", "user"]
    answered = [message["requestor"] for message in simulation["messages"] if message["role"] == "tool"]
    assert answered == ["assistant", "user", "user"]
    assert [check["met"] for check in simulation["reward_info"]["env_assertions"]] == [True, True]


def test_what_the_customer_did_not_do_is_why_it_failed(play: Any) -> None:
    played = play(AGENT, ["My data does not work.", f"I will see to it. {STOP}"])
    breakdown = played.verdict.details["breakdown"]
    assert (breakdown["class"], breakdown["summary"]) == (
        "missing_write",
        "toggle_roaming() was not done by the user.",
    )
    with RunFile(played.path) as run:
        info = json.loads(tau2_report(run))["simulations"][0]["reward_info"]
    assert (info["reward"], [check["met"] for check in info["env_assertions"]]) == (0.0, [False, False])


def test_an_agent_that_writes_its_calls_as_text_has_a_customer_with_tools(play: Any) -> None:
    enable = written("enable_roaming", **json.loads(json.dumps(ENABLE.arguments)))
    played = play([enable, written("respond", content="Toggle roaming.")], USER, agent_name="act")
    assert played.verdict.outcome == "pass"
    assert "tools" not in played.asked("agent")[0]


def test_who_calls_a_tool_of_the_others_is_noted(play: Any) -> None:
    played = play([calling(TOGGLE), "Toggle it."], ["Hello.", calling(TOGGLE, ENABLE), f"Bye. {STOP}"])
    assert [note["detail"] for note in played.output["notes"]] == [
        "there is no tool toggle_roaming",
        "there is no tool enable_roaming",
    ]
    assert "Error: Tool 'toggle_roaming' not found." in played.output["observations"]


_PROGRAM = """
import json, sys

asked = ["enable_roaming", {"customer_id": "C1001", "line_id": "L1002"}]
for line in sys.stdin:
    said = json.loads(line)
    tools = [tool["name"] for tool in said.get("tools", ())]
    answer = {
        "start": {"type": "ready", "protocol": 1, "name": "own", "tools": tools},
        "user": {"type": "calls", "calls": [{"id": "1", "name": asked[0], "arguments": asked[1]}]},
        "results": {"type": "reply", "text": "Please toggle roaming."},
        "end": {"type": "ended"},
    }[said["type"]]
    print(json.dumps({**answer, "n": said["n"]}), flush=True)
"""


def test_an_outside_agent_needs_no_tool_of_the_customers(play: Any, tmp_path: Path) -> None:
    """It tells which it has: the task is not skipped for the customer's part of the ground truth."""
    (tmp_path / "own.py").write_text(_PROGRAM)
    played = play([], USER, agent_name=f"stdio:{sys.executable} {tmp_path / 'own.py'}")
    assert (played.trial.outcome, played.trial.error) == ("pass", None)


def test_a_customer_who_calls_without_end_is_cut_off(play: Any) -> None:
    played = play([], [calling(LOOK)] * 9, max_steps=7)
    assert (played.output["end"], played.verdict.outcome, played.output["steps"]) == ("max_steps", "fail", 0)
    assert len(played.output["observations"]) == 4  # the last is answered though it is the seventh message
    wrong = Call(name="refuel_data", arguments={})
    played = play([], [calling(wrong)] * 9, max_errors=3)
    assert (played.output["end"], len(played.output["observations"])) == ("too_many_errors", 3)
