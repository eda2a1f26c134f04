"""Going on from a step: whoever is asked next is shown, to the letter, what it was shown then."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.server import Action, Call, Say
from tests.suites.tau.conversation.stage import CANCEL_CALL, DONE, LOOK_CALL, STOP, Cast, Played, Stage
from trialkit.analysis.branch import trunk_of
from trialkit.cli.screen import open_screen
from trialkit.engine import Rerun, arm, branch_of, go_on, replay_run
from trialkit.runfile import RunFile

AGENT: Sequence[str | Action] = [
    "Which order?",
    Say(text="", calls=(LOOK_CALL,)),
    Say(text="", calls=(CANCEL_CALL,)),
    DONE,
]
USER = ["Cancel my order, please.", "#W1.", STOP]
GOOD = "Good: yes"


def gone_on(stage: Stage, played: Played, agent: Sequence[str | Action], user: Sequence[str | Action]) -> None:
    """From each step of the trial, to the same end."""
    bodies = [seen.body for seen in played.seen]
    with RunFile(played.path) as run:
        trunk = trunk_of(run, f"{played.trial.case_id}/1")
    rerun = Rerun.of(played.path)
    roles = [call.role for call in played.calls if call.phase == "attempt"]
    tried = 0
    for step in trunk.steps:
        if step.replies >= len(roles):
            continue
        begun = roles[: step.replies]
        stage.server.requests.clear()
        stage.server.behave(Cast(agent=agent[begun.count("agent") :], user=user[begun.count("user") :]))
        branch = branch_of(rerun, played.trial.id, step.number, step.replies, 1)
        (finished,) = go_on([arm(branch, {}, {})], open_screen)
        assert [seen.body for seen in stage.server.requests] == bodies[step.replies :]
        again = stage.look(finished.path)
        assert (again.trial.output, again.trial.outcome) == (played.trial.output, played.trial.outcome)
        assert replay_run(finished.path).differences == ()
        tried += 1
    assert tried >= 3


@pytest.mark.parametrize(
    "settings",
    [
        {"protocol": "openai"},
        {"protocol": "anthropic"},
        {"suite": "tau2/retail"},
        {"agent_name": "few-shot"},
    ],
    ids=str,
)
def test_from_each_step_the_same_is_asked(stage: Stage, settings: dict[str, Any]) -> None:
    if settings.get("agent_name") == "few-shot":
        path = stage.folder / "examples.jsonl"
        path.write_text("".join(json.dumps({"messages_display": f"user: sample {n}"}) + "\n" for n in range(50)))
        settings = {**settings, "few_shot_displays_path": path}
    played = stage.play(agent=AGENT, user=USER, **settings)
    gone_on(stage, played, AGENT, USER)


def test_with_a_user_whose_lines_are_checked(stage: Stage) -> None:
    user = ["Cancel my order.", GOOD, "#W1.", "Good: no", "It is #W1.", GOOD, STOP, GOOD]
    played = stage.play(agent=AGENT, user=user, user_strategy="verify")
    gone_on(stage, played, AGENT, user)


def test_with_a_user_who_has_tools(stage: Stage, tau2_home: Path) -> None:
    enable = Call(name="enable_roaming", arguments={"customer_id": "C1001", "line_id": "L1002"})
    look, toggle = (Call(name=name, arguments={}) for name in ("check_network_status", "toggle_roaming"))
    agent: list[str | Action] = [Say(text="", calls=(enable,)), "Please toggle roaming."]
    user: list[str | Action] = ["My data does not work.", Say(text="", calls=(look, toggle)), f"Works. {STOP}"]
    task = "[mobile_data_issue]user_abroad_roaming_disabled_off[PERSONA:Hard]"
    asked: dict[str, Any] = {"suite": "tau2/telecom", "task_split": "small", "task_ids": (task,), "data_dir": tau2_home}
    gone_on(stage, stage.play(agent=agent, user=user, **asked), agent, user)
