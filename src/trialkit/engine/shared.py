"""What runs that go on at the same time share; a run alone has it to itself."""

import asyncio
from collections.abc import Mapping
from contextlib import AbstractContextManager

from trialkit.models import Connection
from trialkit.settings import RunSettings
from trialkit.suites import Peer

from .budget import Purse
from .connect import traffic_of
from .interrupt import Interrupts, on_interrupt
from .meter import Meter
from .schedule import Tally

#: As many as a batch has requests.
_MOST_IN_BATCHES = 10_000


class Shared:
    def __init__(self, settings: RunSettings) -> None:
        self.traffic = traffic_of(settings)
        self.purse = Purse(settings.max_cost)
        self.meter = Meter(self.traffic)
        self.tally = Tally(0, self.purse, self.meter)
        self.interrupts = Interrupts()
        self._concurrency = settings.max_concurrency
        self._places: dict[str, asyncio.Semaphore] = {}

    def most(self, peers: Mapping[str, Peer]) -> int:
        """Trials at the same time: where all are told in batches they wait together, and nobody is asked more."""
        batched = [isinstance(peer, Connection) and peer.batched for peer in peers.values()]
        return _MOST_IN_BATCHES if batched and all(batched) else self._concurrency

    def places(self, peers: Mapping[str, Peer]) -> asyncio.Semaphore:
        """For trials. Runs whose first role is at the same server take turns at them; others need not wait for it."""
        where = next((peer.endpoint for peer in peers.values()), "")
        return self._places.setdefault(where, asyncio.Semaphore(self.most(peers)))

    def interruptible(self) -> AbstractContextManager[None]:
        return on_interrupt(self.interrupts)
