"""How much an endpoint takes, so many at once or so many a second, learned from what it lets through and refuses.

The two are told apart by what a refusal looks like. Where so many are taken at once, nothing more gets through until an
answer comes back, and what is refused was always one too many. Where so many are taken a second, the next one gets
through before any answer is back, and requests are refused while fewer are on their way than were taken before.
"""

from collections import deque
from dataclasses import dataclass
from math import inf, sqrt

#: Until an answer is there, one request a millisecond: about as many as one core can send.
_RAMP_S = 0.001
#: From so many on they are fewer, by this factor: each that is sent before the first refusal is back is wasted.
_MANY, _FEWER = 100, 4
#: A place that may be free is tried after so long, and after twice as long each time that it was not.
_PROBE_S = 0.02
#: What gets through between two refusals tells the rate once it is so many.
_ENOUGH = 20
#: A bit faster than what gets through: it costs a refusal in a hundred, and slower would cost time.
_FASTER = 1.01
#: As much faster after each request, and more when there was no refusal for more than so many.
_FASTER_EACH, _QUIET = 0.0003, 40
#: Where nothing gets through there is one after half a minute all the same.
_LONGEST_S = 30.0
#: Never faster than what was learned lately by more than this factor.
_AT_MOST = 3.0
#: Time lost to a late timer is made up for, up to so much.
_LATE_S = 0.05
#: Requests that share places are spread over so much of the time that one takes: in a bunch they would look like a
#: limit of so many at once to a server that takes so many a second.
_SPREAD = 0.5
#: What the newest answer adds to what is known of that time.
_NEWEST = 0.1
#: Refusals in a row, each of one too many, that show that it is no matter of the rate after all.
_ONE_TOO_MANY = 3
#: Refusals in a row, each after a longer wait, that show that there is nothing to be had at all for now.
_SHUT = 3
#: So many must have got through since the last one for that.
_TELLING = 8
#: Refusals, within so many requests as are on their way at once, of no more than had got through: it is the rate.
_IN_PLACE = 3


@dataclass(slots=True, eq=False)
class Ticket:
    at: float
    among: int  # requests on their way when it was sent, itself included
    probe: bool  # beyond what was thought to be taken
    refused: bool = False
    answered: bool = False


