"""A batch from its submission to its results: looked at with growing pauses, then read."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from trialkit.errors import RETRYABLE, ModelError
from trialkit.models.classify import kind_of
from trialkit.models.limiter import Traffic

from .api import BatchApi, Look, Result

T = TypeVar("T")

_FIRST_PAUSE_S, _LONGEST_PAUSE_S, _LONGER = 2.0, 60.0, 1.5
#: So often results are read that break off or hold what is no line of them; then what can be read of them counts.
_MOST_READINGS = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class BatchResults:
    """A batch that is over: how each of its requests ended."""

    results: dict[str, Result]
    otherwise: ModelError
    too_much: bool = False  # it was refused for what waits at the provider with it, no more

    def are_of(self, names: Iterable[str]) -> bool:
        return not self.results.keys().isdisjoint(names)

    def take(self, name: str) -> Result:
        return self.results.pop(name, self.otherwise)

    def with_those_of(self, other: "BatchResults") -> "BatchResults":
        return replace(other, results=self.results | other.results)


class Pauses:
    def __init__(self, traffic: Traffic) -> None:
        self._traffic = traffic
        self._next = _FIRST_PAUSE_S

    async def __call__(self, error: ModelError | None = None) -> None:
        """As long as the error asks for, at least."""
        await self._traffic.sleep(max(self._next, error.retry_after or 0.0 if error else 0.0))
        self._next = min(_LONGEST_PAUSE_S, self._next * _LONGER)


async def patiently(
    what: str, ask: Callable[[], Awaitable[T]], traffic: Traffic, is_over: Callable[[ModelError], bool]
) -> T:
    """Again and again until it is over. Raises `ModelError`."""
    pause = Pauses(traffic)
    while True:
        try:
            return await ask()
        except ModelError as error:
            if is_over(error):
                raise
            traffic.say_once(f"{what}: {error}; looking again")
            await pause(error)


def will_not_pass(error: ModelError) -> bool:
    return error.kind not in RETRYABLE


async def follow(api: BatchApi, batch: str, traffic: Traffic) -> BatchResults:
    """Until it is over, however long that takes. Raises `ModelError`."""
    what, pause = f"batch {batch}", Pauses(traffic)
    look = await patiently(what, lambda: api.look(batch), traffic, will_not_pass)
    while not look.over:
        await pause()
        look = await patiently(what, lambda: api.look(batch), traffic, will_not_pass)
    results = await _read(api, what, look, traffic)
    return BatchResults(results=results, otherwise=_without_result(batch, api.where, look), too_much=look.too_much)


async def _read(api: BatchApi, what: str, look: Look, traffic: Traffic) -> dict[str, Result]:
    broken = 0

    def is_over(error: ModelError) -> bool:
        nonlocal broken
        broken += error.kind == "bad_reply"
        return will_not_pass(error) or broken == _MOST_READINGS

    return await patiently(what, lambda: api.results(look, whole=broken < _MOST_READINGS - 1), traffic, is_over)


def _without_result(batch: str, where: str, look: Look) -> ModelError:
    """Of a batch that was refused as a whole, why."""
    told = f": {look.fault}" if look.fault else ""
    return ModelError(
        kind_of(400, look.fault) if look.fault else "server",
        f"{where}: the batch {batch} is {look.state}, without an answer to this request{told}",
    )
