"""Live calls: answered from the recording, from the stored replies, or by the model; and recorded."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from trialkit.errors import SETUP, ModelError, TrialkitError
from trialkit.models import Connection, Reply, Request, Sent
from trialkit.runfile import CallRecord, CallSource, Phase
from trialkit.suites import Peer

from .budget import Budget
from .calls import Call, CallReply, Recorded, Send, StoppedError, TellEvents, seconds_of
from .meter import Meter
from .store import ReplyStore

#: In so many trials a server breaks off without a word before it is taken for dead, if it never answered.
_DEAD_AFTER = 3
#: After an interrupt, for agents and services. A model's reply is waited for: it is paid for, and within --timeout.
_GRACE_S = 10.0


class Stop:
    """Why the run should end early; the first reason stays."""

    def __init__(self, grace_s: float = _GRACE_S) -> None:
        self.reason = ""
        self.setup_fault = False
        self.over_budget = False
        self.enough = False  # all is known that was to be found out
        self._grace_s = grace_s
        self._limits: set[asyncio.Timeout] = set()

    def now(self, reason: str, *, setup_fault: bool = False, over_budget: bool = False, enough: bool = False) -> None:
        if not self.reason:
            self.reason, self.setup_fault, self.over_budget, self.enough = reason, setup_fault, over_budget, enough

    def interrupt(self) -> None:
        """Whoever is waited for with patience gets no more than a moment."""
        for limit in self._limits:
            limit.reschedule(asyncio.get_running_loop().time() + self._grace_s)

    @asynccontextmanager
    async def patience(self) -> AsyncIterator[None]:
        """`StoppedError` where what is inside takes longer than an interrupt lets it."""
        limit = asyncio.timeout(None)
        try:
            async with limit:
                self._limits.add(limit)
                yield
        except TimeoutError:
            if limit.expired():
                raise StoppedError from None
            raise
        finally:
            self._limits.discard(limit)


class Caller:
    """What is recorded already is not asked again."""

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
        meter: Meter,
    ) -> None:
        self._peers = peers
        self._record = record
        self.events = events
        self._recorded = recorded
        self._fresh: defaultdict[tuple[int, Phase], dict[str, Reply | None]] = defaultdict(dict)
        self._store = store
        self._budget = budget
        self._stop = stop
        self._meter = meter
        self._answered: set[str] = set()
        self._unheard: defaultdict[str, set[int]] = defaultdict(set)  # by role: trials that it broke off in

    def model_key(self, role: str) -> str:
        return self._peers[role].key

    async def ask(self, call: Call, request: Request) -> CallReply:
        key = call.stored_key() if self._stores(call.role) else ""
        known = await self._known(call, key)
        if known is not None:
            return known
        peer = self._peers[call.role]
        if not isinstance(peer, Connection):
            raise TypeError(f"the {call.role} is no model: it is talked to through trial.exchange")
        if peer.batched:
            request = replace(request, sample=key or call.stored_key())
        answer = await self.exchange(call, partial(peer, request))
        self._to_store(call, key, answer.reply)
        return answer

    async def exchange(self, call: Call, send: Send) -> CallReply:
        try:
            with self._meter.one_call():
                sent = await self._sent(call, send)
        except ModelError as error:
            await self._note(call, fault=error, attempts=error.attempts, latency_s=error.latency_s)
            raise
        await self._note(call, reply=sent.reply, attempts=sent.attempts, latency_s=sent.latency_s)
        return CallReply(sent.reply, fresh=True, seconds=sent.latency_s)

    def settle(self, trial_id: int, phase: Phase, *, good: bool) -> None:
        """What a phase was told is worth storing only if it led somewhere; else it is forgotten."""
        for key, reply in self._fresh.pop((trial_id, phase), {}).items():
            if self._store is None:
                return
            if not good:
                self._store.put(key, None)
            elif reply is not None:
                self._store.put(key, reply)

    async def _known(self, call: Call, key: str) -> CallReply | None:
        recorded = self._recorded.get((call.trial_id, call.request_key, call.nth))
        if recorded is not None and recorded.reply is not None:
            # the session that had it ended before its phase did, and stored none
            self._to_store(call, key, recorded.reply)
            return CallReply(recorded.reply, fresh=False, seconds=seconds_of(recorded))
        if self._store is None or not key:
            return None
        try:
            stored = await self._store.get(key)
        except TrialkitError:  # a store that cannot be read is no reason to lose a trial either
            self._store = None
            return None
        if stored is None:
            return None
        self._fresh[call.trial_id, call.phase][key] = None
        await self._note(call, source="cache", reply=stored)
        return CallReply(stored, fresh=False)

    def _stores(self, role: str) -> bool:
        return self._store is not None and self._peers[role].storable

    def _to_store(self, call: Call, key: str, reply: Reply) -> None:
        if key and self._stores(call.role):
            self._fresh[call.trial_id, call.phase][key] = reply

    async def _sent(self, call: Call, send: Send) -> Sent:
        """Within the budget, unless the run is ending."""
        role = call.role
        if self._stop.reason:
            raise StoppedError
        billed = self._peers[role].billed
        if billed and not await self._budget.admit(role):
            self._stop.now(f"the next call might go over --max-cost {self._budget.limit:g}", over_budget=True)
            raise StoppedError
        try:
            if self._stop.reason:  # it came while this call waited for its turn
                raise StoppedError
            sent = await (send() if isinstance(self._peers[role], Connection) else self._patiently(send))
            self._paid(role, sent.reply.cost, sent.attempts)
        except ModelError as error:
            self._failed(call, error)
            raise
        finally:
            if billed:
                await self._budget.ended(role)
        self._answered.add(role)
        return sent

    async def _patiently(self, send: Send) -> Sent:
        async with self._stop.patience():
            return await send()

    def _failed(self, call: Call, error: ModelError) -> None:
        role = call.role
        first = role not in self._answered and (error.kind in SETUP or self._is_dead(call, error))
        if first or error.kind == "quota":  # what is used up is so for all that would follow
            self._stop.now(str(error), setup_fault=True)
            raise StoppedError from None
        if error.usage is not None or error.kind == "timeout":
            self._paid(role, error.cost, error.attempts)

    def _is_dead(self, call: Call, error: ModelError) -> bool:
        """Of a server, that is; an agent's program that breaks off does so by its own fault, in each of its trials."""
        if error.kind == "connection" and isinstance(self._peers[call.role], Connection):
            self._unheard[call.role].add(call.trial_id)
        else:
            self._unheard[call.role].clear()  # whatever it said, it is there
        return len(self._unheard[call.role]) >= _DEAD_AFTER

    def _paid(self, role: str, cost: float | None, attempts: int) -> None:
        known = self._budget.paid(role, cost, attempts)
        if not known and self._peers[role].billed and self._budget.limit is not None:
            self._stop.now(f"{role}: a call came without what it cost, so --max-cost cannot be kept")

    async def _note(
        self,
        call: Call,
        *,
        source: CallSource = "live",
        reply: Reply | None = None,
        fault: ModelError | None = None,
        attempts: int = 0,
        latency_s: float = 0.0,
    ) -> None:
        ended = reply or fault
        usage = ended.usage if ended else None
        record = CallRecord(
            trial_id=call.trial_id,
            phase=call.phase,
            role=call.role,
            model=self._peers[call.role].name,
            request_key=call.request_key,
            nth=call.nth,
            source=source,
            reply=reply,
            error_kind=fault.kind if fault else None,
            error=str(fault) if fault else None,
            attempts=attempts,
            input_tokens=usage.input_tokens if usage else None,
            output_tokens=usage.output_tokens if usage else None,
            cost=ended.cost if ended else None,
            latency_s=latency_s,
            left_out=", ".join(reply.left_out) if reply else "",
        )
        self._meter.ended(record)
        await self._record(record)
