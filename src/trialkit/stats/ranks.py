"""Which places in a ranking are compatible with the data."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .compare import SIGNIFICANT, holm

#: By how much the second of two is better than the first, and how likely noise alone would make it so.
Gains = Mapping[tuple[int, int], tuple[float, float | None]]


class Rank(NamedTuple):
    value: int  # as they stand; equals share one
    low: int
    high: int


def rank_intervals(places: int, gains: Gains) -> list[Rank]:
    """The rank of each, with the first and the last that its differences from the others leave open.

    One that is better or worse after Holm's correction over all pairs is so surely; whatever is not keeps its order
    open. The intervals hold all true ranks at once unless one of the pairs is a false alarm, which Holm keeps at 5%:
    in benchmarks/ranks.py they did in 92-100%. (A bootstrap of the ranks is no alternative: each resample has an
    order, though what is ranked may have none. Of six that are equally good it left out a rank in 83-95%.)
    """
    tested = {pair: p for pair, (_, p) in gains.items() if p is not None}
    surely = [pair for pair, p in zip(tested, holm(list(tested.values())), strict=True) if p < SIGNIFICANT]
    better, _ = _beaten(places, gains, gains)
    above, below = _beaten(places, gains, surely)
    return [Rank(1 + seen, 1 + up, places - down) for seen, up, down in zip(better, above, below, strict=True)]


def _beaten(places: int, gains: Gains, pairs: Iterable[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """By how many each is beaten, and how many it beats, in these pairs."""
    above, below = [0] * places, [0] * places
    for one, other in pairs:
        gain = gains[one, other][0]
        if gain:
            winner, loser = (other, one) if gain > 0 else (one, other)
            above[loser] += 1
            below[winner] += 1
    return above, below
