"""Results as tau-bench's own runner writes them: a list of `task_id`, `reward`, `info`, `traj`, `trial`."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from trialkit.agents.text import LABEL, read_action
from trialkit.dialogue import RESPOND, End, WrittenCall
from trialkit.errors import InputError
from trialkit.suites.prompts import new_prompt
from trialkit.suites.tau import tau_suites
from trialkit.suites.tau.common.domain import TRANSFER
from trialkit.suites.tau.v1.content import WrittenTask
from trialkit.text.json import JsonObject

from .executed import ExecutedCommand, add_calls
from .reading import Entry, Form, RecordedTask, Results, Reward, Whole, an_end, costs_of, read_form, without
from .talk import Talk

STOP = "###STOP###"
#: Role of the agent's system message, where a file has one for all its trials.
SYSTEM = "system"


def _as_text(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else value


class _Function(Form):
    name: str
    arguments: str


class _Call(Form):
    id: object = None
    function: _Function

    def written(self) -> WrittenCall:
        return {"id": str(self.id or ""), "name": self.function.name, "arguments": self.function.arguments}


class _Message(Form):
    role: Literal["system", "user", "assistant", "tool"]
    content: str | None = None
    name: str | None = None
    tool_call_id: object = None
    tool_calls: list[_Call] | None = None


class _Rewarded(Form):
    r_actions: Reward | None = None
    r_outputs: Reward | None = None
    outputs: object = None  # by output, whether it was said


class _RewardInfo(Form):
    info: _Rewarded | None = None


class _Info(Form):
    task: WrittenTask | None = None
    error: object = None
    traceback: str | None = None
    reward_info: _RewardInfo | None = None
    executed_actions: list[ExecutedCommand] | None = None


class _Entry(Form):
    task_id: Annotated[str, BeforeValidator(_as_text), Field(min_length=1)]
    reward: object = None
    trial: Whole = 0
    info: _Info
    traj: list[_Message]


class _Scored(Form):
    reward: Reward


def read(value: Sequence[JsonObject], path: Path, suite: str | None) -> Results:
    entries: list[Entry] = []
    tasks: dict[str, RecordedTask] = {}
    systems: set[str] = set()
    for number, raw in enumerate(value):
        where = f"{path}, entry {number}"
        data = read_form(_Entry, raw, where)
        systems.update(message.content or "" for message in data.traj if message.role == "system")
        entries.append(_entry(data, raw, where))
        if data.info.task is not None and data.task_id not in tasks:
            # The file does not tell its split.
            tasks[data.task_id] = RecordedTask(read=data.info.task.task(data.task_id, ""), task=raw["info"]["task"])
    if not entries:
        raise InputError(f"{path}: holds no results; give a file with at least one")
    return Results(
        suite=suite or _detected(entries, tasks, path),
        subject=path.stem,
        entries=tuple(entries),
        tasks=tasks,
        prompts=tuple(new_prompt(SYSTEM, "imported", text) for text in systems) if len(systems) == 1 else (),
    )


def _entry(data: _Entry, raw: JsonObject, where: str) -> Entry:
    info = data.info
    talk = _talk(data.traj, info.executed_actions or ())
    crashed = info.error is not None or (info.traceback is not None and not data.traj)
    return Entry(
        where=where,
        task_id=data.task_id,
        number=data.trial + 1,
        output=talk.to_data(_end(talk, info)) if talk.messages else None,
        reward=None if crashed else read_form(_Scored, raw, where).reward,
        parts=_parts(info.reward_info),
        error=str(info.error or "the recorded run crashed") if crashed else None,
        traceback=info.traceback,
        costs=costs_of(info.rest),
        apart=info.executed_actions is not None,
        contradicts=not crashed and _contradicts(raw["reward"], info.reward_info),
        source={
            "entry": data.rest,
            "info": without(raw["info"], "task"),
            "extras": talk.extras if any(talk.extras) else [],
        },
    )


def _talk(messages: Sequence[_Message], executed: Sequence[ExecutedCommand]) -> Talk:
    talk = Talk(responds=True, ending_tools=frozenset({TRANSFER}))
    add_calls(talk, executed)
    has_calls = any(message.tool_calls or message.role == "tool" for message in messages)
    as_text = not has_calls and are_actions(one.content or "" for one in messages if one.role == "assistant")
    waits_for_tool = False
    for message in messages:
        text, extra = message.content, message.rest
        if message.role == "user":
            (talk.tool_answers_in_text if waits_for_tool else talk.user_says)(text or "", extra)
            waits_for_tool = False
        elif message.role == "tool":
            talk.tool_answers(str(message.tool_call_id or ""), message.name, text or "", extra)
        elif message.role == "assistant":
            talk.agent_moves()
            if message.tool_calls:
                _call(talk, text, [call.written() for call in message.tool_calls], extra)
            elif as_text:
                waits_for_tool = _written(talk, text or "", extra)
            else:
                talk.agent_says(text, extra)
    return talk


def _call(talk: Talk, text: str | None, calls: list[WrittenCall], extra: JsonObject) -> None:
    """tau-bench executes only the first call of a reply."""
    talk.write_calls(text, calls, extra)
    if len(calls) > 1:
        detail = f"only the first call of a reply is executed, not {', '.join(call['name'] for call in calls[1:])}"
        talk.note("parallel_calls_dropped", detail)
    talk.execute(calls[0])


def are_actions(texts: Iterable[str]) -> bool:
    """Whether an agent without tool calls wrote actions as text, as `act` and `react` do."""
    return any(read_action(text.rpartition(LABEL)[2]) is not None for text in texts)


def _written(talk: Talk, text: str, extra: JsonObject) -> bool:
    """Whether it is a tool that answers next. What is no action is a reply to the user."""
    after = text.rpartition(LABEL)[2]
    action = read_action(after)
    if action is None:
        talk.agent_says(text, extra, reply=after.strip())
        return False
    arguments = action.get("arguments", {})
    if action["name"] == RESPOND and isinstance(arguments, dict):
        talk.agent_says(text, extra, reply=str(arguments.get("content", "")))
        return False
    talk.agent_writes(text, extra)
    talk.execute({"id": "written", "name": action["name"], "arguments": json.dumps(arguments)})
    return True


def _end(talk: Talk, info: _Info) -> End:
    """As the conversation shows it; `info.trialkit` is what our own export adds where it does not."""
    own = info.rest.get("trialkit")
    if isinstance(own, dict) and (end := an_end(own.get("end"))):
        return end
    if info.executed_actions is None and talk.actions and talk.actions[-1]["name"] == TRANSFER:
        return "transfer"
    # Whatever was scored had come to an end.
    if info.reward_info is not None:
        return "user_stop"
    last = talk.messages[-1]
    return "user_stop" if last["role"] == "user" and STOP in (last["content"] or "") else "max_steps"


def _contradicts(reward: object, rewarded: _RewardInfo | None) -> bool:
    outputs = rewarded.info.outputs if rewarded and rewarded.info else None
    return bool(reward) and isinstance(outputs, dict) and False in outputs.values()


def _parts(rewarded: _RewardInfo | None) -> dict[str, float | None]:
    if rewarded is None or rewarded.info is None:
        return {}
    names = {"r_actions": ("db", rewarded.info.r_actions), "r_outputs": ("outputs", rewarded.info.r_outputs)}
    return dict(part for name, part in names.items() if name in rewarded.info.model_fields_set)


def _detected(entries: Sequence[Entry], tasks: Mapping[str, RecordedTask], path: Path) -> str:
    """The domain that alone has the tools which should have been called, or else those which were."""
    wanted = {action["name"] for task in tasks.values() for action in task.read.actions}
    # Agents call tools that they have not got; the ground truth does not.
    called = {action["name"] for entry in entries if entry.output for action in entry.output["actions"]}
    tools = {suite.name: suite.tool_names for suite in tau_suites("tau-bench")}
    for names in (wanted, wanted | called):
        own = {suite: had.difference(*(tools[one] for one in tools if one != suite)) for suite, had in tools.items()}
        fits = [suite for suite, only in own.items() if names & only]
        if len(fits) == 1:
            return fits[0]
    known = " or ".join(tools)
    raise InputError(f"{path}: the tools that are called do not tell the domain; say it with --suite {known}")
