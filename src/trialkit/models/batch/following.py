"""A batch from its requests to its results: submitted, looked at with growing pauses, read."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from trialkit.errors import RETRYABLE, ModelError, ModelErrorKind
from trialkit.models.limiter import Traffic

from .api import BatchApi, Look, Result

T = TypeVar("T")

_FIRST_PAUSE_S, _LONGEST_PAUSE_S, _LONGER = 2.0, 60.0, 1.5
#: After these nothing was submitted; after a time-out, who knows.
_NOT_SUBMITTED: frozenset[ModelErrorKind] = frozenset({"rate_limit", "server", "loading", "unreachable"})


class BatchResults:
    """A batch that is over: how each of its requests ended."""

    def __init__(self, results: dict[str, Result], otherwise: ModelError) -> None:
        self._results = results
        self._otherwise = otherwise

    def take(self, name: str) -> Result:
        return self._results.pop(name, self._otherwise)


class _Pauses:
    def __init__(self, traffic: Traffic) -> None:
        self._traffic = traffic
        self._next = _FIRST_PAUSE_S

    async def __call__(self, least: float = 0.0) -> None:
        await self._traffic.sleep(max(self._next, least))
        self._next = min(_LONGEST_PAUSE_S, self._next * _LONGER)


async def submit(once: Callable[[], Awaitable[str]], traffic: Traffic, retries: int) -> str:
    """The batch's id. Raises `ModelError`."""
    pause = _Pauses(traffic)
    for _ in range(retries):
        try:
            return await once()
        except ModelError as error:
            if error.kind not in _NOT_SUBMITTED:
                raise
            await pause(error.retry_after or 0.0)
    return await once()


async def follow(api: BatchApi, batch: str, where: str, traffic: Traffic) -> BatchResults:
    """Until it is over, however long that takes. Raises `ModelError` where there is no use in looking again."""
    pause = _Pauses(traffic)

    async def patiently(ask: Callable[[], Awaitable[T]]) -> T:
        while True:
            try:
                return await ask()
            except ModelError as error:
                if error.kind not in RETRYABLE:
                    raise
                traffic.say_once(f"batch {batch}: {error}; looking again")
                await pause(error.retry_after or 0.0)

    look = await patiently(lambda: api.look(batch))
    while not look.over:
        await pause()
        look = await patiently(lambda: api.look(batch))
    results = await patiently(lambda: api.results(look))
    return BatchResults(results, _without_result(batch, where, look))


def _without_result(batch: str, where: str, look: Look) -> ModelError:
    told = f": {look.fault}" if look.fault else ""
    return ModelError(
        "bad_request" if look.fault else "server",
        f"{where}: the batch {batch} is {look.state}, without an answer to this request{told}",
    )
