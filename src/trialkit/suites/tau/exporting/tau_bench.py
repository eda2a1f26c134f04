"""A run as tau-bench's own runner would have written it: a list of `task_id`, `reward`, `info`, `traj`, `trial`.

An agent's own words are written too: its system message, and actions that it wrote as text.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from trialkit.agents.text import RESULT
from trialkit.errors import InputError
from trialkit.runfile import Event, RunFile
from trialkit.suites.tau import load_domain
from trialkit.suites.tau.content import digest
from trialkit.suites.tau.importing.executed import APART
from trialkit.suites.tau.importing.tau_bench import SYSTEM, are_actions
from trialkit.suites.tau.prompting import agent_system
from trialkit.text.json import pretty

from .ended import Ended, ended_trials

#: The ends that the format cannot show; an entry of ours tells them beside its own fields.
_OWN_ENDS = frozenset({"agent_stop", "too_many_errors", "agent_error", "user_error"})


def tau_bench_report(run: RunFile) -> str:
    system = _system_message(run)
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
    messages = _as_written(run, one) or [
        {**_message(message), **extra} for _, message, extra in one.messages() if APART not in extra
    ]
    return [{"role": "system", "content": system}, *messages] if messages and system is not None else messages


def _message(message: Mapping[str, Any]) -> dict[str, object]:
    calls = [
        {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": call["arguments"]}}
        for call in message.get("tool_calls", ())
    ]
    return {**message, "tool_calls": calls} if calls else dict(message)


def _system_message(run: RunFile) -> str | None:
    """As it was imported, or put together anew; None if it is not known, or not the same in all trials."""
    prompts = {prompt.role: prompt.text for prompt in run.prompts()}
    if SYSTEM in prompts:
        return prompts[SYSTEM]
    info = run.info()
    content = info.versions.get(f"{info.suite} sha256")
    if content is None or "examples" in prompts:
        return None
    try:
        domain = load_domain(info.suite, info.settings.get("data_dir"))
        if digest(domain, info.settings["task_split"]) != content:
            return None  # the content changed since
    except InputError:
        return None
    return agent_system(domain, prompts["agent"]) if "agent" in prompts else domain.policy


def _as_written(run: RunFile, one: Ended) -> list[dict[str, object]] | None:
    """The conversation as an agent that writes its actions as text had it; None if this is not one."""
    if one.source or not any(prompt.role == "agent" for prompt in run.prompts()):
        return None
    texts = list(_texts(run.transcript(one.row.id)))
    messages = one.output.get("messages", ())
    if len(texts) != sum(message["role"] == "assistant" for message in messages):
        return None
    left = iter(texts)
    found = [_as_text(message, left) for message in messages]
    return found if are_actions(texts) else None


def _texts(events: list[Event]) -> Iterator[str]:
    """For each move of the agent's, the reply that it was read from: the last one before it."""
    reply = ""
    for event in events:
        if event.kind == "reply" and event.data["role"] == "agent":
            reply = event.data.get("text") or ""
        elif event.kind == "tool calls" or (event.kind == "message" and event.data["role"] == "assistant"):
            yield reply


def _as_text(message: Mapping[str, Any], texts: Iterator[str]) -> dict[str, object]:
    if message["role"] == "assistant":
        return {"role": "assistant", "content": next(texts)}
    if message["role"] == "tool":
        return {"role": "user", "content": f"{RESULT}{message['content']}"}
    return dict(message)
