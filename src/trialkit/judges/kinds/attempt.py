"""What a judge may look at."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trialkit.text.json import items, word

#: A tool, and what it is called with.
NamedCall = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolUse:
    """A call of a tool that the one on trial made."""

    name: str
    arguments: Mapping[str, Any]
    result: str = ""
    error: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempt:
    """What came of one trial."""

    case: Mapping[str, Any]  # its row: columns by name
    text: str  # the last thing that was said
    value: Any = None  # read from the text, where JSON was asked for; None: it could not be read
    calls: Sequence[ToolUse] = ()
    messages: Sequence[Mapping[str, Any]] = ()  # the whole transcript: role, content, tool_calls
    state: Any = None  # of the environment at the end, where there is one
    reach: Callable[[Sequence[NamedCall]], Awaitable[Any]] | None = None  # the state that these lead to, or InputError
    seconds: float | None = None
    cost: float | None = None  # US dollars; None: not known

    @property
    def asked(self) -> str:
        """What the user said last, which the answer is an answer to."""
        said = [word(message.get("content")) for message in self.messages if message.get("role") == "user"]
        return said[-1] if said else ""

    @property
    def transcript(self) -> str:
        """All that was said, as text: who says it, what it is, and which tools are called with what.

        Further lines of a message are indented: none looks as if somebody else said it.
        """
        return transcript_of(self.messages) or self.text

    @property
    def said(self) -> str:
        """All that the one on trial said."""
        said = [word(one.get("content")) for one in self.messages if one.get("role") == "assistant"]
        return "\n".join(filter(None, said)) or self.text


def transcript_of(messages: Iterable[Mapping[str, Any]]) -> str:
    return "\n".join(filter(None, map(_line, messages)))


def _line(message: Mapping[str, Any]) -> str:
    calls = [f"{one.get('name')}({one.get('arguments')})" for one in items(message.get("tool_calls"))]
    said = " ".join(filter(None, [word(message.get("content")), *calls]))
    return said and f"{message.get('role', '')}: {said}".replace("\n", "\n  ")
