"""Results as tau-bench's own runner writes them: a list of `task_id`, `reward`, `info`, `traj`, `trial`."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trialkit.agents.text import LABEL, read_action
from trialkit.dialogue import RESPOND, End, WrittenCall
from trialkit.errors import InputError
from trialkit.runfile import Prompt
from trialkit.suites.tau import TauSuite, tau_suites
from trialkit.suites.tau.common.domain import TRANSFER
from trialkit.suites.tau.common.tasks import Task
from trialkit.suites.tau.importing import reading
from trialkit.suites.tau.importing.entries import Entry, RecordedTask, Results
from trialkit.suites.tau.importing.talk import Talk

STOP = "###STOP###"
#: Role and version of the agent's system message, where a file has one for all its trials.
SYSTEM, IMPORTED = "system", "imported"


def read(value: object, path: Path, suite: str | None) -> Results:
    entries: list[Entry] = []
    tasks: dict[str, RecordedTask] = {}
    systems: set[str] = set()
    for number, one in enumerate(reading.a_list(value, str(path))):
        where = f"{path}, entry {number}"
        data = reading.an_object(one, where, "an object with task_id, reward, info and traj")
        info = reading.an_object(data.get("info"), f"{where}.info")
        messages = _messages(data.get("traj"), f"{where}.traj")
        systems.update(message.get("content") or "" for message in messages if message["role"] == "system")
        entry = _entry(data, info, messages, where)
        entries.append(entry)
        if info.get("task") is not None and entry.task_id not in tasks:
            tasks[entry.task_id] = _task(info["task"], entry.task_id, f"{where}.info.task")
    if not entries:
        raise InputError(f"{path}: holds no results; give a file with at least one")
    return Results(
        suite=suite or _detected(entries, tasks, path),
        subject=path.stem,
        entries=tuple(entries),
        tasks=tasks,
        prompts=_prompts(systems),
    )


def _entry(data: Mapping[str, Any], info: Mapping[str, Any], messages: Sequence[Any], where: str) -> Entry:
    talk = _talk(messages, where)
    error = info.get("error")
    crashed = error is not None or (info.get("traceback") is not None and not messages)
    return Entry(
        where=where,
        task_id=_task_id(data.get("task_id"), f"{where}.task_id"),
        number=reading.a_count(data.get("trial", 0), f"{where}.trial") + 1,
        output=talk.to_data(_end(talk, info)) if talk.messages else None,
        reward=None if crashed else reading.a_reward(data.get("reward"), f"{where}.reward"),
        parts=_parts(info.get("reward_info"), f"{where}.info.reward_info"),
        error=str(error or "the recorded run crashed") if crashed else None,
        traceback=reading.a_text_or_nothing(info.get("traceback"), f"{where}.info.traceback"),
        costs=reading.costs_of(info),
        source={
            "entry": reading.without(data, "task_id", "reward", "info", "traj", "trial"),
            "info": reading.without(info, "task"),
            "extras": talk.extras if any(talk.extras) else [],
        },
    )


def _task_id(value: object, where: str) -> str:
    if isinstance(value, str) and value:
        return value
    return str(reading.a_count(value, where))


def _task(value: object, task_id: str, where: str) -> RecordedTask:
    task = reading.an_object(value, where)
    read = Task(
        id=task_id,
        split="",  # the file does not tell
        user_id=reading.a_text_or_nothing(task.get("user_id"), f"{where}.user_id"),
        instruction=reading.a_text(task.get("instruction"), f"{where}.instruction"),
        actions=tuple(reading.actions_of(task.get("actions"), f"{where}.actions")),
        outputs=tuple(reading.texts_of(task.get("outputs", []), f"{where}.outputs")),
    )
    return RecordedTask(read=read, task=task)


def _messages(value: object, where: str) -> list[Mapping[str, Any]]:
    messages = []
    for number, one in enumerate(reading.a_list(value, where, "a list of messages")):
        here = f"{where}[{number}]"
        message = reading.an_object(one, here, "a message")
        if message.get("role") not in ("system", "user", "assistant", "tool"):  # a tuple: it may be a list
            raise reading.wrong(f"{here}.role", message.get("role"), "system, user, assistant or tool")
        reading.a_text_or_nothing(message.get("content"), f"{here}.content")
        messages.append(message)
    return messages


def _talk(messages: Sequence[Mapping[str, Any]], where: str) -> Talk:
    talk = Talk(responds=True, ending_tools=frozenset({TRANSFER}))
    as_text = is_text_protocol(messages)
    waits_for_tool = False
    for number, message in enumerate(messages):
        role, text = message["role"], message.get("content")
        extra = reading.without(message, "role", "content", "tool_calls", "tool_call_id", "name")
        if role == "user":
            (talk.told if waits_for_tool else talk.user)(text or "", extra)
            waits_for_tool = False
        elif role == "tool":
            call_id = str(message.get("tool_call_id") or "")
            talk.answered(call_id, message.get("name"), text or "", extra)
        elif role == "assistant":
            talk.move()
            calls = _calls(message.get("tool_calls"), f"{where}.traj[{number}].tool_calls")
            if calls:
                _call(talk, text, calls, extra)
            elif as_text:
                waits_for_tool = _written(talk, text or "", extra)
            else:
                talk.said(text, extra)
    return talk


def _calls(value: object, where: str) -> list[WrittenCall]:
    calls: list[WrittenCall] = []
    for number, one in enumerate(reading.a_list(value or [], where)):
        call = reading.an_object(one, f"{where}[{number}]")
        function = reading.an_object(call.get("function"), f"{where}[{number}].function")
        calls.append(
            {
                "id": str(call.get("id") or ""),
                "name": reading.a_text(function.get("name"), f"{where}[{number}].function.name"),
                "arguments": reading.a_text(function.get("arguments"), f"{where}[{number}].function.arguments"),
            }
        )
    return calls


def _call(talk: Talk, text: str | None, calls: list[WrittenCall], extra: Mapping[str, Any]) -> None:
    """tau-bench executes only the first call of a reply."""
    talk.called(text, calls, extra)
    if len(calls) > 1:
        detail = f"only the first call of a reply is executed, not {', '.join(call['name'] for call in calls[1:])}"
        talk.note("parallel_calls_dropped", detail)
    talk.acted(calls[0])


def is_text_protocol(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the agent wrote its actions as text, as `act` and `react` do."""
    if any(message.get("tool_calls") or message["role"] == "tool" for message in messages):
        return False
    written = (message.get("content") or "" for message in messages if message["role"] == "assistant")
    return any(read_action(text.rpartition(LABEL)[2]) is not None for text in written)


