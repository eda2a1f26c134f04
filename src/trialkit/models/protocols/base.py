"""What a wire format is: how a request is written in it, and how an answer is read."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from trialkit.errors import ModelError, ModelErrorKind
from trialkit.models.classify import is_untaken, kind_of
from trialkit.models.files import too_large
from trialkit.models.once import WrittenOnce
from trialkit.models.output import in_words
from trialkit.models.types import UNNAMED, Message, Reasoning, Reply, Request, Tool, ToolCall
from trialkit.text.json import Json, JsonObject, dump, items, merged, word
from trialkit.vocabulary import Usage

#: More tokens than any reply takes: beyond it a number is a mistake.
_MOST_TOKENS = 10**9


_MOST_DOLLARS = 10_000.0
_DOLLARS = re.compile(r"[0-9]{1,5}(?:\.[0-9]{1,30})?(?:[eE]-[0-9]{1,2})?")


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
    provider: str = ""  # whose models and prices these are; none: that of the name
    base: str = ""  # the provider's own; none: it must be given
    base_variable: str = ""  # the environment variable that names another; none: only --api-base does
    key_variable: str = ""  # the environment variable with the key, which only the provider's own address asks for
    stream: JsonObject | None = None  # what of a request asks for its answer in pieces; none: it has no such
    files: frozenset[str] = frozenset()  # the media types of the files that a user's message may have

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
        """All of a request but its tools, and but for what goes into the body as it is."""

    @abstractmethod
    def tools(self, tools: Sequence[Tool]) -> object:
        """What stands under `tools`; it is made once for the same tools."""

    def untaken(self, request: Request, to: ModelAddress) -> frozenset[str]:  # noqa: ARG002 - for those who know
        """Fields of the request that the model is known not to take; others it may refuse when it is asked."""
        return frozenset()

    def reasoning_fault(self, reasoning: Reasoning) -> str:  # noqa: ARG002 - for those who do not take all of them
        """Why a model cannot be told to think so much; empty: it can."""
        return ""

    def holds(self, output: JsonObject) -> bool:  # noqa: ARG002 - for those who can
        """Whether `fields` writes this schema of a reply so that the model is held to it; else it is told in words."""
        return False

    def fitted(self, request: Request) -> Request:
        """The request as this protocol can write it. Raises `ModelError` for files that it cannot carry."""
        if request.files:
            self._check(request)
        return request if request.output is None or self.holds(request.output) else in_words(request)

    def body(self, request: Request, to: ModelAddress) -> str:
        """The whole request, as JSON."""
        fields = self.fields(request, to)
        text = dump(merged(fields, request.extra) if request.extra else fields)
        return f'{text[:-1]},"tools":{self._tools(request.tools)}}}' if request.tools else text

    @abstractmethod
    def reply(self, data: JsonObject) -> Reply:
        """The reply, but for its usage. Raises `NothingUsableError` where there is none."""

    def joined(self, events: Sequence[JsonObject]) -> JsonObject:  # noqa: ARG002 - for those who have `stream`
        """The answer that came in pieces; one that holds no reply where it did not come to its end."""
        return {}

    @abstractmethod
    def usage(self, data: JsonObject) -> Usage | None:
        """The tokens that were counted, even for an answer without a reply: it is paid for all the same."""

    def cost(self, data: JsonObject, headers: Mapping[str, str]) -> float | None:  # noqa: ARG002 - for those who tell it there
        """US dollars, as a gateway tells them of this answer. Of LiteLLM's proxy, whatever it speaks."""
        told = headers.get("x-litellm-response-cost", "")
        return dollars(float(told)) if _DOLLARS.fullmatch(told) else None

    def kept(self, message: Message) -> Json:
        """What this protocol put into the state of the reply that the message stands for."""
        return message.state.get(self.name) if message.state else None

    def kind(self, status: int, said: str) -> ModelErrorKind:
        """How a request failed, from the status of the answer and its body."""
        return kind_of(status, said)

    def hint(self, kind: ModelErrorKind, said: str, to: ModelAddress) -> str:  # noqa: ARG002 - for those who have one
        """What to try, to be read after what the server said; empty: nothing comes to mind."""
        if kind == "bad_request" and "temperature" in said.lower() and not is_untaken(said):
            return "; --temperature 1 is what models take that take no other"
        return ""

    def _check(self, request: Request) -> None:
        strange = {file.media_type for file in request.files} - self.files
        fault = f"{self.name} takes no {' and no '.join(sorted(strange))}" if strange else too_large(request.files)
        if any(message.files and message.role != "user" for message in request.messages):
            fault = "files go with messages of the role user, with no others"
        if fault:
            raise ModelError("bad_request", fault)

    @cached_property
    def _tools(self) -> WrittenOnce[Tool]:
        return WrittenOnce(lambda tools: dump(self.tools(tools)))


def dollars(value: object) -> float | None:
    """What an answer cost, or None where it is no such thing."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if 0 <= value <= _MOST_DOLLARS else None


def tokens(value: object) -> int | None:
    """A number of tokens, or None where it is no such thing."""
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else None


def counted(
    given: object, taken: object, *, read: object = None, write: object = None, thought: object = None
) -> Usage | None:
    """The tokens of the whole input, of the output, of the input's cached parts, which may be left out, and of the
    thoughts in the output: these cost what the rest of it does, so nothing hangs on them.

    None where they are not told, or contradict themselves: nobody can say what such an answer cost.
    """
    numbers = [tokens(value) for value in (given, taken, *(0 if part is None else part for part in (read, write)))]
    if any(number is None for number in numbers):
        return None
    whole, said, cached, stored = (number or 0 for number in numbers)
    if cached + stored > whole:
        return None
    return Usage(
        input_tokens=whole,
        output_tokens=said,
        cache_read_tokens=cached,
        cache_write_tokens=stored,
        reasoning_tokens=min(tokens(thought) or 0, said),
    )


def tool_call(identifier: object, name: object, arguments: object, number: int) -> ToolCall:
    """A call as it came: `arguments` as text, or as the object itself. One without a name is of a tool there is not."""
    return ToolCall(
        id=word(identifier) or f"call_{number}",
        name=word(name) or UNNAMED,
        arguments=arguments if isinstance(arguments, str) else dump(arguments),
    )


def says(message: Message, text: str, calls: Sequence[ToolCall]) -> bool:
    """Whether it still says what was in the reply that it stands for; ids are no part of that."""
    told, written = ([(call.name, call.arguments) for call in of] for of in (calls, message.tool_calls))
    return (text, told) == (message.text, written)


def text_of(content: object) -> str:
    """What is said: a string, or the text parts of a list; reasoning and images are no text."""
    if isinstance(content, str):
        return content
    parts = (part.get("text") for part in items(content) if word(part.get("type")) in {"text", "output_text"})
    return "".join(part for part in parts if isinstance(part, str))
