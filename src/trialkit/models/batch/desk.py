"""Where the requests to one model are collected, and their answers are waited for."""

import asyncio
import hashlib
from collections.abc import Coroutine
from dataclasses import dataclass, field
from uuid import uuid4

from trialkit.errors import ModelError
from trialkit.models.answers import Answers
from trialkit.models.classify import HttpAnswer
from trialkit.models.limiter import Traffic
from trialkit.models.types import Reply, Request

from .api import BatchApi, Result
from .dispatch import Dispatch
from .following import BatchResults
from .notes import Noted, Notes

#: A batch is what was asked until nothing more came for so long.
_QUIET_S = 0.5
#: Requests and bytes of one batch, well within what the providers take.
_MOST_REQUESTS = 10_000
_MOST_BYTES = 100_000_000

#: None: the batch was never submitted.
Batch = asyncio.Task[BatchResults | None]


@dataclass(slots=True)
class _Collected:
    bodies: dict[str, str] = field(default_factory=dict)
    size: int = 0  # in bytes

    @property
    def is_full(self) -> bool:
        return len(self.bodies) >= _MOST_REQUESTS or self.size >= _MOST_BYTES


class Desk:
    """A client whose requests wait for others, too. Each is named by its trial's sample and by what it says, so that
    a later session finds the batch that holds it."""

    def __init__(self, key: str, api: BatchApi, answers: Answers, traffic: Traffic, retries: int) -> None:
        self._key = key
        self._api = api
        self._answers = answers
        self._traffic = traffic
        self._retries = retries
        self._notes: Notes | None = None
        self._dispatch: Dispatch | None = None
        self._earlier: dict[str, Noted] = {}  # by a request's name, the batch of another session
        self._followed: dict[Noted, Batch] = {}  # those batches
        self._collected = _Collected()
        self._next: Batch | None = None
        self._batches: set[Batch] = set()
        self._taken: set[str] = set()
        self.unread: set[str] = set()  # which may be answered all the same
        self._closed = False

    def begin(self, notes: Notes) -> None:
        """What an earlier session submitted is followed as soon as somebody asks for it."""
        self._notes = notes
        self._dispatch = Dispatch(self._key, self._api, notes, self._traffic, self._retries)
        self._earlier = {name: one for one in notes.batches if one.model == self._key for name in one.requests}

    async def send(self, request: Request) -> Reply:
        if request.extra and request.extra.get("stream"):
            raise ModelError("bad_request", "in a batch no answer comes in pieces; leave out stream")
        body = await self._body(request)
        written = f"{request.sample or uuid4().hex}\n{body}".encode()
        name = hashlib.sha256(written).hexdigest()
        result = None
        if (noted := self._earlier.pop(name, None)) is not None:
            result = await self._result(name, self._going_on(noted))
        if result is None:
            result = await self._result(name, self._collecting(name, body, len(written)))
        if isinstance(result, HttpAnswer):
            return self._answers.reply(result)
        raise _own(result or ModelError("server", f"{self._answers.where}: the batch was not submitted"))

    def close(self) -> None:
        """Nothing more is waited for; what is being submitted is noted all the same."""
        self._closed = True
        for batch in self._batches:
            batch.cancel()

    async def aclose(self) -> None:
        """Whatever was given to somebody stands in the run file by now."""
        self.close()
        await asyncio.gather(*self._batches, return_exceptions=True)
        if self._dispatch is not None:
            await self._dispatch.aclose()
        if self._notes is not None and self._taken:
            self._notes.drop(self._taken)
        await self._api.aclose()

    @property
    def _begun(self) -> Dispatch:
        if self._dispatch is None:
            raise RuntimeError("nobody may ask before the batches have begun")
        return self._dispatch

    async def _body(self, request: Request) -> str:
        protocol = self._answers.protocol
        fitted = protocol.fitted(request)
        if fitted.files:  # reading and encoding megabytes would hold up others
            return await asyncio.to_thread(protocol.body, fitted, self._answers.to)
        return protocol.body(fitted, self._answers.to)

    async def _result(self, name: str, batch: Batch) -> Result | None:
        try:
            ended = await asyncio.shield(batch)
        except ModelError as error:
            # what the provider does not know any more the next session asks anew
            (self._taken if error.kind == "not_found" else self.unread).add(name)
            raise _own(error) from None
        if ended is None:
            return None
        self._taken.add(name)
        return ended.take(name)

    def _going_on(self, noted: Noted) -> Batch:
        if noted not in self._followed:
            self._followed[noted] = self._task(self._begun.earlier(noted))
        return self._followed[noted]

    def _collecting(self, name: str, body: str, size: int) -> Batch:
        if self._next is None:
            self._collected = _Collected()
            self._next = self._task(self._when_quiet(self._collected))
        batch = self._next
        self._collected.bodies[name] = body
        self._collected.size += size
        if self._collected.is_full:
            self._next = None
        return batch

    async def _when_quiet(self, collected: _Collected) -> BatchResults:
        seen = 0
        while not collected.is_full and seen < len(collected.bodies):
            seen = len(collected.bodies)
            await asyncio.sleep(_QUIET_S)
        if collected is self._collected:
            self._next = None
        return await self._begun.answered(collected.bodies)

    def _task(self, work: Coroutine[None, None, BatchResults | None]) -> Batch:
        if self._closed:
            work.close()
            raise asyncio.CancelledError
        task = asyncio.create_task(work)
        self._batches.add(task)
        return task


def _own(error: ModelError) -> ModelError:
    """Each who waited is told by an error of its own: what is counted in one is not in the others."""
    return ModelError(error.kind, str(error), status=error.status)
