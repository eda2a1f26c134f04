"""Results as tau2 writes them: `timestamp`, `info`, `tasks`, `simulations`."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from trialkit.dialogue import End, WrittenCall
from trialkit.errors import InputError
from trialkit.runfile import Prompt
from trialkit.suites.tau import tau_suites
from trialkit.suites.tau.common.verdicts import BASES
from trialkit.suites.tau.importing import reading
from trialkit.suites.tau.importing.entries import Entry, RecordedTask, Results
from trialkit.suites.tau.importing.talk import Talk
from trialkit.suites.tau.v2.tasks import read_task

#: Role under which the file's own `info` and `timestamp` are kept, and the version.
INFO, IMPORTED = "results info", "tau2"
#: Under this name stands in our own exports what the format has no place for.
OWN = "trialkit"
#: In a message's `raw_data`: the places of calls whose arguments were no object; `arguments` in one is their text.
UNREAD = "unread_arguments"
#: An end of later versions than the wheel that says nothing about the agent: no verdict.
_INFRASTRUCTURE = "infrastructure_error"
#: How a conversation ended, in our words.
_ENDS: Mapping[str, End] = {
    "user_stop": "user_stop",
    "agent_stop": "agent_stop",
    "judge_stop": "judge_stop",
    "max_steps": "max_steps",
    "too_many_errors": "too_many_errors",
    "agent_error": "agent_error",
    "user_error": "user_error",
    _INFRASTRUCTURE: "agent_error",
}
_TRANSFER = "###TRANSFER###"


def read(value: object, path: Path, suite: str | None) -> Results:
    data = reading.an_object(value, str(path))
    info = reading.an_object(data.get("info") or {}, f"{path}, info")
    tasks: dict[str, RecordedTask] = {}
    for number, one in enumerate(reading.a_list(data.get("tasks") or [], f"{path}, tasks")):
        task = _task(one, path, number)
        tasks[task.read.id] = task
    simulations = reading.a_list(data.get("simulations"), f"{path}, simulations")
    if not simulations:
        raise InputError(f"{path}: holds no simulations; give a file with at least one")
    return Results(
        suite=suite or _detected(info, path),
        subject=_subject(info, path),
        entries=tuple(_entry(one, f"{path}, simulation {number}") for number, one in enumerate(simulations)),
        tasks=tasks,
        prompts=(_kept({"timestamp": data.get("timestamp"), "info": info}),),
    )


def _task(value: object, path: Path, number: int) -> RecordedTask:
    task = reading.an_object(value, f"{path}, task {number}")
    return RecordedTask(read=read_task(task, path, "tasks", str(number)), task=task)


def _entry(value: object, where: str) -> Entry:
    run = reading.an_object(value, where)
    reason = reading.a_text(run.get("termination_reason"), f"{where}.termination_reason")
    if reason not in _ENDS:
        raise reading.wrong(f"{where}.termination_reason", reason, f"one of {', '.join(_ENDS)}")
    talk = _talk(run.get("messages"), f"{where}.messages")
    reward_info = reading.an_object(run.get("reward_info") or {}, f"{where}.reward_info")
    own = _own(reward_info.get("info"))
    error = _error(run, reason, own)
    reward = None
    if error is None and reward_info:
        reward = reading.a_reward(reward_info.get("reward"), f"{where}.reward_info.reward")
    return Entry(
        where=where,
        task_id=reading.a_text(run.get("task_id"), f"{where}.task_id"),
        number=reading.a_count(run.get("trial") or 0, f"{where}.trial") + 1,
        output=talk.to_data(reading.an_end(own.get("end")) or _end(reason, talk)) if talk.messages else None,
        reward=reward,
        parts=_parts(reward_info.get("reward_breakdown"), f"{where}.reward_info.reward_breakdown"),
        error=error,
        costs=reading.costs_of(run),
        assertions=_assertions(reward_info.get("nl_assertions"), f"{where}.reward_info.nl_assertions"),
        source={
            "simulation": reading.without(run, "task_id", "trial", "termination_reason", "messages"),
            "termination_reason": reason,
            "extras": talk.extras if any(talk.extras) else [],
        },
    )


def _own(value: object) -> Mapping[str, object]:
    """What our own export put into a field that may hold anything."""
    own = value.get(OWN) if isinstance(value, dict) else None
    return own if isinstance(own, dict) else {}


def _error(run: Mapping[str, object], reason: str, own: Mapping[str, object]) -> str | None:
    """Why there is no verdict; tau2's wheel gives what it skips because of an error the reward 0."""
    if run.get("skipped"):
        return str(own.get("error") or "tau2 skipped the trial because of an error")
    return "tau2 recorded an infrastructure error" if reason == _INFRASTRUCTURE else None


