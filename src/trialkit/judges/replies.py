"""What a model was made to say through a tool, read from its reply in whatever form it came."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from trialkit.models import Reply
from trialkit.text.json import key_twice

T = TypeVar("T")

#: Objects that are no answer, before a text is given up: each is read anew, as long and as deep as it may be. 20,000 of
#: them, one in the other, took 9.5 s.
_MOST_LOOKED_INTO = 200
_OPENING = re.compile(r'\{\s*"([^"\\]*)')


class Said(NamedTuple, Generic[T]):
    """`value` is None where nothing could be read; `why` says then what was wrong with the last attempt, if any."""

    value: T | None
    why: str


class _AmbiguousError(ValueError):
    """It cannot be told which of two things the model says."""


def read_said(
    reply: Reply,
    tool: str,
    keys: Collection[str],
    read: Callable[[Mapping[str, object]], T],
    outcome: Callable[[T], object] = lambda value: value,
) -> Said[T]:
    """What `read` makes of the object with these keys; it raises ValueError where it cannot.

    The calls of the tool are looked into first (some servers put a namespace before its name); where they hold none,
    the text. A reply may repeat itself: of several objects with the same `outcome` the last counts. Where outcomes
    differ nothing is taken: one of the objects may be quoted from what the model was told to judge.
    """
    calls = [call.arguments for call in reply.tool_calls if re.split(r"[.:/]", call.name)[-1] == tool]
    why = ""
    for texts in (calls, [reply.text]):
        found: list[T] = []
        try:
            for data in [data for text in texts for data in _objects(text, keys)]:
                try:
                    found.append(read(data))
                except ValueError as error:
                    why = str(error)
        except _AmbiguousError as error:
            return Said(None, str(error))
        if any(outcome(one) != outcome(found[-1]) for one in found):
            return Said(None, "it holds several answers that contradict each other")
        if found:
            return Said(found[-1], "")
    return Said(None, why)


def _objects(text: str, keys: Collection[str]) -> Iterator[dict[str, object]]:
    """The JSON objects in a text that have the keys, in order, whatever stands around them.

    One that opens with a key but is broken spoils those that follow: they may be quoted inside it, and those that came
    before may be what it takes back.
    """
    twice: list[str] = []
    # Not strict: models break lines inside of a text.
    decoder = json.JSONDecoder(object_pairs_hook=lambda pairs: _noting(pairs, twice), strict=False)
    found = broken = False
    looked_into = 0
    opening = _OPENING.search(text)
    while opening:
        # What is looked for may be wrapped in another object: one without the keys is looked into.
        end = opening.start() + 1
        twice.clear()
        try:
            value, after = decoder.raw_decode(text, opening.start())
        except (ValueError, RecursionError):
            broken = broken or opening[1] in keys
        else:
            if all(key in value for key in keys):
                if twice:
                    raise _AmbiguousError(f"the key {json.dumps(twice[0])} stands twice in one object")
                found, end = True, after
                yield value
        looked_into += end == opening.start() + 1
        if looked_into > _MOST_LOOKED_INTO:
            raise _AmbiguousError(f"it holds more than {_MOST_LOOKED_INTO} objects that are no answer")
        if found and broken:
            raise _AmbiguousError("it holds a broken answer beside one that can be read")
        opening = _OPENING.search(text, end)


def _noting(pairs: list[tuple[str, Any]], twice: list[str]) -> dict[str, object]:
    found = key_twice(pairs)
    if found is not None:
        twice.append(found)
    return dict(pairs)
