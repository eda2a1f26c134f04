"""Better, worse or as good, looked at as often as one likes: a paired test and an interval that hold at any time.

Cases come one by one; each tells a change between -1 and 1, as large as its trials before and after differ. Whoever
bets, at odds that are fair if the mean change is `null`, that it is more, multiplies a stake by 1 + bet (change - null)
each time. If the mean is no more than `null` the stake grows on average with no strategy, so at any time at all, of one
that began with 1, it comes to 40 with a chance of at most 1 in 40 (Ville 1939; Waudby-Smith and Ramdas 2024 for means
of bounded values). The stake is put on bets of several sizes at once: what they come to depends on no order, and falls
as `null` grows, so all means that are not yet refuted from below and from above make an interval.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, fsum, log, log1p
from typing import Literal

from .compare import SIGNIFICANT
from .distributions import crossing

SequentialOutcome = Literal["better", "worse", "equal", "no worse", "undecided"]

#: How large a bet is, as a share of the largest that cannot lose more than the stake, and the part of the stake on it.
#: The best bet is about (mean - null) / variance; of some flips in a hundred cases that is .2 to .6 for 10 points.
_BETS = ((0.03, 1 / 14), (0.06, 1 / 14), (0.12, 2 / 14), (0.25, 4 / 14), (0.5, 4 / 14), (0.95, 2 / 14))
_NEARLY = 1e-9


class EProcess:
    """Against "the mean is no more than `null`": the logarithm of what a stake of 1 has become."""

    def __init__(self, null: float) -> None:
        self._null = null
        self._logs = [log(part) for _, part in _BETS]

    def add(self, change: float, times: int = 1) -> None:
        gain = (change - self._null) / (1 + self._null)
        for place, (bet, _) in enumerate(_BETS):
            self._logs[place] += times * log1p(bet * gain)

    @property
    def log(self) -> float:
        most = max(self._logs)
        return most + log(fsum(exp(one - most) for one in self._logs))


@dataclass(frozen=True, kw_only=True, slots=True)
class Sequential:
    """Where the mean change lies, and what that decides. The interval is one of 95% whenever and however often it is
    looked at; None: there is no pair.
    """

    outcome: SequentialOutcome
    value: float | None
    low: float | None
    high: float | None
    pairs: int  # cases that the decision took, or that there are
    trials: int  # of each of them


def sequential_test(
    rounds: Sequence[Sequence[float]], margin: float | None, *, planned: int, by_order: bool
) -> Sequential:
    """`rounds`: the changes of all cases tried once, in order, then (anew) of those tried twice, and so on.

    A case that is tried again is no further case, so each round is a test of its own: the first of `planned` rounds has
    most of the 5%, and all of it where there is one. `by_order`: looked at after every case, which is right where they
    came in an order drawn at random; else where each round stands now.
    """
    low, high, last = -1.0, 1.0, Sequential(outcome="undecided", value=None, low=None, high=None, pairs=0, trials=0)
    for trials, changes in enumerate(rounds, start=1):
        if not changes:
            break
        limit = log(2 / (SIGNIFICANT * _part(trials, planned)))
        pairs = _decided_after(changes, margin, limit) if by_order else None
        ends = [interval(changes, limit)] + ([interval(changes[:pairs], limit)] if pairs else [])
        low, high = max(low, *(end[0] for end in ends)), min(high, *(end[1] for end in ends))
        outcome = outcome_of(low, high, margin)
        if outcome == "undecided" and len(changes) < last.pairs:
            return replace(last, low=low, high=high)  # what has just begun tells of fewer cases
        last = Sequential(
            outcome=outcome,
            value=fsum(changes) / len(changes),
            low=low,
            high=high,
            pairs=pairs or len(changes),
            trials=trials,
        )
        if outcome != "undecided":
            break
    return last


def outcome_of(low: float, high: float, margin: float | None) -> SequentialOutcome:
    """What an interval of the change says; a loss that is surely smaller than the margin is none."""
    if margin is not None and low > -margin:
        return "better" if low > 0 else "equal" if high < margin else "no worse"
    return "better" if low > 0 else "worse" if high < 0 else "undecided"


def interval(changes: Iterable[float], limit: float) -> tuple[float, float]:
    """The means that are not refuted: of those below and above, the stake has grown to the limit (a logarithm)."""
    counts = Counter(changes)
    return _least(counts, limit), -_least({-change: count for change, count in counts.items()}, limit)


def _least(counts: Mapping[float, int], limit: float) -> float:
    def against(null: float) -> float:
        evidence = EProcess(null)
        for change, count in counts.items():
            evidence.add(change, count)
        return evidence.log

    least = -1 + _NEARLY
    return crossing(against, limit, least, 1.0) if against(least) > limit else -1.0


def _decided_after(changes: Sequence[float], margin: float | None, limit: float) -> int | None:
    """The number of cases after which it was decided for the first time; None: it is not."""
    gain, loss = EProcess(0.0 if margin is None else -margin), EProcess(0.0)
    for pairs, change in enumerate(changes, start=1):
        gain.add(change)
        loss.add(-change)
        if max(gain.log, loss.log) >= limit:
            return pairs
    return None


def _part(number: int, planned: int) -> float:
    """Of the 5%: these parts add up to 1."""
    return (planned + 1) / planned / (number * (number + 1))
