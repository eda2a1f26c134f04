"""Parameters of a request that a model does not take: reasoning models refuse a temperature, some servers a seed."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from trialkit.errors import ModelError

from .classify import is_untaken
from .connection import Client
from .output import in_words
from .types import Reply, Request

#: Parameter → what an answer may call it that refuses it.
_NAMES = {
    "temperature": re.compile(r"\btemperature\b"),
    "top_p": re.compile(r"\btop_?p\b", re.IGNORECASE),
    "seed": re.compile(r"\b(?:random_)?seed\b"),
    "max_tokens": re.compile(r"\bmax_(?:completion_|output_)?tokens\b"),
    "output": re.compile(
        r"response_?(?:format|schema|json_?schema)|output_(?:config(?!\.effort)|format)|structured.outputs?",
        re.IGNORECASE,
    ),
}
#: What OpenAI calls the longest reply, once and now: servers take the one, the other or both.
_OTHER_SPELLING = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}


class LeavingOut:
    """A client that learns what its model does not take, and asks without it from then on.

    `known` tells of a request what the model need not be asked about.
    """

    def __init__(
        self,
        client: Client,
        name: str,
        say_once: Callable[[str], None],
        known: Callable[[Request], frozenset[str]] = lambda _: frozenset(),
    ) -> None:
        self._client = client
        self._name = name
        self._say_once = say_once
        self._known = known
        self._untaken: frozenset[str] = frozenset()
        self._spelling = ""  # of max_tokens, where it is not what the protocol writes

    async def send(self, request: Request) -> Reply:
        while True:
            known, spelling = self._known(request), self._spelling
            asked, left_out = without(request, self._untaken | known)
            self._say(known.intersection(left_out), "as is known of it")
            spelt = spelling and asked.max_tokens is not None
            try:
                reply = await self._client.send(_respelt(asked, spelling) if spelt else asked)
            except ModelError as error:
                found = untaken(error, asked)
                if not found:
                    raise
                self._learn(found, spelling, error)
            else:
                told = (*left_out, *([f"{_OTHER_SPELLING[spelling]} (but {spelling})"] if spelt else ()))
                return replace(reply, left_out=told) if told else reply

    async def aclose(self) -> None:
        await self._client.aclose()

    def _learn(self, found: frozenset[str], spelling: str, error: ModelError) -> None:
        """`spelling` is how it was sent: others may have learnt of another meanwhile."""
        refused = _NAMES["max_tokens"].search(str(error)) if "max_tokens" in found and not spelling else None
        if refused and (other := _OTHER_SPELLING.get(refused[0])):
            found -= {"max_tokens"}
            self._spelling = other
            self._say_once(f"{self._name} does not take {refused[0]}; {other} is sent in its place: {error}")
        self._say(found - self._untaken, str(error))
        self._untaken |= found

    def _say(self, names: frozenset[str], why: str) -> None:
        for name in sorted(names):
            what, instead = name, "it is left out"
            if name == "output":
                what, instead = "the schema of a reply", "it is told in words"
            self._say_once(f"{self._name} does not take {what}; {instead} from here on: {why}")


def untaken(error: ModelError, request: Request) -> frozenset[str]:
    """What of the request the model refused as such; empty: the fault is another."""
    said = str(error)
    if error.kind != "bad_request" or not is_untaken(said):
        return frozenset()
    return frozenset(name for name in _given(request) if _NAMES[name].search(said))


def without(request: Request, names: frozenset[str]) -> tuple[Request, tuple[str, ...]]:
    """The request without what the model does not take, and what was left out of it."""
    gone = tuple(sorted(names.intersection(_given(request))))
    if not gone:
        return request, gone
    nothing: dict[str, Any] = dict.fromkeys(set(gone) - {"output"})
    left = replace(request, **nothing)
    return in_words(left) if "output" in gone else left, gone


def _respelt(request: Request, spelling: str) -> Request:
    return replace(request, max_tokens=None, extra={**(request.extra or {}), spelling: request.max_tokens})


def _given(request: Request) -> list[str]:
    return [name for name in _NAMES if getattr(request, name) is not None]
