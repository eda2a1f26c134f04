"""A model call of a trial: answered from the recording, from the stored replies, or by the model; and recorded."""

import hashlib
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from trialkit.errors import SETUP, ModelError, ReplayError
from trialkit.models import Connection, Reply, Request, Sent
from trialkit.runfile import CallRecord, ModelInUse, Phase, Source

from ._budget import Budget
from ._store import ReplyStore


class StoppedError(Exception):
    """The run is ending: this trial is left as it is, to be resumed."""


class Stop:
    """Why the run should end early; the first reason stays."""

    def __init__(self) -> None:
        self.reason = ""
        self.setup_fault = False

    def now(self, reason: str, *, setup_fault: bool = False) -> None:
        if not self.reason:
            self.reason, self.setup_fault = reason, setup_fault


Send = Callable[[], Awaitable[Sent]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A model call that a trial wants. `nth` counts how often that trial has asked the same: each is a new sample."""

    trial_id: int
    case_id: str
    number: int
    phase: Phase
    role: str
    request_key: str
    nth: int
    send: Send
    reusable: bool  # whether a reply that was had before may stand for this one

    def stored_key(self) -> str:
        text = f"{self.request_key}\n{self.case_id}\n{self.number}\n{self.nth}"
        return hashlib.sha256(text.encode()).hexdigest()


#: (trial id, request key, how many times the trial had asked the same before) → how it ended
Recorded = Mapping[tuple[int, str, int], CallRecord]


def index(calls: Iterable[CallRecord]) -> Recorded:
    """The newest wins."""
    return {(call.trial_id, call.request_key, call.nth): call for call in calls}


class Caller:
    """Live calls. What is recorded already is not asked again, but for the phases of trials in `afresh`."""

    def __init__(
        self,
        *,
        connections: Mapping[str, Connection],
        record: Callable[[CallRecord], Awaitable[None]],
        recorded: Recorded,
        afresh: Collection[tuple[int, Phase]],
        store: ReplyStore | None,
        budget: Budget,
        stop: Stop,
    ) -> None:
        self._connections = connections
        self._record = record
        self._recorded = recorded
        self._afresh = afresh
        self._store = store
        self._budget = budget
        self._stop = stop
        self._answered: set[str] = set()

    def model_key(self, role: str) -> str:
        return self._connections[role].key

    async def send(self, role: str, request: Request) -> Sent:
        return await self._connections[role](request)

    async def call(self, asked: Asked) -> Reply:
        reusable = asked.reusable and (asked.trial_id, asked.phase) not in self._afresh
        if reusable and (known := await self._known(asked)) is not None:
            return known
        sent = await self._send(asked)
        await self._note(asked, reply=sent.reply, attempts=sent.attempts, latency_s=sent.latency_s)
        if self._store is not None and asked.reusable:
            self._store.put(asked.stored_key(), sent.reply)
        return sent.reply

    async def _known(self, asked: Asked) -> Reply | None:
        recorded = self._recorded.get((asked.trial_id, asked.request_key, asked.nth))
        if recorded is not None:
            return recorded.reply
        stored = await self._store.get(asked.stored_key()) if self._store is not None else None
        if stored is not None:
            await self._note(asked, source="cache", reply=stored)
        return stored

    async def _send(self, asked: Asked) -> Sent:
        if self._stop.reason:
            raise StoppedError
        if not self._budget.admit():
            self._stop.now(f"the next call might go over --max-cost {self._budget.limit:g}")
            raise StoppedError
        try:
            sent = await asked.send()
        except ModelError as error:
            if error.kind in SETUP and asked.role not in self._answered:
                self._stop.now(str(error), setup_fault=True)
                raise StoppedError from None
            await self._note(asked, error_kind=error.kind, error=str(error), attempts=error.attempts)
            raise
        finally:
            self._budget.ended()
        self._budget.paid(sent.reply.cost)
        self._answered.add(asked.role)
        return sent

    async def _note(
        self,
        asked: Asked,
        *,
        source: Source = "live",
        reply: Reply | None = None,
        error_kind: str | None = None,
        error: str | None = None,
        attempts: int = 0,
        latency_s: float = 0.0,
    ) -> None:
        await self._record(
            CallRecord(
                trial_id=asked.trial_id,
                phase=asked.phase,
                role=asked.role,
                model=self._connections[asked.role].name,
                request_key=asked.request_key,
                nth=asked.nth,
                source=source,
                reply=reply,
                error_kind=error_kind,
                error=error,
                attempts=attempts,
                latency_s=latency_s,
            )
        )


class ReplayCaller:
    """No network: each call ends as it ended when it was recorded."""

    def __init__(self, models: Mapping[str, ModelInUse], recorded: Recorded) -> None:
        self._models = models
        self._recorded = recorded

    def model_key(self, role: str) -> str:
        return self._models[role].key

    async def send(self, role: str, request: Request) -> Sent:  # noqa: ARG002 - nothing is sent in a replay
        raise ReplayError(f"the {role} cannot be asked in a replay")

    async def call(self, asked: Asked) -> Reply:
        known = self._recorded.get((asked.trial_id, asked.request_key, asked.nth))
        if known is None:
            raise ReplayError(f"the {asked.role} is asked something else than was recorded")
        if known.reply is None:
            raise ModelError(known.error_kind, known.error or "")  # type: ignore[arg-type]  # written from a ModelError
        return known.reply
