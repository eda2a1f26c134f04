"""How much may still be spent."""

import asyncio
from collections import Counter
from collections.abc import Mapping


class Purse:
    """What runs that go on at the same time may spend together."""

    def __init__(self, limit: float | None) -> None:
        self.limit = limit
        self.budgets: list[Budget] = []
        self.changed = asyncio.Condition()

    @property
    def spent(self) -> float:
        return sum(one.spent for one in self.budgets)

    @property
    def unknown(self) -> bool:
        return any(one.unknown for one in self.budgets)

    @property
    def expected(self) -> float:
        """The most that the calls on their way may cost."""
        return sum(one.expected for one in self.budgets)

    def dearest(self, role: str) -> float:
        """In any of the runs: that of one is the best guess for the first call of another."""
        return max(one.known.get(role, 0.0) for one in self.budgets)

    @property
    def unpriced(self) -> bool:
        """Whether a call is on its way of which nobody knows what it costs."""
        return any(one.unpriced for one in self.budgets)


class Budget:
    """Admits a call while what is paid, and the dearest that the calls on their way may cost, stays within the limit.

    Nobody knows what a role's calls cost before the first has come back: until then whatever has no price
    yet waits for it.
    """

    def __init__(
        self,
        purse: Purse,
        spent: float = 0.0,
        dearest: Mapping[str, float] | None = None,
        *,
        unknown: bool = False,
    ) -> None:
        self.limit = purse.limit
        self.spent = spent
        self.unknown = unknown  # something was paid, nobody knows how much
        self.known = dict(dearest or {})  # what the dearest call of each role has cost
        self._under_way: Counter[str] = Counter()
        self._purse = purse
        purse.budgets.append(self)

    @property
    def expected(self) -> float:
        return sum(self.dearest(role) * count for role, count in self._under_way.items())

    def dearest(self, role: str) -> float:
        """Until it is known, what it is elsewhere."""
        return self.known.get(role, self._purse.dearest(role))

    @property
    def unpriced(self) -> bool:
        return any(count for role, count in self._under_way.items() if role not in self.known)

    async def admit(self, role: str) -> bool:
        if self.limit is None:
            return True
        purse = self._purse
        async with purse.changed:
            await purse.changed.wait_for(lambda: role in self.known or not purse.unpriced)
            if purse.spent + purse.expected + self.dearest(role) > self.limit:
                return False
            self._under_way[role] += 1
            return True

    async def ended(self, role: str) -> None:
        """A call that was admitted is no longer on its way."""
        if self.limit is None:
            return
        async with self._purse.changed:
            self._under_way[role] -= 1
            self._purse.changed.notify_all()

    def paid(self, role: str, cost: float | None, attempts: int = 1) -> bool:
        """Where the cost is unknown, each attempt counts as the dearest call so far. False: none is known either."""
        if cost is None:
            self.unknown = True
            self.spent += attempts * self.known.get(role, 0.0)
            return role in self.known
        self.spent += cost
        self.known[role] = max(self.known.get(role, 0.0), cost)
        return True
