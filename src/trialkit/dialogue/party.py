"""The parties to a dialogue, agent and user: told what the other says or what tools answer, each makes a move."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from trialkit.models import ToolCall
from trialkit.text.json import JsonError, deeper_than, parse

#: No tool takes what is nested deeper, and Python's own limits come soon after.
_DEEPEST = 100
#: Who does something.
By = Literal["agent", "user"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Move:
    """What a party does next. With calls, the other does not see `text`; without, `text` goes to the other."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()

    @property
    def empty(self) -> bool:
        return not self.calls and not self.text.strip()


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolResult:
    """What a call was answered."""

    call: ToolCall
    text: str


class _Party(Protocol):
    @abstractmethod
    async def hear(self, text: str) -> Move:
        """The other party says something."""

    @abstractmethod
    async def observe(self, results: Sequence[ToolResult]) -> Move:
        """The calls of the last move that were executed, in order; calls without a result were dropped."""

    async def end(self) -> None:
        """The conversation is over, however it ended. Most have nothing to do then."""
        return None  # noqa: RET501 - a body, or a type checker takes it for abstract


class Agent(_Party, Protocol):
    """One trial's agent, who deals with the user."""


class User(_Party, Protocol):
    """One trial's user, who wants something of the agent."""


def read_arguments(text: str) -> dict[str, object]:
    """The object in a call's arguments, as a model wrote them: none at all for an empty text. ValueError says why there
    is none.
    """
    if not text.strip():
        return {}
    try:
        value = parse(text, finite=True)
    except JsonError as error:
        why = f"not JSON ({error.what} at character {error.position})" if error.line else error.what
        raise ValueError(why) from None
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - data, not a programming error
    if deeper_than(value, _DEEPEST):
        raise ValueError("nested too deeply")
    return value
