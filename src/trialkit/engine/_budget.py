"""How much may still be spent."""


class Budget:
    """Admits a call while what is paid, plus what the calls on their way will probably cost, stays below the limit."""

    def __init__(self, limit: float | None, spent: float = 0.0) -> None:
        self.limit = limit
        self.spent = spent
        self.unknown = False  # a reply came whose price is not known
        self._under_way = 0
        self._paid_calls = 0
        self._paid_now = 0.0

    def admit(self) -> bool:
        if self.limit is not None and self.spent + (self._under_way + 1) * self._typical_cost() > self.limit:
            return False
        self._under_way += 1
        return True

    def paid(self, cost: float | None) -> None:
        if cost is None:
            self.unknown = True
            return
        self.spent += cost
        self._paid_now += cost
        self._paid_calls += 1

    def ended(self) -> None:
        """A call that was admitted is no longer on its way."""
        self._under_way -= 1

    def _typical_cost(self) -> float:
        return self._paid_now / self._paid_calls if self._paid_calls else 0.0
