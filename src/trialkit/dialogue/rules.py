"""The rules of a conversation: what ends it, and where benchmarks differ in how it is held."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

#: How a conversation ended: a party stopped it or handed it over, a limit was reached, a party failed, or a judge of
#: somebody else's put an end to it.
End = Literal[
    "user_stop", "agent_stop", "transfer", "max_steps", "too_many_errors", "agent_error", "user_error", "judge_stop"
]


def _stop() -> Mapping[str, End]:
    return {"###STOP###": "user_stop"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Rules:
    stops: Mapping[str, End] = field(default_factory=_stop)  # a token in what the user says → how that ends it
    first_message_may_stop: bool = True  # whether such a token counts in the user's very first message
    ending_tools: Mapping[str, End] = field(default_factory=dict)  # a tool that the agent calls → how that ends it
    known_tools: frozenset[str] | None = None  # calls of others are noted; None: whichever there are
    known_user_tools: frozenset[str] | None = None  # the same for the user; None: those of the agent
    several_calls: bool = True  # whether all calls of one move are executed, or only the first
    text_beside_calls_counts: bool = False  # as said, though the user does not see it
    greeting: str = "Hello! How may I help you today?"  # what the user takes the agent to have said first
    greeting_is_said: bool = True  # whether the agent and the transcript know of it
    respond_is_reply: bool = False  # whether a call of a tool named `respond` is a reply to the user
    every_message_counts: bool = False  # whether a step is any message that is passed on, or a move of the agent's
    max_steps: int = 30
    max_errors: int | None = None  # calls that fail

    @property
    def known_greeting(self) -> str:
        """The greeting where the agent knows of it."""
        return self.greeting if self.greeting_is_said else ""
