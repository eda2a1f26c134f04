"""A model call of a trial: answered from the recording, from the stored replies, or by the model; and recorded."""

import hashlib
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from trialkit.errors import SETUP, ModelError, ReplayError, TrialkitError
from trialkit.models import Connection, Reply, Request, Sent
from trialkit.runfile import CallRecord, Event, ModelInUse, Phase, Source
from trialkit.suites import Peer

from .budget import Budget
from .store import ReplyStore


class StoppedError(Exception):
    """The run is ending: this trial is left as it is, to be resumed."""


class Stop:
    """Why the run should end early; the first reason stays."""

    def __init__(self) -> None:
        self.reason = ""
        self.setup_fault = False
        self.over_budget = False

    def now(self, reason: str, *, setup_fault: bool = False, over_budget: bool = False) -> None:
        if not self.reason:
            self.reason, self.setup_fault, self.over_budget = reason, setup_fault, over_budget


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


TellEvents = Callable[[int, Sequence[Event]], None]
#: (trial id, request key, how many times the trial had asked the same before) → how it ended
Recorded = Mapping[tuple[int, str, int], CallRecord]


def index(calls: Iterable[CallRecord]) -> Recorded:
    """The newest wins; void ones do not count."""
    return {(call.trial_id, call.request_key, call.nth): call for call in calls if not call.void}


class Caller:
    """Live calls. What is recorded already is not asked again."""

    def __init__(
        self,
        *,
        peers: Mapping[str, Peer],
        record: Callable[[CallRecord], Awaitable[None]],
        events: TellEvents,
        recorded: Recorded,
        store: ReplyStore | None,
        budget: Budget,
        stop: Stop,
    ) -> None:
        self._peers = peers
        self._record = record
        self.events = events
        self._recorded = recorded
        self._fresh: defaultdict[tuple[int, Phase], dict[str, Reply | None]] = defaultdict(dict)
        self._store = store
        self._budget = budget
        self._stop = stop
        self._answered: set[str] = set()

    def model_key(self, role: str) -> str:
        return self._peers[role].key

    async def send(self, role: str, request: Request) -> Sent:
        peer = self._peers[role]
        if not isinstance(peer, Connection):
            raise TypeError(f"the {role} is no model: it is talked to through trial.exchange")
        return await peer(request)

    async def call(self, asked: Asked) -> Reply:
        if asked.reusable and (known := await self._known(asked)) is not None:
            return known
        sent = await self._send(asked)
        await self._note(asked, reply=sent.reply, attempts=sent.attempts, latency_s=sent.latency_s)
        self._to_store(asked, sent.reply)
        return sent.reply

    async def settle(self, trial_id: int, phase: Phase, *, good: bool) -> None:
        """What a phase was told is worth storing only if it led somewhere; else it is forgotten."""
        for key, reply in self._fresh.pop((trial_id, phase), {}).items():
            if self._store is None:
                return
            with suppress(TrialkitError):  # a store that cannot be written is no reason to lose a trial
                if not good:
                    self._store.remove(key)
                elif reply is not None:
                    self._store.put(key, reply)

    async def _known(self, asked: Asked) -> Reply | None:
        recorded = self._recorded.get((asked.trial_id, asked.request_key, asked.nth))
        if recorded is not None and recorded.reply is not None:
            self._to_store(asked, recorded.reply)  # the session that had it ended before its phase did, and stored none
            return recorded.reply
        if self._store is None or not self._peers[asked.role].storable:
            return None
        try:
            stored = await self._store.get(asked.stored_key())
        except TrialkitError:  # likewise
            self._store = None
            return None
        if stored is not None:
            self._fresh[asked.trial_id, asked.phase][asked.stored_key()] = None
            await self._note(asked, source="cache", reply=stored)
        return stored

    def _to_store(self, asked: Asked, reply: Reply) -> None:
        if self._store is not None and asked.reusable and self._peers[asked.role].storable:
            self._fresh[asked.trial_id, asked.phase][asked.stored_key()] = reply

    async def _send(self, asked: Asked) -> Sent:
        if self._stop.reason:
            raise StoppedError
        if not self._peers[asked.role].billed:
            return await self._sent(asked)
        if not await self._budget.admit(asked.role):
            self._stop.now(f"the next call might go over --max-cost {self._budget.limit:g}", over_budget=True)
            raise StoppedError
        try:
            if self._stop.reason:  # it came while this call waited for its turn
                raise StoppedError
            sent = await self._sent(asked)
            if sent.reply.cost is None and self._budget.limit is not None:
                self._stop.now(f"{asked.role}: a call came without what it cost, so --max-cost cannot be kept")
            return sent
        finally:
            await self._budget.ended(asked.role)

    async def _sent(self, asked: Asked) -> Sent:
        try:
            sent = await asked.send()
        except ModelError as error:
            if error.kind in SETUP and asked.role not in self._answered:
                self._stop.now(str(error), setup_fault=True)
                raise StoppedError from None
            if error.usage is not None:
                self._budget.paid(asked.role, error.cost)
            await self._note(asked, fault=error, attempts=error.attempts)
            raise
        self._budget.paid(asked.role, sent.reply.cost)
        self._answered.add(asked.role)
        return sent

    async def _note(
        self,
        asked: Asked,
        *,
        source: Source = "live",
        reply: Reply | None = None,
        fault: ModelError | None = None,
        attempts: int = 0,
        latency_s: float = 0.0,
    ) -> None:
        ended = reply or fault
        usage = ended.usage if ended else None
        await self._record(
            CallRecord(
                trial_id=asked.trial_id,
                phase=asked.phase,
                role=asked.role,
                model=self._peers[asked.role].name,
                request_key=asked.request_key,
                nth=asked.nth,
                source=source,
                reply=reply,
                error_kind=fault.kind if fault else None,
                error=str(fault) if fault else None,
                attempts=attempts,
                input_tokens=usage.input_tokens if usage else None,
                output_tokens=usage.output_tokens if usage else None,
                cost=ended.cost if ended else None,
                latency_s=latency_s,
            )
        )


class ReplayCaller:
    """No network: each call ends as it ended when it was recorded."""

    def __init__(self, models: Mapping[str, ModelInUse], recorded: Recorded, events: TellEvents) -> None:
        self._models = models
        self.events = events
        self._recorded = recorded

    def model_key(self, role: str) -> str:
        return self._models[role].key

    async def send(self, role: str, request: Request) -> Sent:  # noqa: ARG002 - nothing is sent in a replay
        raise ReplayError(f"the {role} cannot be asked in a replay")

    async def settle(self, trial_id: int, phase: Phase, *, good: bool) -> None:
        """Nothing is stored in a replay."""

    async def call(self, asked: Asked) -> Reply:
        known = self._recorded.get((asked.trial_id, asked.request_key, asked.nth))
        if known is None:
            raise ReplayError(f"the {asked.role} is asked something else than was recorded")
        if known.reply is None:
            raise ModelError(known.error_kind, known.error or "")  # type: ignore[arg-type]  # written from a ModelError
        return known.reply
