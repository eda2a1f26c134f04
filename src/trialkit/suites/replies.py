"""What a model was made to say through a tool, read from its reply in whatever form it came."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any, Generic, NamedTuple, TypeVar

from trialkit.models import Reply

T = TypeVar("T")

_OPENING = re.compile(r'\{\s*"')


class Said(NamedTuple, Generic[T]):
    """`value` is None where nothing could be read; `why` says then what was wrong with the last attempt, if any."""

    value: T | None
    why: str


def read_said(reply: Reply, tool: str, keys: Collection[str], read: Callable[[Mapping[str, Any]], T]) -> Said[T]:
    """The last object with these keys that `read` makes something of; it raises ValueError where it cannot.

    The calls of the tool are looked into first; where they hold none, the text.
    """
    why = ""
    for texts in ([call.arguments for call in reply.tool_calls if call.name == tool], [reply.text]):
        value: T | None = None
        for data in (data for text in texts for data in _objects(text, keys)):
            try:
                value = read(data)
            except ValueError as error:
                why = str(error)
        if value is not None:
            return Said(value, "")
    return Said(None, why)


def _objects(text: str, keys: Collection[str]) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text that have the keys, in order, whatever stands around them."""
    decoder = json.JSONDecoder()
    opening = _OPENING.search(text)
    while opening:
        # What is looked for may be wrapped in another object: one without the keys is looked into.
        end = opening.start() + 1
        with suppress(ValueError, RecursionError):
            value, after = decoder.raw_decode(text, opening.start())
            if all(key in value for key in keys):
                yield value
                end = after
        opening = _OPENING.search(text, end)
