"""What a conversation leaves behind: the output of its trial, and its transcript."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NotRequired, Protocol, TypedDict

from trialkit.models import ToolCall
from trialkit.text.json import JsonObject

from .party import By, ToolResult
from .rules import End

#: The action that is no tool: its `content` goes to the user.
RESPOND = "respond"


class Action(TypedDict):
    """A tool call, or `respond` with `content`; the agent's unless it says otherwise."""

    name: str
    kwargs: JsonObject
    by: NotRequired[By]


class WrittenCall(TypedDict):
    """A call as it was written: `arguments` is a text."""

    id: str
    name: str
    arguments: str


class WrittenMessage(TypedDict):
    role: Literal["user", "assistant", "tool"]
    content: str | None
    tool_calls: NotRequired[list[WrittenCall]]
    tool_call_id: NotRequired[str]  # role "tool": the call that this answers
    name: NotRequired[str | None]  # role "tool": its name
    by: NotRequired[By]  # role "tool": who called it, if not the agent


class WrittenNote(TypedDict):
    """A rule that was applied, in which step, and to what."""

    step: int
    rule: str
    detail: str


class Output(TypedDict):
    """`observations` has for each action what came back, for `respond` what the user said to it."""

    end: End
    actions: list[Action]
    action_steps: list[int]
    observations: list[str]
    steps: int
    turns: int
    notes: list[WrittenNote]
    messages: list[WrittenMessage]


class Log(Protocol):
    """Adds to the transcript: a kind, and data by name."""

    def __call__(self, kind: str, **data: object) -> None: ...


def no_log(kind: str, **data: object) -> None:
    pass


@dataclass(kw_only=True, slots=True)
class Record:
    log: Log = no_log
    actions: list[Action] = field(default_factory=list)
    action_steps: list[int] = field(default_factory=list)
    observations: list[str] = field(default_factory=list)
    messages: list[WrittenMessage] = field(default_factory=list)
    notes: list[WrittenNote] = field(default_factory=list)
    steps: int = 0  # moves of the agent's
    turns: int = 0  # messages of the user's that the agent dealt with

    def note(self, rule: str, detail: str) -> None:
        """A rule was applied."""
        self.notes.append({"step": self.steps, "rule": rule, "detail": detail})
        self.log("rule", step=self.steps, rule=rule, detail=detail)

    def add_text(self, by: By, text: str) -> None:
        role: Literal["user", "assistant"] = "user" if by == "user" else "assistant"
        self.messages.append({"role": role, "content": text})
        self.log("message", role=role, text=text)

    def add_calls(self, by: By, text: str, calls: Sequence[ToolCall]) -> None:
        written: list[WrittenCall] = [{"id": one.id, "name": one.name, "arguments": one.arguments} for one in calls]
        role: Literal["user", "assistant"] = "user" if by == "user" else "assistant"
        self.messages.append({"role": role, "content": text or None, "tool_calls": written})
        self.log("tool calls", text=text, calls=written, **_user(by))

    def add_result(self, by: By, result: ToolResult) -> None:
        call = result.call
        message: WrittenMessage = {"role": "tool", "content": result.text, "tool_call_id": call.id, "name": call.name}
        if by == "user":
            message["by"] = by
        self.messages.append(message)
        self.log("observation", tool=call.name, text=result.text, **_user(by))

    def add_action(self, name: str, kwargs: JsonObject, observation: str = "", by: By = "agent") -> int:
        """Its place among the actions."""
        action: Action = {"name": name, "kwargs": kwargs}
        if by == "user":
            action["by"] = by
        self.actions.append(action)
        self.action_steps.append(self.steps)
        self.observations.append(observation)
        return len(self.actions) - 1

    def to_data(self, end: End) -> Output:
        return {
            "end": end,
            "actions": self.actions,
            "action_steps": self.action_steps,
            "observations": self.observations,
            "steps": self.steps,
            "turns": self.turns,
            "notes": self.notes,
            "messages": self.messages,
        }


def _user(by: By) -> dict[str, By]:
    """The agent's calls are told as ever: who made them is told where it was the user."""
    return {"by": by} if by == "user" else {}
