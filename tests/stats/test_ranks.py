"""Ranks, and what a ranking leaves open."""

from itertools import combinations
from random import Random

from trialkit.stats import rank_intervals
from trialkit.stats.compare import paired_difference


def test_who_is_surely_better_stands_above_and_all_else_is_open() -> None:
    """The first is surely worse than the other two, between which there is no telling."""
    ranks = rank_intervals(3, {(0, 1): (0.3, 0.001), (0, 2): (0.2, 0.01), (1, 2): (-0.1, 0.4)})
    assert ranks == [(3, 3, 3), (1, 1, 2), (2, 1, 2)]


def test_the_number_of_pairs_is_corrected_for() -> None:
    """0.03 alone would be sure; of three pairs it is not."""
    ranks = rank_intervals(3, {(0, 1): (-0.3, 0.03), (0, 2): (-0.2, 0.5), (1, 2): (0.1, 0.5)})
    assert ranks == [(1, 1, 3), (3, 1, 3), (2, 1, 3)]


def test_equals_share_a_rank_and_what_cannot_be_tested_stays_open() -> None:
    assert rank_intervals(3, {(0, 1): (0.0, 1.0), (0, 2): (0.1, None), (1, 2): (0.1, 0.6)}) == [
        (2, 1, 3),
        (2, 1, 3),
        (1, 1, 3),
    ]


def test_of_runs_that_are_equally_good_all_ranks_stay_open() -> None:
    random, held = Random(3), 0
    for _ in range(150):
        hard = [random.random() for _ in range(40)]
        runs = [[[random.random() < chance] for chance in hard] for _ in range(4)]
        found = {}
        for one, other in combinations(range(4), 2):
            difference = paired_difference(list(zip(runs[one], runs[other], strict=True)))
            found[one, other] = (difference.value or 0.0, difference.p)
        held += all((rank.low, rank.high) == (1, 4) for rank in rank_intervals(4, found))
    assert held / 150 >= 0.94
