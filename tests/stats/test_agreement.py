"""Agreement against statsmodels and closed forms, on random inputs."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa as their_kappa  # type: ignore[import-untyped]

from trialkit.stats import (
    agreement,
    cohens_kappa,
    confusion,
    krippendorff_alpha,
    self_agreement,
    true_fail_rate,
    true_pass_rate,
)
from trialkit.stats.rate import pass_rate

pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)
units = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=30)


def singles(found: list[tuple[bool, bool]]) -> list[list[tuple[bool, bool]]]:
    return [[pair] for pair in found]


@given(pairs)
@settings(max_examples=60, deadline=None)
def test_kappa_is_statsmodels(found: list[tuple[bool, bool]]) -> None:
    counts = confusion(found)
    table = np.array(
        [[counts.both_pass, counts.people_pass_judge_fail], [counts.people_fail_judge_pass, counts.both_fail]]
    )
    figure = cohens_kappa(singles(found))
    one_class = table[0].sum() * table[:, 0].sum() + table[1].sum() * table[:, 1].sum() == len(found) ** 2
    if one_class:
        assert figure.value is None
        return
    assert figure.value is not None
    assert figure.value == pytest.approx(their_kappa(table, return_results=False))
    assert figure.low is not None
    assert figure.high is not None
    assert -1 <= figure.low <= figure.value <= figure.high <= 1


@pytest.mark.parametrize("table", [[[400, 60], [50, 300]], [[150, 30], [40, 280]], [[90, 80], [70, 95]]])
def test_kappas_interval_is_the_asymptotic_one_where_that_is_right(table: list[list[int]]) -> None:
    theirs = their_kappa(np.array(table))
    found = [(human == 0, judge == 0) for human in (0, 1) for judge in (0, 1) for _ in range(table[human][judge])]
    figure = cohens_kappa(singles(found))
    assert figure.low == pytest.approx(theirs.kappa_low, abs=0.01)
    assert figure.high == pytest.approx(theirs.kappa_upp, abs=0.01)


def test_few_labels_that_all_agree_prove_little() -> None:
    figure = cohens_kappa(singles([(True, True)] * 6 + [(False, False)] * 4))
    assert figure.value == 1
    assert figure.low is not None
    assert figure.low < 0.7


def test_trials_of_one_case_count_for_less_than_as_many_cases() -> None:
    found = [(True, True)] * 30 + [(False, False)] * 20 + [(True, False)] * 10
    apart = cohens_kappa(singles(found))
    together = cohens_kappa([[pair] * 4 for pair in found[::4]])
    assert apart.low is not None
    assert together.low is not None
    assert together.low < apart.low


@given(pairs)
def test_rates_are_those_of_the_confusion(found: list[tuple[bool, bool]]) -> None:
    counts = confusion(found)
    assert counts.n == len(found)
    for figure, hits, n in (
        (agreement(singles(found)), counts.both_pass + counts.both_fail, counts.n),
        (true_pass_rate(singles(found)), counts.both_pass, counts.both_pass + counts.people_pass_judge_fail),
        (true_fail_rate(singles(found)), counts.both_fail, counts.both_fail + counts.people_fail_judge_pass),
    ):
        assert figure.n == n
        assert figure.value == (pytest.approx(hits / n) if n else None)
        if n:
            assert figure == pass_rate([[place < hits] for place in range(n)])


def alpha_by_definition(found: list[tuple[int, int]]) -> float | None:
    """1 - observed / expected disagreement, over all ordered pairs of labels."""
    rated = [[True] * p + [False] * f for p, f in found if p + f > 1]
    everything = [value for unit in rated for value in unit]
    if len(set(everything)) < 2:
        return None
    observed = sum(sum(a != b for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in rated) / len(everything)
    expected = sum(a != b for a, b in permutations(everything, 2)) / (len(everything) * (len(everything) - 1))
    return 1 - observed / expected


@given(units)
@settings(max_examples=60, deadline=None)
def test_alpha_is_its_definition(found: list[tuple[int, int]]) -> None:
    figure = krippendorff_alpha([[unit] for unit in found])
    assert figure.value == (None if (truth := alpha_by_definition(found)) is None else pytest.approx(truth))
    if figure.value is not None:
        assert figure.low is not None
        assert figure.high is not None
        assert figure.low <= figure.value <= figure.high


def test_alpha_of_krippendorffs_own_example() -> None:
    """Two observers, ten binary units (Krippendorff 2011, example A): alpha is 0.095."""
    first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    second = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    figure = krippendorff_alpha([[(a + b, 2 - a - b)] for a, b in zip(first, second, strict=True)])
    assert figure.value == pytest.approx(0.095, abs=5e-4)


def test_degenerate_inputs() -> None:
    assert cohens_kappa([]).value is None
    assert agreement([]).value is None
    assert krippendorff_alpha([]).value is None
    assert krippendorff_alpha([[(1, 0), (0, 1)]]).value is None
    assert self_agreement([[(1, 0)]]).value is None


def test_self_agreement_counts_pairs() -> None:
    assert self_agreement([[(3, 0)], [(1, 2), (1, 0)]]).value == pytest.approx((1 + 1 / 3) / 2)


def test_alpha_and_self_agreement_count_cases_not_trials() -> None:
    split = [(2, 0)] * 10 + [(0, 2)] * 8 + [(1, 1)] * 6
    for figure in (krippendorff_alpha, self_agreement):
        apart, copied = figure([[one] for one in split]), figure([[one] * 4 for one in split])
        assert copied.n == 4 * apart.n
        assert copied.value == pytest.approx(apart.value, abs=0.02)
        assert (copied.low, copied.high) == pytest.approx((apart.low, apart.high), abs=0.03)


def test_one_case_tells_nothing_of_the_annotators_in_general() -> None:
    figure = krippendorff_alpha([[(2, 0), (0, 2), (1, 1)]])
    assert (figure.low, figure.high) == (-1, 1)
