"""What a wire format is: how a request is written in it, and how an answer is read."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from trialkit.errors import ModelErrorKind
from trialkit.models.classify import kind_of
from trialkit.models.once import WrittenOnce
from trialkit.models.types import UNNAMED, Message, Reply, Request, Tool, ToolCall
from trialkit.text.json import Json, JsonObject, dump, items, word
from trialkit.vocabulary import Usage

#: More tokens than any reply takes: beyond it a number is a mistake.
_MOST_TOKENS = 10**9


class NothingUsableError(Exception):
    """The answer is JSON, but holds nothing that could count as a reply."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelAddress:
    """A model, and where it is served."""

    base: str
    model: str
    key: str | None = field(default=None, repr=False)


class Protocol(ABC):
    """A wire format: a request is POSTed as JSON, and JSON comes back.

    An entry point in the group `trialkit.models` names an instance. Its name is `name`, and the provider's:
    `--model NAME/MODEL` is asked so.
    """

    name: str
    base: str = ""  # the provider's own; none: it must be given
    base_variable: str = ""  # the environment variable that names another; none: only --api-base does
    key_variable: str = ""  # the environment variable with the key, which only the provider's own address asks for

    def tidy(self, base: str) -> str:
        """A base URL that somebody gave, as it is shown and recorded."""
        return base

    @abstractmethod
    def url(self, to: ModelAddress) -> str:
        """Where requests go."""

    @abstractmethod
    def headers(self, to: ModelAddress) -> Mapping[str, str]:
        """What goes with a request, its key first of all."""

    @abstractmethod
    def fields(self, request: Request, to: ModelAddress) -> dict[str, object]:
        """All of a request but its tools."""

    @abstractmethod
    def tools(self, tools: Sequence[Tool]) -> object:
        """What stands under `tools`; it is made once for the same tools."""

    def body(self, request: Request, to: ModelAddress) -> str:
        """The whole request, as JSON."""
        text = dump(self.fields(request, to))
        return f'{text[:-1]},"tools":{self._tools(request.tools)}}}' if request.tools else text

    @abstractmethod
    def reply(self, data: JsonObject) -> Reply:
        """The reply, but for its usage. Raises `NothingUsableError` where there is none."""

    @abstractmethod
    def usage(self, data: JsonObject) -> Usage | None:
        """The tokens that were counted, even for an answer without a reply: it is paid for all the same."""

    def kept(self, message: Message) -> Json:
        """What this protocol put into the state of the reply that the message stands for."""
        return message.state.get(self.name) if message.state else None

    def kind(self, status: int, said: str) -> ModelErrorKind:
        """How a request failed, from the status of the answer and its body."""
        return kind_of(status, said)

    def hint(self, kind: ModelErrorKind, said: str, to: ModelAddress) -> str:  # noqa: ARG002 - for those who have one
        """What to try, to be read after what the server said; empty: nothing comes to mind."""
        if kind == "bad_request" and "temperature" in said.lower():
            return "; --temperature 1 is what models take that take no other"
        return ""

    @cached_property
    def _tools(self) -> WrittenOnce[Tool]:
        return WrittenOnce(lambda tools: dump(self.tools(tools)))


def tokens(value: object) -> int | None:
    """A number of tokens, or None where it is no such thing."""
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else None


def counted(given: object, taken: object, *, read: object = None, write: object = None) -> Usage | None:
    """The tokens of the whole input, of the output, and of the input's cached parts, which may be left out.

    None where they are not told, or contradict themselves: nobody can say what such an answer cost.
    """
    numbers = [tokens(value) for value in (given, taken, *(0 if part is None else part for part in (read, write)))]
    if any(number is None for number in numbers):
        return None
    whole, said, cached, stored = (number or 0 for number in numbers)
    if cached + stored > whole:
        return None
    return Usage(input_tokens=whole, output_tokens=said, cache_read_tokens=cached, cache_write_tokens=stored)


def tool_call(identifier: object, name: object, arguments: object, number: int) -> ToolCall:
    """A call as it came: `arguments` as text, or as the object itself. One without a name is of a tool there is not."""
    return ToolCall(
        id=word(identifier) or f"call_{number}",
        name=word(name) or UNNAMED,
        arguments=arguments if isinstance(arguments, str) else dump(arguments),
    )


def text_of(content: object) -> str:
    """What is said: a string, or the text parts of a list; reasoning and images are no text."""
    if isinstance(content, str):
        return content
    parts = (part.get("text") for part in items(content) if word(part.get("type")) in {"text", "output_text"})
    return "".join(part for part in parts if isinstance(part, str))
