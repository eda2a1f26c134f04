"""A conversation as a trial's output has it, put together from recorded messages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trialkit.agents.text import RESULT
from trialkit.dialogue import RESPOND, Action, read_arguments


@dataclass(kw_only=True, slots=True)
class Talk:
    """Filled message by message; an action waits for what was answered to it."""

    responds: bool  # whether a call of a tool named `respond` is a reply to the user
    terminating: frozenset[str] = frozenset()  # tools that end the conversation whatever their arguments are
    actions: list[Action] = field(default_factory=list)
    action_steps: list[int] = field(default_factory=list)
    observations: list[str] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)
    extras: list[dict[str, Any]] = field(default_factory=list)  # what else each message had
    notes: list[dict[str, Any]] = field(default_factory=list)
    steps: int = 0
    turns: int = 0
    _waiting: dict[str, int] = field(default_factory=dict)  # call id → action
    _passed_over: set[str] = field(default_factory=set)  # ids of calls that are no actions
    _reply: int | None = None  # the action that the user's next message answers
    _heard: bool = False  # a user message that the agent has not dealt with yet

    def user(self, text: str, extra: Mapping[str, Any]) -> None:
        self._add({"role": "user", "content": text}, extra)
        if self._reply is not None:
            self.observations[self._reply] = text
        self._reply, self._heard = None, True

    def move(self) -> None:
        """The agent does something."""
        self.steps += 1
        self.turns += self._heard
        self._heard = False

    def said(self, text: str | None, extra: Mapping[str, Any], *, heard: str | None = None) -> None:
        """The agent wrote `text`; what the user got of it is `heard`, all of it unless given."""
        self.wrote(text, extra)
        self.replied({"content": (text or "") if heard is None else heard})

    def wrote(self, text: str | None, extra: Mapping[str, Any]) -> None:
        """A message of the agent's that is no reply: a greeting before anybody spoke, or an action as text."""
        self._add({"role": "assistant", "content": text}, extra)

    def called(self, text: str | None, calls: list[dict[str, str]], extra: Mapping[str, Any]) -> None:
        """`calls` have `id`, `name` and `arguments`, a text."""
        self._add({"role": "assistant", "content": text, "tool_calls": calls}, extra)

    def remarked(self, text: str) -> None:
        """Said beside a call: it counts as said, but nobody answers it."""
        self._act(RESPOND, {"content": text})

    def replied(self, kwargs: dict[str, Any]) -> None:
        self._reply = self._act(RESPOND, kwargs)

    def acted(self, call: Mapping[str, str]) -> None:
        """A call is executed. Of one whose arguments cannot be read there is nothing to execute: a note tells of it."""
        try:
            kwargs = read_arguments(call["arguments"])
        except ValueError as error:
            self._note("invalid_arguments", f"{call['name']}: {error}: {call['arguments']:.200}")
            if call["name"] not in self.terminating:
                self._passed_over.add(call["id"])
                return
            kwargs = {}
        if call["name"] != RESPOND:
            self._waiting[call["id"]] = self._act(call["name"], kwargs)
        elif self.responds:
            self.replied(kwargs)
        else:
            self._note("unknown_tool", f"there is no tool {RESPOND}")
            self._passed_over.add(call["id"])

    def answered(self, call_id: str, name: str | None, text: str, extra: Mapping[str, Any]) -> None:
        """What a tool said."""
        self._add({"role": "tool", "content": text, "tool_call_id": call_id, "name": name}, extra)
        self.observed(call_id, text)

    def observed(self, call_id: str, text: str) -> None:
        """Some runners lose the ids on the way: then the call that waits longest is meant."""
        if call_id and call_id in self._passed_over and call_id not in self._waiting:
            return
        known = call_id if call_id in self._waiting else next(iter(self._waiting), None)
        if known is not None:
            self.observations[self._waiting.pop(known)] = text

    def told(self, text: str, extra: Mapping[str, Any]) -> None:
        """In the text protocol a tool's answer comes as a message of the user's."""
        self._add({"role": "user", "content": text}, extra)
        for call_id in list(self._waiting):
            self.observed(call_id, text.removeprefix(RESULT))

    def output(self, end: str) -> dict[str, Any]:
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

    def _act(self, name: str, kwargs: dict[str, Any]) -> int:
        self.actions.append(Action(name=name, kwargs=kwargs))
        self.action_steps.append(self.steps)
        self.observations.append("")
        return len(self.actions) - 1

    def _note(self, rule: str, detail: str) -> None:
        self.notes.append({"step": self.steps, "rule": rule, "detail": detail})

    def _add(self, message: dict[str, Any], extra: Mapping[str, Any]) -> None:
        self.messages.append(message)
        self.extras.append({name: value for name, value in extra.items() if value not in (None, [], {})})
