"""One trial under way, as the suite sees it."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from trialkit.errors import ModelError
from trialkit.models import Reply, Request, Sent
from trialkit.runfile import Event, Phase, Prompt
from trialkit.settings import RunSettings
from trialkit.vocabulary import Case

from .caller import Asked, Send


class Calls(Protocol):
    """Answers the trials' model calls."""

    def model_key(self, role: str) -> str: ...

    async def send(self, role: str, request: Request) -> Sent: ...

    async def call(self, asked: Asked) -> Reply: ...

    async def settle(self, trial_id: int, phase: Phase, *, good: bool) -> None: ...

    def events(self, trial_id: int, events: Sequence[Event]) -> None:
        """What happens in a trial, as it happens; the trial does not wait for it."""


class LiveTrial:
    def __init__(
        self,
        *,
        trial_id: int,
        case: Case,
        number: int,
        calls: Calls,
        settings: RunSettings,
        prompts: Mapping[str, Prompt],
        seed: int | None,  # of the run
    ) -> None:
        self.case = case
        self.number = number
        self.settings = settings
        self.prompts = prompts
        self.seed = None if seed is None else _trial_seed(seed, case.id, number)
        self.phase: Phase = "attempt"
        self.sent = 0  # calls that no recorded or stored reply answered
        self._trial_id = trial_id
        self._calls = calls
        self._asked: Counter[str] = Counter()

    @property
    def asked(self) -> int:
        return self._asked.total()

    async def ask(self, role: str, request: Request) -> Reply:
        key = request.key(self._calls.model_key(role))
        return await self._call(role, key, partial(self._calls.send, role, request), reusable=True)

    async def exchange(self, role: str, said: str, send: Send) -> Reply:
        key = hashlib.sha256(f"{self._calls.model_key(role)}\n{said}".encode()).hexdigest()
        return await self._call(role, key, send, reusable=False)

    async def _call(self, role: str, key: str, send: Send, *, reusable: bool) -> Reply:
        nth = self._asked[key]
        self._asked[key] += 1

        async def sending() -> Sent:
            self.sent += 1
            return await send()

        asked = Asked(
            trial_id=self._trial_id,
            case_id=self.case.id,
            number=self.number,
            phase=self.phase,
            role=role,
            request_key=key,
            nth=nth,
            send=sending,
            reusable=reusable,
        )
        try:
            reply = await self._calls.call(asked)
        except ModelError as error:
            self.note("call failed", role=role, error_kind=error.kind, error=str(error))
            raise
        self.note("reply", role=role, request_key=key, nth=nth)
        return reply

    def note(self, kind: str, **data: Any) -> None:
        self._calls.events(self._trial_id, (Event(kind=kind, data=data),))


def _trial_seed(seed: int, case_id: str, number: int) -> int:
    """Trials must not draw the same: each gets a seed of its own, the same in every run."""
    return int.from_bytes(hashlib.sha256(f"{seed}\n{case_id}\n{number}".encode()).digest()[:4]) >> 1
