"""A conversation as a trial's output has it, put together from recorded messages."""

from dataclasses import dataclass, field

from trialkit.agents.text import RESULT
from trialkit.dialogue import RESPOND, By, Record, WrittenCall, WrittenMessage, read_arguments
from trialkit.text.json import JsonObject


@dataclass(kw_only=True, slots=True)
class Talk(Record):
    """Filled message by message; an action waits for what was answered to it."""

    responds: bool  # whether a call of a tool named `respond` is a reply to the user
    ending_tools: frozenset[str] = frozenset()  # they end the conversation whatever their arguments are
    extras: list[JsonObject] = field(default_factory=list)  # what else each message had
    _waiting: dict[str, int] = field(default_factory=dict)  # call id → action
    _passed_over: set[str] = field(default_factory=set)  # ids of calls that are no actions
    _reply: int | None = None  # the action that the user's next message answers
    _new: bool = False  # a user message that the agent has not dealt with yet

    def user_says(self, text: str, extra: JsonObject) -> None:
        self._add({"role": "user", "content": text}, extra)
        if self._reply is not None:
            self.observations[self._reply] = text
        self._reply, self._new = None, True

    def agent_moves(self) -> None:
        """The agent does something."""
        self.steps += 1
        self.turns += self._new
        self._new = False

    def agent_says(self, text: str | None, extra: JsonObject, *, reply: str | None = None) -> None:
        """The agent wrote `text`; what the user got of it is `reply`, all of it unless given."""
        self.agent_writes(text, extra)
        self.reply({"content": (text or "") if reply is None else reply})

    def agent_writes(self, text: str | None, extra: JsonObject) -> None:
        """A message of the agent's that is no reply: a greeting before anybody spoke, or an action as text."""
        self._add({"role": "assistant", "content": text}, extra)

    def write_calls(self, text: str | None, calls: list[WrittenCall], extra: JsonObject, by: By = "agent") -> None:
        self._add({"role": "assistant" if by == "agent" else "user", "content": text, "tool_calls": calls}, extra)

    def remark(self, text: str) -> None:
        """Said beside a call: it counts as said, but nobody answers it."""
        self.add_action(RESPOND, {"content": text})

    def reply(self, kwargs: JsonObject) -> None:
        self._reply = self.add_action(RESPOND, kwargs)

    def execute(self, call: WrittenCall, by: By = "agent") -> None:
        """A call is executed. Of one whose arguments cannot be read there is nothing to execute: a note tells of it."""
        try:
            kwargs = read_arguments(call["arguments"])
        except ValueError as error:
            self.note("invalid_arguments", f"{call['name']}: {error}: {call['arguments']:.200}")
            if call["name"] not in self.ending_tools:
                self._passed_over.add(call["id"])
                return
            kwargs = {}
        if call["name"] != RESPOND:
            self._waiting[call["id"]] = self.add_action(call["name"], kwargs, by=by)
        elif self.responds:
            self.reply(kwargs)
        else:
            self.note("unknown_tool", f"there is no tool {RESPOND}")
            self._passed_over.add(call["id"])

    def tool_answers(self, call_id: str, name: str | None, text: str, extra: JsonObject, by: By = "agent") -> None:
        """What a tool said."""
        message: WrittenMessage = {"role": "tool", "content": text, "tool_call_id": call_id, "name": name}
        self._add(message if by == "agent" else {**message, "by": by}, extra)
        self._observe(call_id, text)

    def _observe(self, call_id: str, text: str) -> None:
        """Some runners lose the ids on the way: then the call that waits longest is meant."""
        if call_id and call_id in self._passed_over and call_id not in self._waiting:
            return
        known = call_id if call_id in self._waiting else next(iter(self._waiting), None)
        if known is not None:
            self.observations[self._waiting.pop(known)] = text

    def tool_answers_in_text(self, text: str, extra: JsonObject) -> None:
        """In the text protocol a tool's answer comes as a message of the user's."""
        self._add({"role": "user", "content": text}, extra)
        for call_id in list(self._waiting):
            self._observe(call_id, text.removeprefix(RESULT))

    def _add(self, message: WrittenMessage, extra: JsonObject) -> None:
        self.messages.append(message)
        self.extras.append({name: value for name, value in extra.items() if value not in (None, [], {})})
