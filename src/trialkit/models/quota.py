"""So much a minute, of requests or of tokens: what the user allows, or what the endpoint says is left."""

from math import inf

#: What is not used is saved up, for so many seconds at most.
_SAVED_S = 1.0


class Quota:
    """Knows no clock: the time is given to it. Whatever is taken before it is there is owed."""

    def __init__(self, per_minute: float = inf) -> None:
        self.shares = 1  # processes that live on it
        self._rate = per_minute / 60
        self._most = max(1.0, self._rate * _SAVED_S)
        self._level = self._most  # what may be taken now
        self._at = -inf

    @property
    def limited(self) -> bool:
        return self._rate < inf

    def next_at(self, amount: float, now: float) -> float:
        """When so much may be taken; more than there can ever be, when there is as much as there can be."""
        if not self.limited:
            return now
        self._fill(now)
        missing = min(amount, self._most) - self._level
        return now if missing <= 0 else now + missing / (self._rate / self.shares)

    def take(self, amount: float, now: float) -> None:
        """A negative one was taken too much before."""
        if self.limited:
            self._fill(now)
            self._level = min(self._most, self._level - amount)

    def told(self, limit: float, left: float, rate: float, on_the_way: float, now: float) -> None:
        """What is left by the endpoint's own count, which may or may not hold yet what is on the way to it."""
        if not self.limited:
            self._level, self._at = left, now
        self._rate, self._most = rate, max(1.0, limit)
        self._fill(now)
        self._level = min(max(self._level, left - on_the_way), left)

    def _fill(self, now: float) -> None:
        if now > self._at:
            passed = now - self._at if self._at > -inf else 0.0
            self._level = min(self._most, self._level + passed * self._rate / self.shares)
            self._at = now
