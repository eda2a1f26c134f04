"""A conversation as the detectors see it: who said what, in order, and what the user had to go by."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from trialkit.dialogue.party import By

#: What a user who stops writes, whatever the benchmark.
_TOKEN = re.compile(r"###[A-Z-]+###")

FaultKind = Literal["ended_early", "invented", "spoke_as_agent", "withheld", "repeated", "told_all"]


@dataclass(frozen=True, kw_only=True, slots=True)
class UserFault:
    """What a detector holds against the user; `place` is where it was said among what the parties said, from 0."""

    kind: FaultKind
    place: int
    why: str  # a sentence
    quote: str  # the words that show it


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """What a party said, or that it called tools; `seen` is what these answered, to it alone."""

    place: int
    by: By
    text: str  # without the token that stops
    stops: bool = False
    calls: int = 0
    seen: tuple[str, ...] = ()

    @property
    def said(self) -> bool:
        """Whether the other party got it."""
        return not self.calls


@dataclass(frozen=True, kw_only=True, slots=True)
class UserTalk:
    turns: tuple[Turn, ...]
    scenario: str  # all that the user was told of who it is and what it wants; empty: nobody knows
    of_user: tuple[Turn, ...] = field(init=False)
    _answered: Mapping[int, Turn] = field(init=False)  # what the agent had said last, by the turn's place

    def __post_init__(self) -> None:
        object.__setattr__(self, "of_user", tuple(one for one in self.turns if one.by == "user" and one.said))
        answered, last = {}, None
        for one in self.turns:
            if last is not None:
                answered[one.place] = last
            if one.by == "agent" and one.said:
                last = one
        object.__setattr__(self, "_answered", answered)

    def before(self, turn: Turn) -> Turn | None:
        """What the agent said last before it."""
        return self._answered.get(turn.place)


def read_talk(messages: Sequence[Mapping[str, Any]], scenario: str) -> UserTalk:
    """From messages in the form of the chat APIs, as the output of a conversation has them."""
    turns: list[Turn] = []
    seen: list[str] = []
    for message in _sound(messages):
        text = message.get("content")
        text = text if isinstance(text, str) else ""
        if message["role"] == "tool":
            seen.append(text)
            continue
        if turns and seen:
            turns[-1] = _with(turns[-1], seen)
            seen = []
        calls = message.get("tool_calls")
        turns.append(
            Turn(
                place=len(turns),
                by="user" if message["role"] == "user" else "agent",
                text=_TOKEN.sub("", text).strip(),
                stops=bool(_TOKEN.search(text)),
                calls=len(calls) if isinstance(calls, list) else 0,
            )
        )
    return UserTalk(turns=tuple(turns), scenario=scenario)


def _sound(messages: Sequence[Mapping[str, Any]]) -> Iterable[Mapping[str, Any]]:
    return (one for one in messages if isinstance(one, Mapping) and one.get("role") in {"user", "assistant", "tool"})


def _with(turn: Turn, seen: Sequence[str]) -> Turn:
    return Turn(place=turn.place, by=turn.by, text=turn.text, stops=turn.stops, calls=turn.calls, seen=tuple(seen))