def _written(talk: Talk, text: str, extra: Mapping[str, Any]) -> bool:
    """Whether it is a tool that answers next. What is no action is a reply to the user."""
    after = text.rpartition(LABEL)[2]
    action = read_action(after)
    if action is None:
        talk.said(text, extra, heard=after.strip())
        return False
    arguments = action.get("arguments", {})
    if action["name"] == RESPOND and isinstance(arguments, dict):
        talk.said(text, extra, heard=str(arguments.get("content", "")))
        return False
    talk.wrote(text, extra)
    talk.acted({"id": "written", "name": action["name"], "arguments": json.dumps(arguments)})
    return True


def _end(talk: Talk, info: Mapping[str, Any]) -> End:
    """As the conversation shows it; `info.trialkit` is what our own export adds where it does not."""
    own = info.get("trialkit")
    if isinstance(own, dict) and (end := reading.an_end(own.get("end"))):
        return end
    if talk.actions and talk.actions[-1]["name"] == TRANSFER:
        return "transfer"
    # Whatever was scored had come to an end.
    if info.get("reward_info") is not None:
        return "user_stop"
    last = talk.messages[-1]
    return "user_stop" if last["role"] == "user" and STOP in (last["content"] or "") else "max_steps"


def _parts(value: object, where: str) -> dict[str, float | None]:
    if value is None:
        return {}
    told = reading.an_object(value, where).get("info")
    names = {"r_actions": "db", "r_outputs": "outputs"}
    if not isinstance(told, dict):
        return {}
    return {ours: reading.a_reward(told[name], f"{where}.info.{name}") for name, ours in names.items() if name in told}


def _detected(entries: Sequence[Entry], tasks: Mapping[str, RecordedTask], path: Path) -> str:
    """The domain that alone has the tools which should have been called, or else those which were."""
    wanted = {action["name"] for task in tasks.values() for action in task.read.actions}
    # Agents call tools that they have not got; the ground truth does not.
    called = {action["name"] for entry in entries if entry.output for action in entry.output["actions"]}
    suites = tau_suites("tau-bench")
    for names in (wanted, wanted | called):
        fits = [one for one in suites if names & one.tool_names.difference(*_others(one, suites))]
        if len(fits) == 1:
            return fits[0].name
    known = " or ".join(suite.name for suite in suites)
    raise InputError(f"{path}: the tools that are called do not tell the domain; say it with --suite {known}")


def _others(suite: TauSuite[Any], suites: Sequence[TauSuite[Any]]) -> list[frozenset[str]]:
    return [other.tool_names for other in suites if other is not suite]


def _prompts(systems: set[str]) -> tuple[Prompt, ...]:
    """The system message, where all trials had the same."""
    if len(systems) != 1:
        return ()
    (text,) = systems
    return (Prompt(role=SYSTEM, version=IMPORTED, hash=hashlib.sha256(text.encode()).hexdigest(), text=text),)