def _talk(value: object, where: str) -> Talk:
    """tau2 executes all calls of a reply, and what is said beside them counts as said."""
    talk = Talk(responds=False)
    names: dict[str, str] = {}
    for here, message in _messages(value, where):
        role, text = message.get("role"), reading.a_text_or_nothing(message.get("content"), f"{here}.content")
        # What the provider sent is left behind: it is larger than all the rest, and says nothing more.
        extra = reading.without(message, "role", "content", "tool_calls", "raw_data", "id" if role == "tool" else "")
        if role == "user" and message.get("tool_calls"):
            calls = _calls(message["tool_calls"], (), f"{here}.tool_calls")
            names |= {call["id"]: call["name"] for call in calls}
            talk.called(text, calls, extra, by="user")
            for call in calls:
                talk.acted(call, by="user")
        elif role == "user":
            talk.user(text or "", extra)
        elif role == "assistant":
            unread = _own(message.get("raw_data")).get(UNREAD)
            places = unread if isinstance(unread, list) else ()
            calls = _calls(message.get("tool_calls"), places, f"{here}.tool_calls")
            names |= {call["id"]: call["name"] for call in calls}
            _move(talk, text, calls, extra)
        elif role == "tool":
            call_id = str(message.get("id") or "")
            requestor = message.get("requestor")
            talk.answered(call_id, names.get(call_id), text or "", extra, "user" if requestor == "user" else "agent")
        elif role != "system":
            raise reading.wrong(f"{here}.role", role, "user, assistant or tool")
    return talk


def _move(talk: Talk, text: str | None, calls: list[WrittenCall], extra: Mapping[str, object]) -> None:
    if not talk.messages and not calls:
        talk.wrote(text, extra)
        return
    talk.move()
    if not calls:
        talk.said(text, extra)
        return
    talk.called(text, calls, extra)
    if text and text.strip():
        talk.remarked(text)
    for call in calls:
        talk.acted(call)


def _messages(value: object, where: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """One by one; the answers to several calls may lie together in one message."""
    for number, one in enumerate(reading.a_list(value, where, "a list of messages")):
        here = f"{where}[{number}]"
        message = reading.an_object(one, here, "a message")
        if message.get("role") == "tool" and "tool_messages" in message:
            for place, part in enumerate(reading.a_list(message["tool_messages"], f"{here}.tool_messages")):
                there = f"{here}.tool_messages[{place}]"
                yield there, reading.an_object(part, there, "a message")
        else:
            yield here, message


def _calls(value: object, unread: Sequence[int], where: str) -> list[WrittenCall]:
    calls: list[WrittenCall] = []
    for number, one in enumerate(reading.a_list(value or [], where)):
        call = reading.an_object(one, f"{where}[{number}]")
        arguments = call.get("arguments")
        if number in unread and isinstance(arguments, dict):
            arguments = arguments.get("arguments")
        text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        name = reading.a_text(call.get("name"), f"{where}[{number}].name")
        calls.append({"id": str(call.get("id") or ""), "name": name, "arguments": text})
    return calls


def _end(reason: str, talk: Talk) -> End:
    """A user who asks to be transferred stops the conversation; our word for it is another."""
    said = next((message["content"] for message in reversed(talk.messages) if message["role"] == "user"), "")
    return "transfer" if reason == "user_stop" and _TRANSFER in (said or "") else _ENDS[reason]


def _parts(value: object, where: str) -> dict[str, float | None]:
    told = reading.an_object(value or {}, where)
    return {BASES.get(name, name): reading.a_reward(part, f"{where}.{name}") for name, part in told.items()}


def _assertions(value: object, where: str) -> dict[str, bool]:
    found = {}
    for number, one in enumerate(reading.a_list(value or [], where)):
        check = reading.an_object(one, f"{where}[{number}]")
        found[reading.a_text(check.get("nl_assertion"), f"{where}[{number}].nl_assertion")] = bool(check.get("met"))
    return found


def _detected(info: Mapping[str, object], path: Path) -> str:
    told = info.get("environment_info")
    domain = told.get("domain_name") if isinstance(told, dict) else None
    suites = {suite.domain: suite.name for suite in tau_suites("tau2")}
    if isinstance(domain, str) and domain in suites:
        return suites[domain]
    known = " or ".join(suites.values())
    if domain is None:
        raise InputError(f"{path}: info.environment_info.domain_name does not tell the domain; say --suite {known}")
    raise InputError(f"{path}: results of the domain {domain!r}, which trialkit does not have; it has {known}")


def _subject(info: Mapping[str, object], path: Path) -> str:
    agent = info.get("agent_info")
    told = (agent.get("llm"), agent.get("implementation")) if isinstance(agent, dict) else ()
    return next((name for name in told if isinstance(name, str) and name), path.stem)


def _kept(data: Mapping[str, object]) -> Prompt:
    text = json.dumps(data, ensure_ascii=False)
    return Prompt(role=INFO, version=IMPORTED, hash=hashlib.sha256(text.encode()).hexdigest(), text=text)