class Flow:
    """Knows no clock: the time is given to it. `window`: requests at once; `gap`: seconds between two of them."""

    def __init__(self, ceiling: int) -> None:
        self.window = ceiling
        self.gap = _RAMP_S
        self.paced = False  # it is so many a second
        self._ceiling = ceiling
        self._air: deque[Ticket] = deque()  # of which it is not known yet whether they got through
        self._sure_after = inf  # refusals are not longer on their way than this
        self._refused = False  # there was a refusal
        self._next = -inf
        self._changed = -inf  # older requests tell nothing of what was made of the last refusal
        self._top = 0  # most on their way when one got through, since then
        self._quiet = 0  # how many got through, since then
        self._empty_at: float | None = None  # a moment when there was nothing left to be had
        self._passed = 0  # since then
        self._calibrated = False
        self._in_vain = 0
        self._one_too_many = 0
        self._in_place = 0  # refusals of what was no more at once than had got through, of late
        self._latency = 0.0
        self._probe_at = inf
        self._probe_after = _PROBE_S
        self._proof: Ticket | None = None  # that got through as a probe
        self._step = 1
        self._rounds = 1
        self._grown = False

    @property
    def shut(self) -> bool:
        """Whether nothing gets through any more."""
        return self._in_vain >= _SHUT

    @property
    def _pause(self) -> float:
        if self._refused and not self.paced:
            return _SPREAD * self._latency / self.window
        if not self.paced and len(self._air) > _MANY:
            return self.gap * _FEWER
        return max(self.gap, min(_LONGEST_S, self.gap * 2.0 ** min(self._in_vain, 40)))

    def next_at(self, active: int, now: float) -> float:
        """When another one may be sent while so many are on their way; infinity: not before an answer comes."""
        self._settle(now)
        if active < self.window:
            return self._next
        return max(self._next, self._probe_at)

    def sent(self, active: int, now: float) -> Ticket:
        """One was: with it, so many are on their way."""
        one = Ticket(now, active, active > self.window)
        self._air.append(one)
        late = _LATE_S if self._refused else 0.0
        self._next = self._pause + (self._next if self._next >= now - late else now)
        if one.probe:
            self._probe_after *= 2
            self._probe_at = now + max(self._probe_after, self._sure_after)
        return one

    def answered(self, one: Ticket, now: float) -> None:
        one.answered = True
        took = now - one.at
        self._latency += (took - self._latency) * (_NEWEST if self._latency else 1.0)
        self._probe_at = inf  # from here on a place may have been given back
        if not self._refused:
            self.gap, self._next = 0.0, -inf
        self._settle(now)

    def refused(self, one: Ticket, active: int, now: float) -> None:
        """One was; without it, so many are on their way."""
        one.refused = True
        took = 2 * (now - one.at) + 0.005
        self._sure_after = took if self._sure_after == inf else max(took, 0.9 * self._sure_after)
        self._settle(now)
        if one is self._proof:  # it was only late
            self._proof, self.paced, self.window = None, False, max(1, active)
        elif self.paced:
            if one.at >= self._changed:
                self._slow_down(one, active, now)
        elif one.probe or (one.at < self._changed and not self._in_place):
            self.window = max(1, min(self.window, active))
        elif not self._refused or self._grown:
            self._narrow(one, active, now)
        else:
            self._in_place += 1
            if self._in_place >= _IN_PLACE:
                self._pace(now)
            elif one.at >= self._changed:
                self._narrow(one, active, now)
        self._refused = True

    def _settle(self, now: float) -> None:
        while self._air:
            one = self._air[0]
            if not (one.refused or one.answered or one.at + self._sure_after <= now):
                return
            self._air.popleft()
            if not one.refused:
                self._got_through(one, now)

    def _got_through(self, one: Ticket, now: float) -> None:
        if self._empty_at is None or one.at > self._empty_at:
            self._passed += 1
        if one.at < self._changed:
            return
        self._in_vain = 0
        self._quiet += 1
        self._top = max(self._top, one.among)
        if self.paced:
            faster = _FASTER_EACH * max(1.0, self._quiet / _QUIET) ** 2 if self._calibrated else 0.1
            least = 0.0 if self._empty_at is None else (now - self._empty_at) / (self._passed + 1) / _AT_MOST
            self.gap = max(self.gap * (1 - min(0.1, faster)), min(self.gap, least))
        elif self._refused:
            if one.probe and self._probe_at < inf:
                self._proof = one
                self._pace(now)
            elif self._quiet >= self.window:
                self._in_place = 0
                if self._quiet >= self.window * self._rounds:
                    self._widen()

    # so many at once

    def _narrow(self, one: Ticket, active: int, now: float) -> None:
        self.window, self._next = max(1, active), now + self._pause
        self._step = 1
        self._rounds = min(64, 2 * self._rounds)
        if not self._grown:  # who has just grown knows what it is about
            self._probe_after = max(_PROBE_S, self._sure_after)
            self._probe_at = now + self._probe_after
        self._grown = False
        self._start_over(one, now)

    def _widen(self) -> None:
        if self._grown:  # and was not refused since
            self._rounds = 1
            self._step *= 2
        self.window = min(self._ceiling, self.window + self._step)
        self._grown = True
        self._quiet = 0

    # so many a second

    def _pace(self, now: float) -> None:
        """From what got through since nothing was left."""
        since = now if self._empty_at is None else self._empty_at
        self.gap = max(_RAMP_S, (now - since) / max(self._passed, 1))
        self._next = now + self.gap
        self.paced, self.window, self._calibrated = True, self._ceiling, False
        self._one_too_many = 0
        self._probe_at = inf
        self._changed = now
        self._quiet = self._top = 0

    def _slow_down(self, one: Ticket, active: int, now: float) -> None:
        if self._quiet >= _TELLING:
            self._one_too_many = self._one_too_many + 1 if one.among > self._top else 0
        if self._one_too_many >= _ONE_TOO_MANY:
            self.paced = False
            self._narrow(one, active, now)
            return
        passed = self._passed + sum(not other.refused and other.at < one.at for other in self._air)
        if not self._quiet:
            self._in_vain += 1
        if self._empty_at is not None and passed:
            told = (one.at - self._empty_at) / (passed + (passed < _ENOUGH)) / _FASTER
            if told > self.gap and (not self._calibrated or self._quiet > 2 * _QUIET):
                told = sqrt(told * self.gap)  # something was saved up meanwhile, and is gone as well
                passed = _ENOUGH
            if self._calibrated and passed < _ENOUGH:
                told = min(max(told, self.gap / _AT_MOST), self.gap * _AT_MOST)
            self.gap = told
            if passed >= _ENOUGH:
                self._empty_at = None
        self._calibrated = True
        self._next = now + self._pause
        self._start_over(one, now)

    def _start_over(self, one: Ticket, now: float) -> None:
        if self._empty_at is None:
            self._empty_at, self._passed = one.at, 0
        self._changed = now
        self._quiet = self._top = 0
