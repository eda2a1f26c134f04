"""A judge that is a model: it is told why where its reply cannot be read, and asked once more; then it is an error."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from trialkit.errors import JudgeError, ModelError
from trialkit.models import Message, Reply, Request, Tool
from trialkit.text.short import shortened
from trialkit.text.whole import whole_text
from trialkit.vocabulary import Verdict

from .replies import read_said

T = TypeVar("T")


class Asker(Protocol):
    """The part of a trial that a judge needs."""

    @property
    def seed(self) -> int | None: ...

    async def ask(self, role: str, request: Request) -> Reply: ...

    def note(self, kind: str, **data: object) -> None: ...


def _itself(value: object) -> Any:
    return value


def _decided(value: object) -> object:
    """Of a verdict, what it comes to, whatever its words."""
    return (value.outcome, value.score, dict(value.scores)) if isinstance(value, Verdict) else value


def _fits(_value: object) -> None:
    pass


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelJudge(Generic[T]):
    """Asks a model for an object and reads it. Each reply is recorded and paid before it is read, readable or not."""

    tool: Tool | None = None  # that the model must call; without one it writes the object as JSON
    keys: tuple[str, ...] = ()  # by which the object is known in a text; none: what the tool requires
    read: Callable[[Mapping[str, object]], T]  # ValueError says what is wrong with an object
    same: Callable[[T], object] = _decided  # what all objects of one reply must share, not to contradict each other
    role: str = "judge"  # who plays it
    what: str = "verdict"  # what it is to say, for messages
    again: str = "Judge the same answer again"
    temperature: float | None = None
    _tools: tuple[Tool, ...] = field(init=False, repr=False)  # always the same object: it is written as JSON only once

    def __post_init__(self) -> None:
        object.__setattr__(self, "_tools", (self.tool,) if self.tool else ())

    async def ask(self, trial: Asker, system: str, user: str, check: Callable[[T], None] = _fits) -> T:
        """What the model says. Raises `JudgeError` where its second reply cannot be read either, and `ModelError`.

        `check` raises `JudgeError` where it does not fit what was asked.
        """
        asked: tuple[Message, ...] = (Message(role="system", text=system), Message(role="user", text=user))
        trial.note("message", role="user", text=user)
        try:
            return self.parse(await trial.ask(self.role, self._request(trial, asked)), check)
        except JudgeError as error:
            how = f"call {self.tool.name} once" if self.tool else f"write one JSON object with {', '.join(self.keys)}"
            again = f"{error}. {self.again}, and {how}."
        trial.note("message", role="user", text=again)
        asked = (*asked, Message(role="user", text=again))
        return self.parse(await trial.ask(self.role, self._request(trial, asked)), check)

    async def verdict(
        self,
        trial: Asker,
        system: str,
        user: str,
        *,
        check: Callable[[T], None] = _fits,
        to: Callable[[T], Verdict] = _itself,
    ) -> Verdict:
        """What is made of what the model says; `error` where it says nothing that can be read."""
        try:
            return to(await self.ask(trial, system, user, check))
        except JudgeError as error:
            critique = f"no verdict in the {self.role}'s second reply: {error}"
        except ModelError as error:
            critique = f"the {self.role} gave no reply: {error}"
        return Verdict(outcome="error", critique=critique)

    def parse(self, reply: Reply, check: Callable[[T], None] = _fits) -> T:
        """What a reply says; `JudgeError` says why there is nothing to be had from it."""
        keys = self.keys or tuple(self.tool.parameters.get("required", ()) if self.tool else ())
        said = read_said(reply, self.tool.name if self.tool else "", keys, self.read, self.same)
        if said.value is None:
            cut = "; the reply was cut off at its token limit" if reply.stop == "length" else ""
            why = said.why or f"no {self.what} in {_written(reply)}"
            raise JudgeError(f"the {self.role}'s reply cannot be read: {why}{cut}")
        check(said.value)
        return said.value

    def _request(self, trial: Asker, messages: tuple[Message, ...]) -> Request:
        return Request(
            messages=messages,
            tools=self._tools,
            tool_choice=self.tool.name if self.tool else None,
            temperature=self.temperature,
            seed=trial.seed,
        )


def quoted(value: object) -> str:
    """What a judge is to judge: JSON in which no `<` is left, so that it cannot close its own tag."""
    return whole_text(json.dumps(value, ensure_ascii=False, indent=1)).replace("<", "\\u003c")


def _written(reply: Reply) -> str:
    calls = [f"{shortened(call.name)}({shortened(call.arguments, 120)})" for call in reply.tool_calls]
    return ", ".join(calls) or shortened(reply.text, 120) or "an empty reply"
