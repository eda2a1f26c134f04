"""One trial under way, as the suite sees it."""

import hashlib
from collections import Counter
from collections.abc import Awaitable, Mapping

from trialkit.errors import ModelError
from trialkit.models import Message, Options, Reply, Request
from trialkit.runfile import Event, Phase, Prompt
from trialkit.settings import RunSettings
from trialkit.stats import known_sum

from .calls import Call, CallReply, Calls, Send
from .guard import Fault
from .job import Job


class LiveTrial:
    def __init__(
        self,
        job: Job,
        calls: Calls,
        *,
        settings: RunSettings,
        prompts: Mapping[str, Prompt],
        options: Mapping[str, Options],  # by role
        seed: int | None,  # of the run
        phase: Phase = "attempt",
    ) -> None:
        self.case = job.case
        self.number = job.origin.number if job.origin else job.number  # what is drawn by it is as it was there
        self.settings = settings
        self.prompts = prompts
        self.seed = None if seed is None else _trial_seed(seed, job.case.id, job.number)
        self.phase = phase
        self.fresh = 0  # calls that no recorded or stored reply answered
        self.failed = 0  # calls that no reply came to
        self.cost: float | None = 0.0  # of all replies, recorded ones too; None: unknown
        self.seconds: float | None = 0.0  # that they took; None: of some nobody knows
        self._options = options
        self._id = job.trial_id
        self._number = job.number
        self._calls = calls
        self._asked: Counter[str] = Counter()

    @property
    def asked(self) -> int:
        return self._asked.total()

    async def ask(self, role: str, request: Request | str) -> Reply:
        if isinstance(request, str):
            messages = (Message(role="user", text=request),)
            request = Request(messages=messages, temperature=self.settings.temperature, seed=self.seed)
        if role in self._options:
            request = self._options[role].of(request)
        call = self._call(role, request.key(self._calls.model_key(role)))
        return await self._noted(call, self._calls.ask(call, request))

    async def exchange(self, role: str, said: str, send: Send) -> Reply:
        key = hashlib.sha256(f"{self._calls.model_key(role)}\n{said}".encode()).hexdigest()
        call = self._call(role, key)
        return await self._noted(call, self._calls.exchange(call, send))

    def note(self, kind: str, **data: object) -> None:
        self._calls.events(self._id, (Event(kind=kind, data=data),))

    def note_crash(self, fault: Fault) -> None:
        if fault.traceback:
            self.note("crash", traceback=fault.traceback)

    def _call(self, role: str, key: str) -> Call:
        nth = self._asked[key]
        self._asked[key] += 1
        return Call(
            trial_id=self._id,
            case_id=self.case.id,
            number=self._number,
            phase=self.phase,
            role=role,
            request_key=key,
            nth=nth,
        )

    async def _noted(self, call: Call, answering: Awaitable[CallReply]) -> Reply:
        try:
            reply, fresh, seconds = await answering
        except ModelError as error:
            self.fresh += 1
            self.failed += 1
            self.note("call failed", role=call.role, error_kind=error.kind, error=str(error))
            raise
        self.fresh += fresh
        self.cost = known_sum((self.cost, reply.cost))
        self.seconds = known_sum((self.seconds, seconds))
        self.note("reply", role=call.role, request_key=call.request_key, nth=call.nth)
        return reply


def _trial_seed(seed: int, case_id: str, number: int) -> int:
    """Trials must not draw the same: each gets a seed of its own, the same in every run."""
    return int.from_bytes(hashlib.sha256(f"{seed}\n{case_id}\n{number}".encode()).digest()[:4]) >> 1
