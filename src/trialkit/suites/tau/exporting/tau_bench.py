"""A run as tau-bench's own runner would have written it: a list of `task_id`, `reward`, `info`, `traj`, `trial`."""

from collections.abc import Mapping
from typing import Any

from trialkit.runfile import RunFile
from trialkit.text.json import pretty

from .ended import Ended, ended_trials
from .words import as_written, system_message

#: The ends that the format cannot show; an entry of ours tells them beside its own fields.
_OWN_ENDS = frozenset({"agent_stop", "too_many_errors", "agent_error", "user_error"})


def tau_bench_report(run: RunFile) -> str:
    system = system_message(run)
    entries = [_entry(one, system, run) for one in ended_trials(run)]
    return pretty(entries)


def _entry(one: Ended, system: str | None, run: RunFile) -> dict[str, object]:
    task_id = one.case.id
    return {
        "task_id": int(task_id) if task_id.isascii() and task_id.isdecimal() else task_id,
        "reward": one.reward,
        "info": _crash(one, run) if one.error is not None else _info(one),
        "traj": _traj(one, system, run),
        "trial": one.row.number - 1,
        **one.source.get("entry", {}),
    }


def _crash(one: Ended, run: RunFile) -> Mapping[str, Any]:
    if one.source:
        return {**_task(one), **one.source["info"]}
    traces = [event.data["traceback"] for event in run.transcript(one.row.id) if event.kind == "crash"]
    return {"error": one.error, "traceback": traces[-1] if traces else ""}


def _info(one: Ended) -> dict[str, object]:
    info = _task(one)
    if one.source:
        return {**info, **one.source["info"]}
    end, actions = one.output["end"], one.output["actions"]
    info["source"] = actions[-1]["name"] if actions and actions[-1]["name"] != "respond" else "user"
    info["user_cost"] = one.row.cost_of("user")
    info["reward_info"] = _reward_info(one)
    return info | ({"trialkit": {"end": end}} if end in _OWN_ENDS else {})


def _task(one: Ended) -> dict[str, object]:
    data = one.case.data
    if data.get("task") is not None:
        return {"task": data["task"]}
    if data.get("actions") is None:
        return {}
    return {"task": {name: data[name] for name in ("user_id", "actions", "instruction", "outputs")}}


def _reward_info(one: Ended) -> dict[str, object] | None:
    """Null where nothing was scored. Unlike the original we keep both parts where there are both."""
    parts = one.details.get("parts")
    if not parts:
        return None
    info = {name: parts[ours] for name, ours in (("r_actions", "db"), ("r_outputs", "outputs")) if ours in parts}
    if "r_outputs" in info:
        info["outputs"] = {output: output not in one.unsaid() for output in one.case.data["outputs"]}
    return {"reward": one.reward, "info": info, "actions": one.case.data["actions"]}


def _traj(one: Ended, system: str | None, run: RunFile) -> list[dict[str, object]]:
    messages = as_written(run, one) or [{**_message(message), **extra} for _, message, extra in one.messages()]
    return [{"role": "system", "content": system}, *messages] if messages and system is not None else messages


def _message(message: Mapping[str, Any]) -> dict[str, object]:
    calls = [
        {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": call["arguments"]}}
        for call in message.get("tool_calls", ())
    ]
    return {**message, "tool_calls": calls} if calls else dict(message)
