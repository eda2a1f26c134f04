"""Results as tau2 writes them: `timestamp`, `info`, `tasks`, `simulations`."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from trialkit.dialogue import By, End, WrittenCall
from trialkit.errors import InputError
from trialkit.suites.prompts import new_prompt
from trialkit.suites.tau import tau_suites
from trialkit.suites.tau.common.verdicts import BASES
from trialkit.suites.tau.v2.tasks import read_task
from trialkit.text.json import JsonObject

from . import apart
from .reading import Entry, Form, RecordedTask, Results, Reward, Whole, an_end, costs_of, read_form, without
from .talk import Talk

#: Role under which the file's own `info` and `timestamp` are kept.
INFO = "results info"
#: Under this name stands in our own exports what the format has no place for.
OWN = "trialkit"
#: In a message's `raw_data`: the places of calls whose arguments were no object; `arguments` in one is their text.
UNREAD = "unread_arguments"
#: How a conversation ended. Later versions than the wheel know an end that says nothing about the agent: no verdict.
_Reason = Literal[End, "infrastructure_error"]
_TRANSFER = "###TRANSFER###"


class _Call(Form):
    id: object = None
    name: str
    arguments: object = None

    def written(self, *, unread: bool = False) -> WrittenCall:
        arguments = self.arguments
        if unread and isinstance(arguments, dict):
            arguments = arguments.get("arguments")
        text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
        return {"id": str(self.id or ""), "name": self.name, "arguments": text}


class _Message(Form):
    role: Literal["system", "user", "assistant", "tool"]
    content: str | None = None
    tool_calls: list[_Call] | None = None
    #: What the provider sent is left behind: it is larger than all the rest, and says nothing more.
    raw_data: object = None
    tool_messages: list["_Message"] | None = None

    @property
    def by(self) -> By:
        return "user" if self.role == "user" or self.rest.get("requestor") == "user" else "agent"

    def calls(self) -> list[WrittenCall]:
        unread = _own(self.raw_data).get(UNREAD)
        places = unread if isinstance(unread, list) else ()
        return [call.written(unread=place in places) for place, call in enumerate(self.tool_calls or ())]


class _Assertion(Form):
    nl_assertion: str
    met: object = None


class _RewardInfo(Form):
    reward: Reward | None = None
    reward_breakdown: dict[str, Reward] | None = None
    nl_assertions: list[_Assertion] | None = None
    info: object = None


class _Simulation(Form):
    task_id: str
    trial: Whole | None = None
    termination_reason: _Reason
    reward_info: _RewardInfo | None = None
    skipped: object = None
    messages: list[_Message]


class _File(Form):
    timestamp: object = None
    info: JsonObject | None = None
    tasks: list[JsonObject] | None = None
    simulations: list[JsonObject] | None = None


def read(value: JsonObject, path: Path, suite: str | None) -> Results:
    data = read_form(_File, value, str(path))
    info = data.info or {}
    kept = {"timestamp": data.timestamp, "info": info}
    recorded = [
        RecordedTask(read=read_task(task, path, "tasks", str(number)), task=task)
        for number, task in enumerate(data.tasks or ())
    ]
    beside = () if data.simulations is not None else apart.files(path, value.get("simulation_index"))
    raws = [(str(one), apart.read(one)) for one in beside] or [
        (f"{path}, simulation {number}", raw) for number, raw in enumerate(data.simulations or ())
    ]
    if not raws:
        raise InputError(f"{path}: holds no simulations; give a file with at least one")
    return Results(
        suite=suite or _detected(info, path),
        subject=_subject(info, path),
        entries=tuple(_entry(raw, where) for where, raw in raws),
        tasks={task.read.id: task for task in recorded},
        prompts=(new_prompt(INFO, "tau2", json.dumps(kept, ensure_ascii=False)),),
        beside=tuple(beside),
    )


def _entry(raw: JsonObject, where: str) -> Entry:
    run = read_form(_Simulation, raw, where)
    talk, rewarded = _talk(run.messages), run.reward_info or _RewardInfo()
    own = _own(rewarded.info)
    error = _error(run, own)
    return Entry(
        where=where,
        task_id=run.task_id,
        number=(run.trial or 0) + 1,
        output=talk.to_data(an_end(own.get("end")) or _end(run, talk)) if talk.messages else None,
        reward=rewarded.reward if error is None else None,
        parts={BASES.get(name, name): part for name, part in (rewarded.reward_breakdown or {}).items()},
        error=error,
        costs=costs_of(run.rest),
        assertions={one.nl_assertion: bool(one.met) for one in rewarded.nl_assertions or ()},
        source={
            "simulation": without(raw, "task_id", "trial", "termination_reason", "messages"),
            "termination_reason": run.termination_reason,
            "extras": talk.extras if any(talk.extras) else [],
        },
    )


def _own(value: object) -> JsonObject:
    """What our own export put into a field that may hold anything."""
    own = value.get(OWN) if isinstance(value, dict) else None
    return own if isinstance(own, dict) else {}


def _error(run: _Simulation, own: JsonObject) -> str | None:
    """Why there is no verdict; tau2's wheel gives what it skips because of an error the reward 0."""
    if run.skipped:
        return str(own.get("error") or "tau2 skipped the trial because of an error")
    return "tau2 recorded an infrastructure error" if run.termination_reason == "infrastructure_error" else None


