"""How long one request is tried again."""

from trialkit.errors import RETRYABLE, ModelError

from .limiter import Limiter, Uniform

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
        return max(least, error.retry_after or 0.0)

    def is_over(self, error: ModelError) -> bool:
        if error.kind not in RETRYABLE or self._failed > self._retries:
            return True
        return self._refused > _MOST_REFUSALS or self._loading_s > LONGEST_LOADING_S
