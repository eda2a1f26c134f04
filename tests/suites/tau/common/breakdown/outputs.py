"""Outputs of trials, as the contract has them, made by playing actions in a session."""

from collections.abc import Mapping, Sequence
from typing import Any

from trialkit.dialogue import Output
from trialkit.suites.tau import RESPOND, Action, Domain, Task
from trialkit.suites.tau.common.breakdown import explain


def said(content: str) -> Action:
    return {"name": RESPOND, "kwargs": {"content": content}}


def output(domain: Domain, actions: Sequence[Action], end: str = "user_stop", **parts: Any) -> Output:
    """What a trial with these actions leaves; the user answers every reply with the stop word."""
    session = domain.open()
    observations = [
        "###STOP###"
        if action["name"] == RESPOND
        else session.call(action["name"], action["kwargs"], action.get("by", "agent"))
        for action in actions
    ]
    made: Any = {
        "end": end,
        "actions": list(actions),
        "action_steps": list(range(1, len(actions) + 1)),
        "observations": observations,
        "steps": len(actions),
        "turns": 1 + sum(action["name"] == RESPOND for action in actions),
        "notes": [],
        "messages": [{"role": "user", "content": "Hello"}],
    }
    played: Output = made | parts
    return played


def broken_down(
    domain: Domain, task: Task, actions: Sequence[Action], end: str = "user_stop", **parts: Any
) -> dict[str, Any]:
    scored = end in {"user_stop", "transfer", "agent_stop"}
    score = domain.score(task, actions) if scored else None
    return explain(domain, task, output(domain, actions, end, **parts), score)


def of_kind(breakdown: Mapping[str, Any], kind: str) -> list[dict[str, Any]]:
    return [item for item in breakdown["evidence"] if item["kind"] == kind]


def kinds(breakdown: Mapping[str, Any]) -> set[str]:
    return {item["kind"] for item in breakdown["evidence"]}
