"""How long one request is tried again."""

import asyncio
from collections.abc import Awaitable
from math import inf
from typing import TypeVar

from trialkit.errors import RETRYABLE, ModelError

from .limiter import Limiter, Uniform

T = TypeVar("T")

_FIRST_BACK_OFF_S = 0.5
#: Refusals of one request, while others get through, that do not use up its retries: then it is no matter of traffic.
_MOST_REFUSALS = 20
#: A model that is being loaded is asked for again after so many seconds, for so many in all.
_LOOK_AGAIN_S = 2.0
LONGEST_LOADING_S = 600.0


class Patience:
    """A refusal (429) counts as a failed attempt only where nobody else gets through either; a model that is being
    loaded counts as none."""

    def __init__(self, retries: int, limiter: Limiter, uniform: Uniform) -> None:
        self.attempts = 0
        self._failed = 0
        self._refused = 0
        self._loading_s = 0.0
        self._retries = retries
        self._limiter = limiter
        self._uniform = uniform
        self._served = limiter.served
        self._ends = inf  # by the clock of the event loop
        self.ended = False  # whether there was no time for another attempt

    async def within(self, seconds: float, sending: Awaitable[T], where: str) -> T:
        """An attempt, in what is left of so many seconds for all of them. `ModelError` where that is too short."""
        self._ends = min(self._ends, _now() + seconds)
        try:
            async with asyncio.timeout_at(self._ends):
                return await sending
        except TimeoutError:
            raise ModelError("timeout", f"no answer from {where} within {seconds:g} s in all") from None

    def wait(self, error: ModelError) -> float:
        """Seconds before another attempt, if there is one."""
        self.attempts += 1
        if error.kind == "loading":
            least = _LOOK_AGAIN_S
            self._loading_s += least
        elif error.kind == "rate_limit" and self._limiter.is_shared(self._served):
            self._served = self._limiter.served
            self._refused += 1
            least = 0.0  # the limiter knows when the next one may go
        else:
            least = self._uniform(0.0, _FIRST_BACK_OFF_S * 2**self._failed)
            self._failed += 1
        wait = max(least, error.retry_after or 0.0)
        self.ended = error.kind in RETRYABLE and self._ends <= _now() + wait
        return wait

    def is_over(self, error: ModelError) -> bool:
        if error.kind not in RETRYABLE or self.ended or self._failed > self._retries:
            return True
        return self._refused > _MOST_REFUSALS or self._loading_s > LONGEST_LOADING_S


def _now() -> float:
    return asyncio.get_running_loop().time()
