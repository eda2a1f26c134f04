"""Agreement of annotators against the package krippendorff, and how often alpha's interval holds the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stats import late
from trialkit.stats import krippendorff_alpha, self_agreement

units = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=30)


@given(units)
def test_alpha_is_krippendorffs(found: list[tuple[int, int]]) -> None:
    figure = krippendorff_alpha([[unit] for unit in found])
    paired = [(p, f) for p, f in found if p + f > 1]
    if not sum(p for p, _ in paired) or not sum(f for _, f in paired):
        assert figure.value is None
        return
    theirs = late.krippendorff.alpha(value_counts=np.array(paired), level_of_measurement="nominal")
    assert figure.value is not None
    assert figure.low is not None
    assert figure.high is not None
    assert figure.value == pytest.approx(theirs)
    assert figure.low <= figure.value <= figure.high


@pytest.mark.parametrize(("cases", "errs"), [(20, 0.03), (50, 0.12)])
def test_alphas_interval_holds_the_truth(cases: int, errs: float) -> None:
    """0.67-0.94 by a plain bootstrap."""
    random, held, rate = np.random.default_rng(2), 0, 0.85
    passed = rate * (1 - errs) + (1 - rate) * errs
    truth = 1 - errs * (1 - errs) / (passed * (1 - passed))
    for _ in range(250):
        says = (random.random((cases, 1)) < rate) ^ (random.random((cases, 2)) < errs)
        figure = krippendorff_alpha([[(p, 2 - p)] for p in says.sum(axis=1).tolist()])
        held += figure.low is None or figure.high is None or figure.low <= truth <= figure.high
    assert held / 250 > 0.92


def test_who_agree_on_few_trials_prove_little() -> None:
    figure = krippendorff_alpha([[(2, 0)]] * 6 + [[(0, 2)]] * 4)
    assert figure.value == 1
    assert figure.low is not None
    assert 0.3 < figure.low < 0.9


def test_degenerate_inputs() -> None:
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
