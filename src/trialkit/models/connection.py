"""A connection to one model: sends a request, and again where the fault may pass."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Protocol
from urllib.parse import urlsplit

from trialkit.errors import ModelError, ModelErrorKind
from trialkit.vocabulary import Usage

from .limiter import Traffic
from .patience import LONGEST_LOADING_S, Patience
from .reply import noted
from .types import Reply, Request

#: Before another attempt, where no status tells it.
_WHY: Mapping[ModelErrorKind, str] = {
    "loading": "model being loaded by",
    "timeout": "no reply in time from",
    "bad_reply": "unusable reply from",
}


class Client(Protocol):
    """Sends a request once. Raises `ModelError` and nothing else."""

    async def send(self, request: Request) -> Reply: ...

    async def aclose(self) -> None: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Identity:
    """Who answers. Nothing here is secret: it is shown, recorded and hashed."""

    name: str
    endpoint: str
    key: str
    price_known: bool
    billed: bool = True  # whether its calls count against a budget at all
    storable: bool = True  # whether the same request in another run may be answered from this one


@dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    reply: Reply
    attempts: int
    latency_s: float  # of the attempt that succeeded


class Connection:
    #: Whether its requests wait to be answered together, each found again by its `sample`.
    batched = False

    def __init__(
        self, identity: Identity, client: Client, traffic: Traffic, retries: int, in_all: float | None = None
    ) -> None:
        """`in_all`: seconds that all attempts at one reply may take, with the pauses between them."""
        self.name = identity.name
        self.endpoint = identity.endpoint
        self.key = identity.key
        self.price_known = identity.price_known
        self.billed = identity.billed
        self.storable = identity.storable
        self._client = client
        self._retries = retries
        self._in_all = in_all
        self._limiter = traffic.limiter(identity.endpoint)
        self._traffic = traffic

    async def __call__(self, request: Request) -> Sent:
        """The reply. A `ModelError` raised here tells of the last attempt; its `attempts` counts them all.

        What was paid for answers that were none is part of what the reply, or the error, cost.
        """
        patience = Patience(self._retries, self._limiter, self._traffic.uniform)
        lost: list[ModelError] = []
        while True:
            ticket = await self._limiter.enter(patience.attempts, self.name)
            started = perf_counter()
            try:
                sending = self._client.send(request)
                reply = await (
                    sending if self._in_all is None else patience.within(self._in_all, sending, self.endpoint)
                )
            except ModelError as error:
                error.latency_s = perf_counter() - started
                if error.usage is not None or error.kind == "timeout":
                    lost.append(error)
                wait, why = patience.wait(error), self._why(error)
                if error.kind == "rate_limit":
                    wait = self._limiter.refused(ticket, wait, why)
                elif error.kind == "loading":
                    self._traffic.say_once(
                        f"{self.endpoint} is loading its model; waiting, at most {LONGEST_LOADING_S / 60:g} min"
                    )
                    self._limiter.hold(wait, why)
                    wait = 0.0
                if patience.is_over(error):
                    error.attempts = patience.attempts
                    _tell_patience(error, lost, patience)
                    error.usage, error.cost = _in_vain(lost)
                    raise
                self._traffic.retries += 1
            else:
                self._limiter.accepted(_tokens(reply), self.name)
                if lost:
                    usage, cost = _in_all([*lost, reply])
                    reply = replace(reply, usage=usage, cost=cost)
                reply = self._noted(request, reply)
                return Sent(reply=reply, attempts=patience.attempts + 1, latency_s=perf_counter() - started)
            finally:
                self._limiter.leave(ticket, self.name)
            if wait:
                await self._limiter.pause(wait, why)

    def _noted(self, request: Request, reply: Reply) -> Reply:
        reply = noted(request, reply)
        if reply.call_as_text:  # early enough to stop the run
            reads = "--tools-as text reads them (--judge-tools-as, --user-tools-as)"
            self._traffic.say_once(f"{self.name} writes calls of tools as text; {reads}")
        return reply

    def _why(self, error: ModelError) -> str:
        """What another attempt waits for."""
        told = _WHY.get(error.kind) or (f"{error.status} from" if error.status else "no connection to")
        return f"{told} {urlsplit(self.endpoint).netloc or self.endpoint}"

    async def aclose(self) -> None:
        self._limiter.rest()
        await self._client.aclose()


def _tokens(reply: Reply) -> int:
    return reply.usage.input_tokens + reply.usage.output_tokens if reply.usage else 0


def _tell_patience(error: ModelError, lost: Sequence[ModelError], patience: Patience) -> None:
    """Where nothing but time-outs came, how long that took in all; or that it was all the time there was."""
    if patience.ended:
        error.args = (f"{error}; no time is left for another attempt (--timeout-in-all)",)
    elif len(lost) == error.attempts > 1 and all(one.kind == "timeout" for one in lost):
        whole = sum(one.latency_s for one in lost)
        error.args = (f"{error}, in none of {error.attempts} attempts ({whole:.0f} s in all); --timeout waits longer",)


def _in_vain(lost: Sequence[ModelError]) -> tuple[Usage | None, float | None]:
    """Of time-outs alone no tokens are known, yet there is something to pay for: nobody knows how much."""
    usage, cost = _in_all(lost)
    return (Usage(input_tokens=0, output_tokens=0) if lost and usage is None else usage), cost


def _in_all(answers: Sequence[ModelError | Reply]) -> tuple[Usage | None, float | None]:
    """What they took together; None where that is not known of one of them.

    What timed out told of no tokens; its server may have gone on, and nobody knows what that cost.
    """
    told = [one.usage for one in answers if not (isinstance(one, ModelError) and one.kind == "timeout")]
    usages = [usage for usage in told if usage is not None]
    costs = [one.cost for one in answers if one.cost is not None]
    return (
        sum(usages[1:], usages[0]) if usages and len(usages) == len(told) else None,
        sum(costs) if answers and len(costs) == len(answers) else None,
    )
