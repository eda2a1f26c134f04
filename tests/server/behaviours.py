"""Ready ways to respond."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.server.actions import Action, Call, Fault, Protocol, Respond, Say
from tests.server.protocols import proof, thoughts, tool_names


def in_turn(*actions: Action) -> Respond:
    """The actions one after the other; the last of them for good."""
    left = list(actions)

    def respond(_body: dict[str, Any], _protocol: Protocol) -> Action:
        return left.pop(0) if len(left) > 1 else left[0]

    return respond


class Thinker:
    """Thinks before it says anything, and refuses a request that does not bring back what led to its tool calls."""

    def __init__(self, respond: Respond) -> None:
        self.refused = 0
        self._respond = respond
        self._given: set[str] = set()

    def __call__(self, body: dict[str, Any], protocol: Protocol) -> Action:
        if not self._given.issuperset(thoughts(body, protocol)):
            self.refused += 1
            return Fault(kind="bad_request", echo="the thoughts must be passed back")
        action = self._respond(body, protocol)
        if not isinstance(action, Say):
            return action
        thought = f"thought {len(self._given)} 🌽"
        self._given.add(proof(thought, protocol))
        return replace(action, thought=thought)


class TokenBucket:
    """Lets `rate` requests a second through, `burst` at once, and refuses the others with 429."""

    def __init__(
        self,
        respond: Respond,
        *,
        rate: float,
        burst: int,
        retry_after: str | None = "1",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.refused = 0
        self._respond = respond
        self._rate = rate
        self._burst = float(burst)
        self._headers = {} if retry_after is None else {"Retry-After": retry_after}
        self._clock = clock
        self._tokens = float(burst)
        self._filled_at = clock()

    def __call__(self, body: dict[str, Any], protocol: Protocol) -> Action:
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._filled_at) * self._rate)
        self._filled_at = now
        if self._tokens < 1:
            self.refused += 1
            return Fault(kind="rate_limit", headers=self._headers)
        self._tokens -= 1
        return self._respond(body, protocol)


class AtOnce:
    """Lets `places` requests in at the same time, and refuses the others with 429. `active`: how many there are."""

    def __init__(
        self, respond: Respond, active: Callable[[], int], *, places: int, retry_after: str | None = None
    ) -> None:
        self._respond = respond
        self._active = active
        self._places = places
        self._headers = {} if retry_after is None else {"Retry-After": retry_after}

    def __call__(self, body: dict[str, Any], protocol: Protocol) -> Action:
        if self._active() >= self._places:
            return Fault(kind="rate_limit", headers=self._headers)
        return self._respond(body, protocol)


def analyst(body: dict[str, Any], protocol: Protocol) -> Action:
    """Plays the commodity analyzer: reasoning and one `create_alert`, always the same. To others it just talks."""
    if "create_alert" not in tool_names(body, protocol):
        return Say(text="Noted.")
    arguments = {
        "commodity_code": "CORN",
        "condition": "below",
        "threshold_price": 4.1,
        "notes": "Protects the long position against a fall.",
    }
    return Say(
        text="The long position loses if the price falls, so an alert stands below the market.",
        calls=(Call(name="create_alert", arguments=arguments),),
        input_tokens=420,
        output_tokens=64,
    )
