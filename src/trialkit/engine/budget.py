"""How much may still be spent."""

import asyncio
from collections import Counter
from collections.abc import Mapping


class Budget:
    """Admits a call while what is paid, and the dearest that the calls on their way may cost, stays within the limit.

    Nobody knows what a role's calls cost before the first has come back: until then the others wait for it.
    """

    def __init__(
        self,
        limit: float | None,
        spent: float = 0.0,
        dearest: Mapping[str, float] | None = None,
        *,
        unknown: bool = False,
    ) -> None:
        self.limit = limit
        self.spent = spent
        self.unknown = unknown  # something was paid, nobody knows how much
        self._dearest = dict(dearest or {})
        self._under_way: Counter[str] = Counter()
        self._changed = asyncio.Condition()

    async def admit(self, role: str) -> bool:
        if self.limit is None:
            return True
        async with self._changed:
            await self._changed.wait_for(lambda: role in self._dearest or not self._under_way[role])
            expected = sum(self._dearest.get(one, 0.0) * count for one, count in self._under_way.items())
            if self.spent + expected + self._dearest.get(role, 0.0) > self.limit:
                return False
            self._under_way[role] += 1
            return True

    async def ended(self, role: str) -> None:
        """A call that was admitted is no longer on its way."""
        if self.limit is None:
            return
        async with self._changed:
            self._under_way[role] -= 1
            self._changed.notify_all()

    def paid(self, role: str, cost: float | None, attempts: int = 1) -> bool:
        """Where the cost is unknown, each attempt counts as the dearest call so far. False: none is known either."""
        if cost is None:
            self.unknown = True
            self.spent += attempts * self._dearest.get(role, 0.0)
            return role in self._dearest
        self.spent += cost
        self._dearest[role] = max(self._dearest.get(role, 0.0), cost)
        return True
