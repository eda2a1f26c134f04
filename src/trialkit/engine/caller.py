"""Live calls: answered from the recording, from the stored replies, or by the model; and recorded."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial

from trialkit.errors import SETUP, ModelError, TrialkitError
from trialkit.models import Connection, Reply, Request, Sent
from trialkit.runfile import CallRecord, CallSource, Phase
from trialkit.suites import Peer

from .budget import Budget
from .calls import Call, CallReply, Recorded, Send, StoppedError, TellEvents
from .store import ReplyStore


class Stop:
    """Why the run should end early; the first reason stays."""

    def __init__(self) -> None:
        self.reason = ""
        self.setup_fault = False
        self.over_budget = False
        self.enough = False  # all is known that was to be found out

    def now(self, reason: str, *, setup_fault: bool = False, over_budget: bool = False, enough: bool = False) -> None:
        if not self.reason:
            self.reason, self.setup_fault, self.over_budget, self.enough = reason, setup_fault, over_budget, enough


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

    async def ask(self, call: Call, request: Request) -> CallReply:
        known = await self._known(call)
        if known is not None:
            return CallReply(known, fresh=False)
        peer = self._peers[call.role]
        if not isinstance(peer, Connection):
            raise TypeError(f"the {call.role} is no model: it is talked to through trial.exchange")
        answer = await self.exchange(call, partial(peer, request))
        self._to_store(call, answer.reply)
        return answer

    async def exchange(self, call: Call, send: Send) -> CallReply:
        try:
            sent = await self._sent(call.role, send)
        except ModelError as error:
            await self._note(call, fault=error, attempts=error.attempts, latency_s=error.latency_s)
            raise
        await self._note(call, reply=sent.reply, attempts=sent.attempts, latency_s=sent.latency_s)
        return CallReply(sent.reply, fresh=True)

    def settle(self, trial_id: int, phase: Phase, *, good: bool) -> None:
        """What a phase was told is worth storing only if it led somewhere; else it is forgotten."""
        for key, reply in self._fresh.pop((trial_id, phase), {}).items():
            if self._store is None:
                return
            with suppress(TrialkitError):  # a store that cannot be written is no reason to lose a trial
                if not good:
                    self._store.remove(key)
                elif reply is not None:
                    self._store.put(key, reply)

    async def _known(self, call: Call) -> Reply | None:
        recorded = self._recorded.get((call.trial_id, call.request_key, call.nth))
        if recorded is not None and recorded.reply is not None:
            self._to_store(call, recorded.reply)  # the session that had it ended before its phase did, and stored none
            return recorded.reply
        if self._store is None or not self._peers[call.role].storable:
            return None
        try:
            stored = await self._store.get(call.stored_key())
        except TrialkitError:  # a store that cannot be read is no reason to lose a trial either
            self._store = None
            return None
        if stored is not None:
            self._fresh[call.trial_id, call.phase][call.stored_key()] = None
            await self._note(call, source="cache", reply=stored)
        return stored

    def _to_store(self, call: Call, reply: Reply) -> None:
        if self._store is not None and self._peers[call.role].storable:
            self._fresh[call.trial_id, call.phase][call.stored_key()] = reply

    async def _sent(self, role: str, send: Send) -> Sent:
        """Within the budget, unless the run is ending."""
        if self._stop.reason:
            raise StoppedError
        billed = self._peers[role].billed
        if billed and not await self._budget.admit(role):
            self._stop.now(f"the next call might go over --max-cost {self._budget.limit:g}", over_budget=True)
            raise StoppedError
        try:
            if self._stop.reason:  # it came while this call waited for its turn
                raise StoppedError
            sent = await send()
            self._paid(role, sent.reply.cost, sent.attempts)
        except ModelError as error:
            self._failed(role, error)
            raise
        finally:
            if billed:
                await self._budget.ended(role)
        self._answered.add(role)
        return sent

    def _failed(self, role: str, error: ModelError) -> None:
        if error.kind in SETUP and role not in self._answered:
            self._stop.now(str(error), setup_fault=True)
            raise StoppedError from None
        if error.usage is not None or error.kind == "timeout":
            self._paid(role, error.cost, error.attempts)

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
        await self._record(
            CallRecord(
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
            )
        )
