"""Runs of our own as the benchmarks write theirs: read by what they promise, and read back by us."""

import json
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict

from tests.server import Call, Fault, Say, Server
from tests.suites.tau.conversation.stage import CANCEL_CALL, DONE, STOP, Stage, written
from tests.suites.tau.domains import CANCEL, POLICY
from tests.suites.tau.inout.files import write
from tests.suites.tau.inout.runs import export, import_file, trials
from tests.suites.tau.v2.tiny import task


@pytest.fixture
def stage(tmp_path: Path) -> Any:
    with Server() as server:
        yield Stage(tmp_path, server)


class Tau2Call(BaseModel):
    """As far as the classes of the wheel 26.3 are strict."""

    id: str
    name: str
    arguments: dict[str, Any]
    requestor: Literal["user", "assistant"]


class Tau2Message(BaseModel):
    role: Literal["system", "assistant", "user", "tool"]
    content: str | None
    tool_calls: list[Tau2Call] | None = None
    raw_data: dict[str, Any] | None = None


class Tau2RewardInfo(BaseModel):
    reward: float
    info: dict[str, Any] | None = None


class Tau2Simulation(BaseModel):
    model_config = ConfigDict(strict=True)

    id: str
    task_id: str
    start_time: str
    end_time: str
    duration: float
    termination_reason: Literal[
        "user_stop", "agent_stop", "judge_stop", "max_steps", "too_many_errors", "agent_error", "user_error"
    ]
    reward_info: Tau2RewardInfo
    messages: list[Tau2Message]
    skipped: bool


def again(path: Path) -> Path:
    """The run file that the export of this one is imported to; its own export is the same."""
    text = export(path)
    second = import_file(write(path.parent, text, f"{path.stem}.again.json"))
    assert export(second) == text
    return second


@pytest.mark.parametrize(
    "arguments", ["{'order_id': 1}", "[1]", '{"a": NaN}', '"arguments"', '{"a": ' + "[" * 250 + "]" * 250 + "}"]
)
def test_arguments_that_are_no_object_become_one_in_tau2s_file_and_come_back(stage: Stage, arguments: str) -> None:
    calls = (Call(name="get_order_details", arguments=arguments, id="a"), CANCEL_CALL)
    played = stage.play(suite="tau2/retail", agent=[Say(text="", calls=calls), "Done."], user=["Cancel.", STOP])
    (told,) = json.loads(export(played.path))["simulations"]
    simulation = Tau2Simulation.model_validate(told)
    calls_told = simulation.messages[2].tool_calls
    assert calls_told is not None
    bad, good = calls_told
    assert bad.arguments == {"arguments": arguments}
    assert good.arguments == CANCEL_CALL.arguments
    (back,) = trials(again(played.path))
    assert back.output == played.output
    assert back.outcome == played.trial.outcome


def test_an_object_that_looks_like_it_stays_what_it_is(stage: Stage) -> None:
    call = Call(name="get_order_details", arguments={"arguments": "x"})
    played = stage.play(suite="tau2/retail", agent=[Say(text="", calls=(call,)), "Done."], user=["Cancel.", STOP])
    (back,) = trials(again(played.path))
    assert back.output == played.output


def test_a_trial_in_error_is_in_tau2s_file_as_tau2_writes_it_and_comes_back(stage: Stage) -> None:
    played = stage.play(suite="tau2/retail", agent=[Fault(kind="context_overflow")], user=["Cancel."])
    assert played.trial.outcome == "error"
    (told,) = json.loads(export(played.path))["simulations"]
    simulation = Tau2Simulation.model_validate(told)
    assert (simulation.skipped, simulation.termination_reason, simulation.reward_info.reward) == (
        True,
        "agent_error",
        0.0,
    )
    (back,) = trials(again(played.path))
    assert (back.outcome, back.error, back.output) == ("error", played.trial.error, played.trial.output)


def test_a_verdict_that_could_not_be_had_keeps_the_end(stage: Stage) -> None:

    criteria = {"actions": [], "nl_assertions": ["It is kind."], "reward_basis": ["NL_ASSERTION"]}
    tasks = [task("t", evaluation_criteria=criteria)]
    played = stage.play(suite="tau2/retail", tasks=tasks, agent=["Bye."], user=["Hello.", STOP])
    assert (played.trial.outcome, played.output["end"]) == ("error", "user_stop")
    (back,) = trials(again(played.path))
    assert (back.outcome, back.output) == ("error", played.output)


def test_the_initial_state_of_a_tau2_task_is_exported(stage: Stage) -> None:

    state = {"initialization_data": {"agent_data": {"orders": {"#W2": {"status": "pending"}}}}}
    played = stage.play(suite="tau2/retail", tasks=[task(initial_state=state)], agent=["Bye."], user=["Hello.", STOP])
    (told,) = json.loads(export(played.path))["tasks"]
    assert told["initial_state"]["initialization_data"]["agent_data"] == {"orders": {"#W2": {"status": "pending"}}}


def test_tau_benchs_conversations_begin_with_the_policy(stage: Stage) -> None:
    played = stage.play(agent=[Say(text="", calls=(CANCEL_CALL,)), DONE], user=["Cancel it.", STOP])
    (entry,) = json.loads(export(played.path))
    assert entry["traj"][0] == {"role": "system", "content": POLICY}
    assert entry["traj"][1:2] == [{"role": "user", "content": "Cancel it."}]
    (back,) = trials(again(played.path))
    assert back.output == played.output


def test_without_the_content_it_is_left_out(stage: Stage) -> None:
    played = stage.play(agent=[DONE], user=["Hello.", STOP])
    (stage.folder / "shop").rename(stage.folder / "elsewhere")
    (entry,) = json.loads(export(played.path))
    assert entry["traj"][0]["role"] == "user"


def test_actions_that_were_written_as_text_are_exported_as_they_were_written(stage: Stage) -> None:
    thought = "Thought:\nThen I cancel it.\n" + written(CANCEL["name"], **CANCEL["kwargs"])
    reply = "Thought:\nI tell.\n" + written("respond", content="You get 30.3 back.")
    played = stage.play(agent_name="react", agent=[Say(text=None), thought, reply], user=["Cancel it.", STOP])
    (entry,) = json.loads(export(played.path))
    system, *rest = entry["traj"]
    assert system["role"] == "system"
    assert "cancel_pending_order" in system["content"]
    assert system["content"] == played.asked("agent")[0]["messages"][0]["content"]
    assert [message["role"] for message in rest] == ["user", "assistant", "user", "assistant", "user"]
    assert [rest[1]["content"], rest[3]["content"]] == [thought, reply]
    assert rest[2]["content"].startswith("API output: ")
    (back,) = trials(again(played.path))
    assert back.output is not None
    for part in ("end", "actions", "action_steps", "observations", "steps", "turns"):
        assert back.output[part] == played.output[part]
