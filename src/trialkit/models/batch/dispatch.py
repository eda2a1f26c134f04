"""From collected requests to their results: noted, submitted, followed; and found again where that is uncertain."""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import islice
from time import time

from trialkit.errors import RETRYABLE, ModelError, ModelErrorKind
from trialkit.models.limiter import Traffic
from trialkit.text.shown import counted

from .api import BatchApi
from .following import BatchResults, Pauses, follow, patiently, will_not_pass
from .notes import Noted, Notes

#: By how much the provider's clock may be behind ours, when batches are looked for by their time.
_CLOCKS_S = 600.0
#: After these nobody knows whether the batch was submitted.
_UNCERTAIN: frozenset[ModelErrorKind] = frozenset({"server", "timeout", "connection", "bad_reply"})


class Dispatch:
    """A batch is noted before it is submitted, and with its id before anybody goes on; where that id is not known,
    it is looked for among the provider's batches before another is submitted."""

    def __init__(self, key: str, api: BatchApi, notes: Notes, traffic: Traffic, retries: int) -> None:
        self._key = key
        self._api = api
        self._notes = notes
        self._traffic = traffic
        self._retries = retries
        self._submissions: set[asyncio.Task[str]] = set()

    async def aclose(self) -> None:
        await asyncio.gather(*self._submissions, return_exceptions=True)

    async def answered(self, bodies: dict[str, str]) -> BatchResults:
        """In halves, one after the other, where all of them are more than may wait at the provider."""
        results = await self._batch_of(bodies)
        if not results.too_much or len(bodies) == 1:
            return results
        self._notes.drop(bodies)
        half = (len(bodies) + 1) // 2
        self._traffic.say_once(f"{self._api.where}: so many may not wait there; asking in smaller batches")
        first = await self.answered(dict(islice(bodies.items(), half)))
        if first.too_much:
            return first
        return first.with_those_of(await self.answered(dict(islice(bodies.items(), half, None))))

    async def _batch_of(self, bodies: Mapping[str, str]) -> BatchResults:
        noted = Noted(id="", model=self._key, requests=frozenset(bodies), at=time())
        pause, left = Pauses(self._traffic), self._retries
        while True:
            # Not to be given up half-way: what is submitted is paid for.
            submission = asyncio.create_task(self._submit(noted, bodies))
            self._submissions.add(submission)
            try:
                batch = await asyncio.shield(submission)
            except ModelError as error:
                if error.kind in _UNCERTAIN and (found := await self._found(noted, error)) is not None:
                    return found
                if not left or error.kind not in RETRYABLE or error.kind == "timeout":
                    raise
                left -= error.kind != "rate_limit"  # which a batch may wait for as long as it takes
                self._traffic.say_once(f"{error}; submitting the batch again")
                await pause(error)
            else:
                return await self._follow(batch)

    async def _submit(self, noted: Noted, bodies: Mapping[str, str]) -> str:
        self._notes.add(noted)
        try:
            batch = await self._api.submit(bodies, noted.mark)
        except ModelError as error:
            if error.kind not in _UNCERTAIN:
                self._notes.settle(noted, "")
            if error.kind == "not_found":
                raise ModelError("not_found", f"{error}; is there a batch API at all? else leave --batch out") from None
            raise
        self._notes.settle(noted, batch)
        what = f"the batch {batch} of {counted(len(bodies), 'request')} is submitted and may take a day"
        self._traffic.say(f"{self._api.where}: {what}; interrupt at any time, resume picks it up")
        return batch

    async def _found(self, noted: Noted, why: ModelError) -> BatchResults | None:
        """After a fault that may have come too late. Raises what it was where nobody can tell."""
        try:
            batches = await self._submitted(noted)
        except ModelError:
            unknown = "whether it was submitted is not known; resume --errors looks for it before it asks anew"
            raise ModelError(why.kind, f"{why}; {unknown}", status=why.status) from None
        return await self._first_of(batches, noted)

    async def earlier(self, noted: Noted) -> BatchResults | None:
        where = self._api.where
        if noted.id:
            self._traffic.say(f"{where}: going on with the batch {noted.id}")
            results = await self._follow(noted.id)
            return None if results.too_much else results
        size = counted(len(noted.requests), "request")
        self._traffic.say(f"{where}: looking for a batch of {size} that may have been submitted")
        batches = await patiently("the list of batches", lambda: self._submitted(noted), self._traffic, will_not_pass)
        found = await self._first_of(batches, noted)
        if found is None:
            self._notes.settle(noted, "")
        return found

    async def _submitted(self, noted: Noted) -> list[str]:
        known = {one.id for one in self._notes.batches}
        found = await self._api.submitted(noted.mark, len(noted.requests), noted.at - _CLOCKS_S)
        return [one for one in found if one and one not in known]

    async def _first_of(self, batches: Sequence[str], noted: Noted) -> BatchResults | None:
        for batch in batches:
            self._traffic.say(f"{self._api.where}: going on with the batch {batch}, which may be the one")
            results = await self._follow(batch)
            if results.are_of(noted.requests):
                return results
        return None

    async def _follow(self, batch: str) -> BatchResults:
        return await follow(self._api, batch, self._traffic)
