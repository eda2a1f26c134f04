"""What a trial asks the engine for: model calls. They may be answered in another process than the trial's."""

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from trialkit.errors import ModelError, ReplayError
from trialkit.models import Reply, Request, Sent
from trialkit.runfile import CallRecord, Event, ModelInUse, Phase

Send = Callable[[], Awaitable[Sent]]
TellEvents = Callable[[int, Sequence[Event]], None]


class StoppedError(BaseException):
    """The run is ending: this trial is left as it is, to be resumed. No fault, so that no suite catches it as one."""


def is_stop(error: BaseException) -> bool:
    """Also of several calls that a suite makes at the same time, in a task group."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(is_stop, error.exceptions))
    return isinstance(error, StoppedError)


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """A model call that a trial wants. `nth` counts how often that trial has asked the same: each is a new sample."""

    trial_id: int
    case_id: str
    number: int
    phase: Phase
    role: str
    request_key: str
    nth: int

    def stored_key(self) -> str:
        text = f"{self.request_key}\n{self.case_id}\n{self.number}\n{self.nth}"
        return hashlib.sha256(text.encode()).hexdigest()


class CallReply(NamedTuple):
    reply: Reply
    fresh: bool  # False: it was recorded or stored
    seconds: float | None = None  # that the model took; None: a stored reply, nobody knows


class Calls(Protocol):
    """Answers the calls of trials, each only when it is committed.

    Budget, stop and limits are asked for on the way: `StoppedError` says that there are to be no more calls.
    """

    def model_key(self, role: str) -> str: ...

    async def ask(self, call: Call, request: Request) -> CallReply:
        """By the recording, by the stored replies, or by the model. Raises `ModelError`."""

    async def exchange(self, call: Call, send: Send) -> CallReply:
        """By `send`, which runs where the trial does. Nothing that was said before may stand for this answer."""

    def events(self, trial_id: int, events: Sequence[Event]) -> None:
        """What happens in a trial, as it happens; the trial does not wait for it."""


#: (trial id, request key, how many times the trial had asked the same before) → how it ended
Recorded = Mapping[tuple[int, str, int], CallRecord]


def index(calls: Iterable[CallRecord]) -> Recorded:
    """The newest wins; void ones do not count."""
    return {(call.trial_id, call.request_key, call.nth): call for call in calls if not call.void}


def seconds_of(call: CallRecord) -> float | None:
    return None if call.source == "cache" else call.latency_s


class RecordedCalls:
    """No network: each call ends as it ended when it was recorded."""

    def __init__(self, models: Iterable[ModelInUse], recorded: Recorded, events: TellEvents) -> None:
        self._keys = {model.role: model.key for model in models}
        self._recorded = recorded
        self.events = events

    def model_key(self, role: str) -> str:
        return self._keys[role]

    async def ask(self, call: Call, request: Request) -> CallReply:  # noqa: ARG002 - its key is the call's
        return self._answer(call)

    async def exchange(self, call: Call, send: Send) -> CallReply:  # noqa: ARG002 - nothing is sent
        return self._answer(call)

    def _answer(self, call: Call) -> CallReply:
        known = self._recorded.get((call.trial_id, call.request_key, call.nth))
        if known is None:
            raise ReplayError(f"the {call.role} is asked something else than was recorded")
        if known.reply is None:
            raise ModelError(known.error_kind, known.error or "")  # type: ignore[arg-type]  # written from a ModelError
        return CallReply(known.reply, fresh=False, seconds=seconds_of(known))
