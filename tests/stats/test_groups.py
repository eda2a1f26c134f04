"""Whether groups of cases differ from each other."""

from random import Random

import pytest

from tests.stats import late
from trialkit.stats import differ_by_group


def test_of_many_cases_it_is_welchs_analysis_of_variance() -> None:
    random = Random(1)
    sample = [random.gauss(0, 1) for _ in range(1000)]
    groups = [sample, [value + 0.1 for value in sample], [value - 0.02 for value in sample]]
    assert differ_by_group(groups) == pytest.approx(
        late.scipy_stats.f_oneway(*groups, equal_var=False).pvalue, rel=0.02
    )
    assert differ_by_group(groups[:2]) == pytest.approx(
        late.scipy_stats.f_oneway(*groups[:2], equal_var=False).pvalue, rel=0.02
    )
    groups[1] = [3 * value + 0.1 for value in sample]
    assert (differ_by_group(groups) or 0) > late.scipy_stats.f_oneway(*groups, equal_var=False).pvalue


def test_cases_that_all_did_the_same_do_not_make_a_few_of_them_sure() -> None:
    """Without a spread of its own each group would be told from the others by any difference at all."""
    assert (differ_by_group([[0.0, 0.0], [1.0, 1.0]]) or 0) > 0.05
    assert (differ_by_group([[0.0], [0.0], [1.0]]) or 0) > 0.5
    assert (differ_by_group([[0.0] * 8, [1.0] * 8]) or 1) < 0.01


def test_one_group_has_nothing_to_differ_from_and_groups_without_a_change_do_not_differ() -> None:
    assert differ_by_group([[1.0, 0.0], []]) is None
    assert differ_by_group([[0.5, 0.5], [0.5]]) == 1.0
    assert differ_by_group([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0, 0.0]]) == 1.0


def test_false_alarms_are_rare_where_a_few_cases_flip_more_than_all_others_too() -> None:
    random = Random(2)

    def flips(cases: int, chance: float) -> list[float]:
        return random.choices([1.0, -1.0, 0.0], [chance, chance, 1 - 2 * chance], k=cases)

    for sizes in (
        [(10, 0.1)] * 3,
        [(8, 0.3), (60, 0.03)],
        [(60, 0.3), (8, 0.03)],
        [(3, 0.5), (100, 0.01)],
        [(4, 0.5), (50, 0.02), (20, 0.03)],
    ):
        alarms = sum((differ_by_group([flips(*one) for one in sizes]) or 0) < 0.05 for _ in range(500))
        assert alarms / 500 <= 0.06


def test_false_alarms_are_rare_where_all_groups_gain_alike_and_some_are_small() -> None:
    """By its own spread alone, a group of eight in which nothing happens to change would be sure of it."""
    random = Random(3)
    alarms = 0
    for _ in range(500):
        groups = [random.choices([1.0, 0.0], [0.2, 0.8], k=cases) for cases in (50, 10, 8)]
        alarms += (differ_by_group(groups) or 0) < 0.05
    assert alarms / 500 <= 0.05
