"""A trial as people read it: who said what, with tool calls and what came back, step by step."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from trialkit.pages import Chat, ChatStep, ChatTool
from trialkit.runfile import CallRecord, Event, RecordedTrial, RunFile
from trialkit.text.json import pretty
from trialkit.text.shown import counted, dollars, seconds

#: `said`: by a party; `asked`: by trialkit, of a model; `rule`: one that was applied; `fault`: what went wrong.
StepKind = Literal["said", "asked", "result", "rule", "fault", "other"]


@dataclass(kw_only=True, slots=True)
class UsedTool:
    name: str
    arguments: str  # as they were written
    result: str | None = None  # None: nothing came back

    def words(self) -> str:
        return f"{self.name} {self.arguments} {self.result or ''}"

    def says(self, words: str) -> bool:
        return words.lower() in self.words().lower()


@dataclass(kw_only=True, slots=True)
class TrialStep:
    number: int  # in the trial, from 1
    kind: StepKind
    who: str  # user, assistant, or another role
    text: str
    uses: list[UsedTool] = field(default_factory=list)
    call: CallRecord | None = None  # the model call that it came from
    spoken: bool = False  # one of the messages of the conversation, tools' answers left aside
    replies: int = 0  # of models, that had come before whoever spoke it was asked

    def said(self) -> tuple[object, ...]:
        """What must be the same in two trials for them to be the same so far."""
        return self.kind, self.who, self.text, [(use.name, use.arguments, use.result) for use in self.uses]

    def outline(self) -> tuple[str, ...]:
        """Who it is, and which tools are called: by this a step of another trial is found that goes with it."""
        return self.kind, self.who, *(use.name for use in self.uses)

    def words(self) -> str:
        """All that stands in it, to search in."""
        return "\n".join((self.text, *(use.words() for use in self.uses)))


def steps_of(run: RunFile, trial: RecordedTrial) -> list[TrialStep]:
    """Of a trial whose transcript came in its output alone, such as an imported one: as that has it."""
    with run.moment():
        events, calls = run.transcript(trial.id), run.calls(trial.id)
    reader = _Reader(calls)
    following: Event | None = None
    read: list[tuple[Event, Event | None]] = []
    for event in reversed(events):
        read.append((event, following))
        following = event if event.kind != "rule" else following  # which may stand between a reply and what it says
    for event, after in reversed(read):
        reader.read(event, after)
    if not any(step.kind == "said" for step in reader.steps):
        for message in _messages(trial.output):
            reader.read_message(message)
    return reader.steps


class _Reader:
    def __init__(self, calls: Iterable[CallRecord]) -> None:
        self.steps: list[TrialStep] = []
        self._came_from: CallRecord | None = None  # of what is said next
        self._replies = self._before = 0  # so far, and when the last message was spoken
        self._calls: defaultdict[tuple[str, str, int], list[CallRecord]] = defaultdict(list)
        for call in calls:
            self._calls[call.role, call.request_key, call.nth].append(call)

    def read(self, event: Event, following: Event | None) -> None:
        data, kind = event.data, event.kind
        if kind == "reply":
            self._reply(data, following)
        elif kind == "message":
            judged = following is not None and following.kind == "reply" and self._phase(following.data) == "judge"
            self._add("asked" if judged else "said", "judge" if judged else str(data.get("role")), data.get("text"))
            if not judged:
                self._spoken()
        elif kind == "tool calls":
            self._add("said", str(data.get("by", "assistant")), data.get("text"), _uses(data.get("calls")))
            self._spoken()
        elif kind == "observation":
            self._result(str(data.get("tool")), str(data.get("text")))
        elif kind == "rule":
            self._add("rule", "", f"{data.get('rule')}: {data.get('detail')}")
        elif kind in {"call failed", "crash"}:
            told = data.get("traceback") or f"{data.get('error_kind')}: {data.get('error')}"
            self._add("fault", str(data.get("role", "")), told)
        else:
            self._add("other", kind, pretty(dict(data)).rstrip())

    def read_message(self, message: Mapping[str, Any]) -> None:
        """In the form of the chat APIs."""
        if message.get("role") == "tool":
            self._result(str(message.get("name")), str(message.get("content")))
        else:
            calls = [call.get("function", call) for call in message.get("tool_calls") or ()]
            self._add("said", str(message.get("role")), message.get("content"), _uses(calls))
            self._spoken()

    def _reply(self, data: Mapping[str, Any], following: Event | None) -> None:
        """What is said of it next need not be said twice."""
        found = self._calls.get((str(data.get("role")), str(data.get("request_key")), int(data.get("nth", 0))), [])
        call = found.pop(0) if len(found) > 1 else next(iter(found), None)
        self._came_from = call
        self._replies += 1
        if following is None or not _tells(following, data):
            self._add("said", str(data.get("role")), data.get("text"), _uses(data.get("tool_calls")))

    def _spoken(self) -> None:
        self.steps[-1].spoken, self.steps[-1].replies = True, self._before
        self._before = self._replies

    def _phase(self, reply: Mapping[str, Any]) -> str:
        found = self._calls.get((str(reply.get("role")), str(reply.get("request_key")), int(reply.get("nth", 0))), [])
        return found[0].phase if found else ""

    def _add(self, kind: StepKind, who: str, text: object, uses: Sequence[UsedTool] = ()) -> None:
        call, self._came_from = (self._came_from, None) if kind == "said" else (None, self._came_from)
        words = text if isinstance(text, str) else ""
        step = TrialStep(number=len(self.steps) + 1, kind=kind, who=who, text=words, uses=list(uses), call=call)
        self.steps.append(step)

    def _result(self, tool: str, text: str) -> None:
        """It belongs to the first call of the last step that nothing came back to yet."""
        last = next((step for step in reversed(self.steps) if step.uses), None)
        open_ = next((use for use in last.uses if use.result is None and use.name == tool), None) if last else None
        if open_ is None:
            self._add("result", tool, text)
        else:
            open_.result = text


def _uses(calls: object) -> list[UsedTool]:
    found = calls if isinstance(calls, list) else []
    return [UsedTool(name=str(one.get("name")), arguments=_text(one.get("arguments"))) for one in found]


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _tells(event: Event, reply: Mapping[str, Any]) -> bool:
    """Whether the event is what the reply said, as the conversation took it."""
    if event.kind == "message":
        return event.data.get("text") == reply.get("text")
    return event.kind == "tool calls" and bool(reply.get("tool_calls"))


def _messages(output: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    found = (output or {}).get("messages")
    yield from (one for one in found if isinstance(one, dict)) if isinstance(found, list) else ()


def chat_of(steps: Sequence[TrialStep], *, lines: int | None = None) -> Chat:
    return Chat(steps=tuple(map(chat_step, steps)), lines=lines)


def chat_step(step: TrialStep) -> ChatStep:
    return ChatStep(
        number=step.number,
        who=step.who or step.kind,
        text=step.text,
        tools=tuple(ChatTool(name=use.name, arguments=use.arguments, result=use.result) for use in step.uses),
        meta=call_facts(step.call) if step.call else "",
        aside=step.kind in {"asked", "rule", "other"},
        fault=step.kind == "fault",
    )


def call_facts(call: CallRecord) -> str:
    """`0.81 s · 1,200 tokens in, 60 out · $0.0004 · stored`."""
    stored = call.source == "cache"
    parts = [] if stored else [seconds(call.latency_s)]
    if call.input_tokens is not None and call.output_tokens is not None:
        parts.append(f"{call.input_tokens:,} tokens in, {call.output_tokens:,} out")
    parts += [dollars(call.cost)] if call.cost is not None else []
    parts += [counted(call.attempts, "attempt")] if call.attempts > 1 else []
    return " · ".join([*parts, "stored"] if stored else parts)
