"""What a pass costs, and who gives as much for less."""

from math import exp
from random import Random

import pytest

from trialkit.stats import amount_per_pass, dominance, pass_rate


def test_where_all_trials_cost_the_same_it_is_that_cost_over_the_pass_rate() -> None:
    passes = [[True, False], [True, True], [False, False], [True, True], [True, False]]
    rate, found = pass_rate(passes), amount_per_pass([[0.5, 0.5]] * 5, passes)
    assert rate.value == 0.6
    assert rate.low is not None
    assert rate.high is not None
    assert (found.value, found.low, found.high) == pytest.approx((0.5 / 0.6, 0.5 / rate.high, 0.5 / rate.low))
    assert found.n == 10


def test_of_a_pass_that_never_was_nobody_knows_the_cost() -> None:
    assert amount_per_pass([[0.1], [0.2]], [[False], [False]]).value is None
    rare = amount_per_pass([[0.1]] * 40, [[True]] + [[False]] * 39)
    assert rare.value == pytest.approx(4.0)
    assert rare.high is not None
    assert rare.high > 40
    assert amount_per_pass([[0.1, 0.3]], [[True, False]]).value == pytest.approx(0.4)
    free = amount_per_pass([[0.0]] * 3, [[True], [False], [True]])
    assert (free.value, free.low, free.high) == (0.0, 0.0, 0.0)


def test_costs_so_spread_that_their_interval_reaches_nothing_have_an_interval_still() -> None:
    """Where what passes costs the more, the low end would be 0 divided by 0."""
    found = amount_per_pass([[9.0], [0.01], [0.01]], [[True], [False], [False]])
    assert found.low == 0.0
    assert found.value == pytest.approx(9.02)


def test_the_interval_holds_the_truth() -> None:
    """Hard cases cost more and pass less often; 0.90 leaves room for 150 runs' own chance."""
    random = Random(4)

    def draw(cases: int) -> tuple[list[list[float]], list[list[bool]]]:
        hard = [random.gauss(0, 1) for _ in range(cases)]
        costs = [[exp(0.4 * one + random.gauss(0, 0.5)) for _ in range(2)] for one in hard]
        return costs, [[random.random() < 1 / (1 + exp(1.5 * one - 0.5)) for _ in range(2)] for one in hard]

    truth = amount_per_pass(*draw(100_000)).value or 0.0
    figures = [amount_per_pass(*draw(40)) for _ in range(150)]
    assert sum((found.low or 0.0) <= truth <= (found.high or 0.0) for found in figures) / 150 >= 0.90


def test_who_is_as_good_and_cheaper_in_every_case_dominates_surely() -> None:
    worth = [1.0, 0.0, 1 / 3, 1.0]
    found = dominance([worth, worth, [0.0] * 4], [[1.0] * 4, [2.0] * 4, [3.0] * 4])
    assert found[0] == [0.0, 1.0, 1.0]
    assert found[1][0] == 0.0
    assert found[2] == [0.0] * 3
    for_nothing = dominance([worth, [0.0] * 4, worth], [[0.0] * 4] * 3)
    assert for_nothing[0] == [0.0, pytest.approx(1.0, abs=0.01), 0.0]  # of which 1 in 256 draws the second case alone


def test_who_is_as_good_or_not_by_chance_dominates_in_that_share_of_resamples() -> None:
    """Cheaper by far; better in one case of 20 and worse in another: as good or better in about 65%."""
    one, other = [1.0, 0.0] + [1.0] * 18, [0.0, 1.0] + [1.0] * 18
    found = dominance([one, other], [[1.0] * 20, [2.0] * 20])
    assert found[0][1] == pytest.approx(0.65, abs=0.03)
    assert found[1][0] == 0.0