def _talk(messages: Sequence[_Message]) -> Talk:
    """tau2 executes all calls of a reply, and what is said beside them counts as said."""
    talk = Talk(responds=False)
    names: dict[str, str] = {}
    for message in _one_by_one(messages):
        text, calls, extra = message.content, message.calls(), message.rest
        names |= {call["id"]: call["name"] for call in calls}
        if message.role == "tool":
            call_id = str(extra.get("id") or "")
            talk.tool_answers(call_id, names.get(call_id), text or "", without(extra, "id"), message.by)
        elif message.role == "assistant":
            _move(talk, text, calls, extra)
        elif message.role == "user" and calls:
            talk.write_calls(text, calls, extra, "user")
            for call in calls:
                talk.execute(call, "user")
        elif message.role == "user":
            talk.user_says(text or "", extra)
    return talk


def _move(talk: Talk, text: str | None, calls: list[WrittenCall], extra: JsonObject) -> None:
    if not talk.messages and not calls:
        talk.agent_writes(text, extra)
        return
    talk.agent_moves()
    if not calls:
        talk.agent_says(text, extra)
        return
    talk.write_calls(text, calls, extra)
    if text and text.strip():
        talk.remark(text)
    for call in calls:
        talk.execute(call)


def _one_by_one(messages: Sequence[_Message]) -> Iterator[_Message]:
    """The answers to several calls may lie together in one message."""
    for message in messages:
        if message.role == "tool" and message.tool_messages is not None:
            yield from message.tool_messages
        else:
            yield message


def _end(run: _Simulation, talk: Talk) -> End:
    """A user who asks to be transferred stops the conversation; our word for it is another."""
    if run.termination_reason == "infrastructure_error":
        return "agent_error"
    last = next((message["content"] for message in reversed(talk.messages) if message["role"] == "user"), "")
    return "transfer" if run.termination_reason == "user_stop" and _TRANSFER in (last or "") else run.termination_reason


def _detected(info: JsonObject, path: Path) -> str:
    environment = info.get("environment_info")
    domain = environment.get("domain_name") if isinstance(environment, dict) else None
    suites = {suite.domain: suite.name for suite in tau_suites("tau2")}
    if isinstance(domain, str) and domain in suites:
        return suites[domain]
    known = " or ".join(suites.values())
    if domain is None:
        raise InputError(f"{path}: info.environment_info.domain_name does not tell the domain; say --suite {known}")
    raise InputError(f"{path}: results of the domain {domain!r}, which trialkit does not have; it has {known}")


def _subject(info: JsonObject, path: Path) -> str:
    agent = info.get("agent_info")
    names = (agent.get("llm"), agent.get("implementation")) if isinstance(agent, dict) else ()
    return next((name for name in names if isinstance(name, str) and name), path.stem)
