"""Where the requests to one model are collected, and their answers are waited for."""

import asyncio
import hashlib
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from uuid import uuid4

from trialkit.errors import ModelError
from trialkit.models.answers import Answers
from trialkit.models.classify import HttpAnswer
from trialkit.models.limiter import Traffic
from trialkit.models.types import Reply, Request
from trialkit.text.shown import counted

from .api import BatchApi
from .following import BatchResults, follow, submit
from .notes import Noted, Notes

#: A batch is what was asked until nothing more came for so long.
_QUIET_S = 0.5
#: Requests and characters of one batch, well within what the providers take.
_MOST_REQUESTS = 10_000
_MOST_CHARACTERS = 100_000_000

Batch = asyncio.Task[BatchResults]


@dataclass(slots=True)
class _Collected:
    bodies: dict[str, str] = field(default_factory=dict)
    characters: int = 0

    @property
    def is_full(self) -> bool:
        return len(self.bodies) >= _MOST_REQUESTS or self.characters >= _MOST_CHARACTERS


class Desk:
    """A client whose requests wait for others, too. Each is named by its trial's sample and by what it says, so that
    a later session finds the batch that holds it. A batch is noted before anybody goes on."""

    def __init__(self, key: str, api: BatchApi, answers: Answers, traffic: Traffic, retries: int) -> None:
        self._key = key
        self._api = api
        self._answers = answers
        self._traffic = traffic
        self._retries = retries
        self._notes: Notes | None = None
        self._earlier: dict[str, str] = {}  # by a request's name, the batch of another session
        self._followed: dict[str, Batch] = {}  # those batches
        self._collected = _Collected()
        self._next: Batch | None = None
        self._submissions: set[asyncio.Task[str]] = set()
        self._batches: set[Batch] = set()
        self._taken: set[str] = set()
        self._closed = False

    def begin(self, notes: Notes) -> None:
        """What an earlier session submitted is followed as soon as somebody asks for it."""
        self._notes = notes
        self._earlier = {name: one.id for one in notes.batches if one.model == self._key for name in one.requests}

    async def send(self, request: Request) -> Reply:
        if self._closed:
            raise asyncio.CancelledError
        protocol = self._answers.protocol
        body = protocol.body(protocol.fitted(request), self._answers.to)
        name = hashlib.sha256(f"{request.sample or uuid4().hex}\n{body}".encode()).hexdigest()
        batch = self._batch_of(name, body)
        try:
            ended = await asyncio.shield(batch)
        except ModelError as error:
            if error.kind == "not_found":  # the provider does not know it any more: the next session asks anew
                self._taken.add(name)
            raise _own(error) from None
        self._taken.add(name)
        result = ended.take(name)
        if isinstance(result, HttpAnswer):
            return self._answers.reply(result)
        raise _own(result)

    def close(self) -> None:
        """Nothing more is waited for; what is being submitted is noted all the same."""
        self._closed = True
        for batch in self._batches:
            batch.cancel()

    async def aclose(self) -> None:
        """Whatever was given to somebody stands in the run file by now."""
        self.close()
        await asyncio.gather(*self._batches, *self._submissions, return_exceptions=True)
        if self._notes is not None and self._taken:
            self._notes.drop(self._taken)
        await self._api.aclose()

    def _batch_of(self, name: str, body: str) -> Batch:
        if (earlier := self._earlier.pop(name, None)) is not None:
            if earlier not in self._followed:
                self._traffic.say(f"{self._answers.where}: going on with the batch {earlier}")
                self._followed[earlier] = self._task(self._follow(earlier))
            return self._followed[earlier]
        if self._next is None:
            self._collected = _Collected()
            self._next = self._task(self._submitted(self._collected))
        batch = self._next
        self._collected.bodies[name] = body
        self._collected.characters += len(body)
        if self._collected.is_full:
            self._next = None
        return batch

    async def _submitted(self, collected: _Collected) -> BatchResults:
        seen = 0
        while not collected.is_full and seen < len(collected.bodies):
            seen = len(collected.bodies)
            await asyncio.sleep(_QUIET_S)
        if collected is self._collected:
            self._next = None

        async def once() -> str:
            """Not to be given up half-way: what is submitted is paid for."""
            submission = asyncio.create_task(self._submit(collected.bodies))
            self._submissions.add(submission)
            return await asyncio.shield(submission)

        batch = await submit(once, self._traffic, self._retries)
        collected.bodies.clear()
        return await self._follow(batch)

    async def _submit(self, bodies: Mapping[str, str]) -> str:
        try:
            batch = await self._api.submit(bodies)
        except ModelError as error:
            if error.kind == "not_found":
                raise ModelError("not_found", f"{error}; is there a batch API at all? else leave --batch out") from None
            raise
        if self._notes is not None:
            self._notes.add(Noted(id=batch, model=self._key, requests=frozenset(bodies)))
        what = f"the batch {batch} of {counted(len(bodies), 'request')} is submitted and may take a day"
        self._traffic.say(f"{self._answers.where}: {what}; interrupt at any time, resume picks it up")
        return batch

    async def _follow(self, batch: str) -> BatchResults:
        return await follow(self._api, batch, self._answers.where, self._traffic)

    def _task(self, work: Coroutine[None, None, BatchResults]) -> Batch:
        task = asyncio.create_task(work)
        self._batches.add(task)
        return task


def _own(error: ModelError) -> ModelError:
    """Each who waited is told by an error of its own: what is counted in one is not in the others."""
    return ModelError(error.kind, str(error), status=error.status)
