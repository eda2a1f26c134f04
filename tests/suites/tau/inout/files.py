"""Results files in our own words, in the shapes that tau-bench and tau2 write."""

import json
from pathlib import Path
from typing import Any

from tests.suites.tau.domains import CANCEL, TASKS
from tests.suites.tau.v2 import tiny

LOOK = ("get_order_details", {"order_id": "#W1"})
DROP = (CANCEL["name"], CANCEL["kwargs"])
TRANSFER = ("transfer_to_human_agents", {"summary": "cannot"})
TASK: dict[str, Any] = TASKS[0] | {"outputs": ["30.3"]}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def says(text: str | None, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **more}


def calls(*named: tuple[str, Any], text: str | None = None, first: int = 0) -> dict[str, Any]:
    """An assistant message of tau-bench's with these calls; arguments may be a text."""
    written = [
        {
            "id": f"c{first + number}",
            "type": "function",
            "function": {"name": name, "arguments": kwargs if isinstance(kwargs, str) else json.dumps(kwargs)},
        }
        for number, (name, kwargs) in enumerate(named)
    ]
    return says(text, tool_calls=written)


def answer(text: str, number: int = 0, name: str = "tool") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"c{number}", "name": name, "content": text}


def entry(*messages: dict[str, Any], reward: float = 1.0, **parts: Any) -> dict[str, Any]:
    """One result of tau-bench's; `parts` replace what it has. `info` is added to."""
    told = {"reward": reward, "info": {"r_actions": reward, "gt_data_hash": "0"}, "actions": TASK["actions"]}
    info = {"task": TASK, "source": "user", "user_cost": 0.25, "reward_info": told} | parts.pop("info", {})
    traj = [{"role": "system", "content": "Be kind."}, *messages] if messages else []
    return {"task_id": 0, "reward": reward, "info": info, "traj": traj, "trial": 0} | parts


def crash(**parts: Any) -> dict[str, Any]:
    return {
        "task_id": 0,
        "reward": 0.0,
        "info": {"error": "it broke", "traceback": "line 1"},
        "traj": [],
        "trial": 0,
    } | parts


GOOD = (
    user("Hello, cancel it."),
    calls(DROP),
    answer("done", name=DROP[0]),
    says("You get 30.3 back."),
    user("Thanks ###STOP###"),
)


def simulation(*messages: dict[str, Any], reward: float | None = 1.0, **parts: Any) -> dict[str, Any]:
    told = {"reward": reward, "reward_breakdown": {"DB": reward, "COMMUNICATE": 1.0}, "nl_assertions": None}
    return {
        "id": "s0",
        "task_id": "t",
        "timestamp": "2025-01-01T00:00:00",
        "start_time": "2025-01-01T00:00:00",
        "end_time": "2025-01-01T00:00:09",
        "duration": 9.0,
        "termination_reason": "user_stop",
        "agent_cost": 0.5,
        "user_cost": 0.125,
        "reward_info": None if reward is None else told,
        "messages": list(messages),
        "trial": 0,
        "seed": 300,
    } | parts


def tau2_calls(*named: tuple[str, Any], text: str | None = None) -> dict[str, Any]:
    written = [
        {"id": f"c{number}", "name": name, "arguments": kwargs, "requestor": "assistant"}
        for number, (name, kwargs) in enumerate(named)
    ]
    return says(text, tool_calls=written, turn_idx=2, cost=0.25, usage={"prompt_tokens": 3}, raw_data={"big": "thing"})


def tau2_answer(text: str, number: int = 0) -> dict[str, Any]:
    return {"id": f"c{number}", "role": "tool", "content": text, "requestor": "assistant", "error": False}


TAU2_GOOD = (
    says("Hi! How can I help?", tool_calls=None, turn_idx=0),
    user("Cancel #W1."),
    tau2_calls(("cancel_pending_order", tiny.CANCEL)),
    tau2_answer('{"status": "cancelled"}'),
    says("Done."),
    user("###STOP###"),
)


def tau2_results(*simulations: dict[str, Any], tasks: Any = None, **info: Any) -> dict[str, Any]:
    told = {
        "num_trials": 1,
        "agent_info": {"implementation": "llm_agent", "llm": "some-model"},
        "environment_info": {"domain_name": "retail", "policy": "Be kind."},
    }
    return {
        "timestamp": "2025-01-01T00:00:00",
        "info": told | info,
        "tasks": [tiny.task()] if tasks is None else tasks,
        "simulations": list(simulations),
    }


def write(folder: Path, value: Any, name: str = "some-model.json") -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path
