"""The agents, as their models see them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.server import Call, Protocol, Say
from tests.suites.tau.conversation.stage import CANCEL_CALL, DONE, LOOK_CALL, STOP, TASKS, Played, Stage, written
from tests.suites.tau.domains import CANCEL
from trialkit.engine import replay_run
from trialkit.errors import InputError

CANCEL_TEXT = written("cancel_pending_order", **CANCEL["kwargs"])
REPLY_TEXT = written("respond", content="Cancelled; you get 30.3 back.")


@pytest.mark.parametrize(
    "choice", [{"agent_name": "act"}, {"agent_name": "react"}, {"use_reasoning": True}, {"use_reasoning": False}]
)
def test_act_and_react_write_their_calls_as_text(stage: Stage, choice: dict[str, Any]) -> None:
    thinks = choice in ({"agent_name": "react"}, {"use_reasoning": True})
    thought = "Thought:\nThe order is pending.\n" if thinks else ""
    played = play_text(stage, [thought + CANCEL_TEXT, thought + REPLY_TEXT], **choice)
    assert played.verdict.outcome == "pass"
    first, second = played.asked("agent")
    system = first["messages"][0]["content"]
    assert system.startswith("# Policy")
    assert '"cancel_pending_order"' in system
    assert "{tools}" not in system
    assert ("Thought:" in system) == bool(thought)
    assert "tools" not in first
    assert second["messages"][2] == {"role": "assistant", "content": thought + CANCEL_TEXT}
    assert second["messages"][3]["role"] == "user"
    assert second["messages"][3]["content"].startswith("API output: {")
    assert not any("The order is pending" in json.dumps(body) for body in played.asked("user"))
    assert played.output["messages"][1]["tool_calls"][0]["name"] == "cancel_pending_order"


def play_text(stage: Stage, lines: list[str], *, user: Sequence[str] = (STOP,), **settings: Any) -> Played:
    return stage.play(agent=lines, user=["Cancel it.", *user], **settings)


def test_what_is_not_json_after_action_is_the_reply(stage: Stage) -> None:
    lines = ["Thought: hm\nAction:\nWhich order?", "Just text.", 'Action: {"arguments": {}}']
    played = play_text(stage, lines, agent_name="react", user=["#W1", "And?", STOP])
    said = [action["kwargs"]["content"] for action in played.output["actions"]]
    assert said == ["Which order?", "Just text.", '{"arguments": {}}']
    assert played.rules == ["not_an_action"] * 3


def test_the_last_action_of_a_text_counts(stage: Stage) -> None:
    played = play_text(stage, [f"{written('fly')}\n{CANCEL_TEXT}", REPLY_TEXT], agent_name="act")
    assert [action["name"] for action in played.output["actions"]] == ["cancel_pending_order", "respond"]


def test_an_action_with_arguments_that_are_no_object_is_answered_so(stage: Stage) -> None:
    played = play_text(stage, ['Action: {"name": "think", "arguments": [1]}', REPLY_TEXT], agent_name="act")
    assert "invalid_arguments" in played.rules
    assert played.asked("agent")[1]["messages"][-1]["content"].startswith("API output: Error: ")


def test_few_shot_draws_its_examples_with_the_seed(stage: Stage) -> None:
    path = stage.folder / "examples.jsonl"
    path.write_text("".join(json.dumps({"messages_display": f"user: sample {n}"}) + "\n" for n in range(50)))
    settings: dict[str, Any] = {"agent_name": "few-shot", "few_shot_displays_path": path}
    agent, user = [Say(text="", calls=(CANCEL_CALL,)), DONE], ["Cancel it.", STOP]

    def systems(**more: Any) -> tuple[Path, list[str]]:
        stage.server.requests.clear()
        played = stage.play(agent=agent * 2, user=user * 2, trials=2, **settings, **more)
        bodies = [body for body in played.asked("agent") if len(body["messages"]) == 2]
        return played.path, [body["messages"][0]["content"] for body in bodies]

    run, (first, second) = systems()
    assert first.startswith("# Policy")
    assert first.count("user: sample ") == 5
    assert first != second
    assert systems()[1] == [first, second]
    assert systems(seed=11)[1] != [first, second]
    path.unlink()  # the run holds what it was shown
    assert not replay_run(run).differences


def test_few_shot_needs_a_file_that_it_can_read(stage: Stage) -> None:
    with pytest.raises(InputError, match="--few-shot-displays-path FILE"):
        stage.play(agent_name="few-shot")
    path = stage.folder / "examples.jsonl"
    path.write_text('{"messages_display": "a"}\n{"messages": "b"}\n')
    with pytest.raises(InputError, match=r"examples.jsonl, line 2"):
        stage.play(agent_name="few-shot", few_shot_displays_path=path)


def test_the_oracle_asks_no_model(stage: Stage) -> None:
    played = stage.play(agent_name="oracle", task_ids="0,1", api_base=None)
    assert [trial.outcome for trial in played.trials] == ["pass", "pass"]
    assert played.calls == []
    assert played.trials[0].output is not None
    assert played.trials[0].output["messages"][0]["content"] == TASKS[0]["instruction"]


def test_the_oracle_has_no_use_for_a_simulated_user(stage: Stage) -> None:
    with pytest.raises(InputError, match="scripted user only"):
        stage.play(agent_name="oracle", user_strategy="llm")


def test_the_oracle_transfers_last(stage: Stage) -> None:
    transfer = {"name": "transfer_to_human_agents", "kwargs": {"summary": "?"}}
    task = {**TASKS[0], "actions": [transfer, CANCEL], "outputs": []}
    played = stage.play(agent_name="oracle", tasks=[task])
    assert (played.output["end"], played.verdict.outcome) == ("transfer", "pass")


def test_an_own_prompt_is_used_and_recorded(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(stage.folder)
    prompts = stage.folder / "agent_prompts"
    prompts.mkdir()
    (prompts / "mine.txt").write_text("Terse. {policy} {tools}")
    played = play_text(stage, [CANCEL_TEXT, REPLY_TEXT], agent_name="act", agent_prompt="mine")
    assert played.asked("agent")[0]["messages"][0]["content"].startswith("Terse. # Policy")
    (prompts / "mine.txt").write_text("Terse. {policy}")
    with pytest.raises(InputError, match=r"has no \{tools\}"):
        play_text(stage, [], agent_name="act", agent_prompt="mine")


def test_a_prompt_that_the_agent_would_not_read_is_refused(stage: Stage) -> None:
    with pytest.raises(InputError, match="--agent-prompt mine: the agent tool-calling is told the policy"):
        play_text(stage, [], agent_name="tool-calling", agent_prompt="mine")


def test_a_seed_is_sent_and_differs_from_trial_to_trial(stage: Stage) -> None:
    played = stage.play(
        agent=[Say(text="", calls=(Call(name="think", arguments={"thought": ""}),)), "Bye."] * 2,
        user=["Hello.", STOP] * 2,
        trials=2,
        seed=7,
    )
    seeds = [body["seed"] for body in played.asked("agent")]
    assert len(seeds) == 4
    assert len(set(seeds)) == 2
    assert set(seeds) == {body["seed"] for body in played.asked("user")}


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_what_an_agent_thought_goes_back_as_it_came(stage: Stage, protocol: Protocol) -> None:
    both = Say(text="Two steps.", calls=(LOOK_CALL, CANCEL_CALL))
    lines = [both, Say(text="", calls=(CANCEL_CALL,)), DONE]
    played = stage.play(protocol=protocol, thinking=True, agent=lines, user=["Cancel it.", STOP])
    assert played.verdict.outcome == "pass"
    told = [call.reply.state for call in played.calls if call.role == "agent" and call.reply]
    assert all(state and "thought" in json.dumps(state[protocol]) for state in told)
    assert any(event.data.get("state") for event in played.events)
    asked = len(played.seen)
    assert replay_run(played.path).differences == ()
    assert len(stage.server.requests) == asked


def test_a_text_agent_brings_its_thoughts_back_too(stage: Stage) -> None:
    played = play_text(stage, [CANCEL_TEXT, REPLY_TEXT], agent_name="act", thinking=True)
    second = played.asked("agent")[1]["messages"]
    assert second[2] == {"role": "assistant", "content": CANCEL_TEXT, "reasoning_content": "thought 1 🌽"}
