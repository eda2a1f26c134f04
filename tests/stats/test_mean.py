"""Means of amounts, with Student's t over cases."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stats import late
from trialkit.stats import mean_by_case, unknown

AMOUNTS = st.floats(-1e6, 1e6, allow_nan=False)


@given(st.lists(AMOUNTS, min_size=2, max_size=60))
def test_the_interval_is_scipys(values: list[float]) -> None:
    figure = mean_by_case([[one] for one in values])
    error = late.scipy_stats.sem(values)
    low, high = (
        late.scipy_stats.t.interval(0.95, len(values) - 1, loc=np.mean(values), scale=error) if error else (None, None)
    )
    assert figure.value == pytest.approx(np.mean(values), abs=1e-6)
    if low is not None:
        room = 1e-6 * (high - low) + 1e-6
        assert figure.high == pytest.approx(high, abs=room)
        assert figure.low == pytest.approx(max(low, 0.0) if min(values) >= 0 else low, abs=room)


def test_none_and_one() -> None:
    assert (mean_by_case([]).value, mean_by_case([]).n) == (None, 0)
    one = mean_by_case([[3.0]])
    assert (one.value, one.low, one.high, one.n) == (3.0, None, None, 1)


def test_an_amount_that_cannot_be_negative_has_no_negative_end() -> None:
    assert mean_by_case([[0.0], [0.0], [0.0], [9.0]]).low == 0.0


@given(st.lists(st.lists(AMOUNTS, max_size=5), max_size=20))
def test_whatever_the_amounts_nothing_breaks(cases: list[list[float]]) -> None:
    figure = mean_by_case(cases)
    assert figure.n == sum(map(len, cases))
    for end in (figure.value, figure.low, figure.high):
        assert end is None or math.isfinite(end)


def test_copies_within_a_case_add_nothing() -> None:
    once, thrice = mean_by_case([[1.0], [2.0], [6.0]]), mean_by_case([[1.0] * 3, [2.0] * 3, [6.0] * 3])
    assert (once.value, once.low, once.high) == pytest.approx((thrice.value, thrice.low, thrice.high))
    assert (once.n, thrice.n) == (3, 9)


def test_one_case_alone_has_no_interval() -> None:
    figure = mean_by_case([[1.0, 2.0, 3.0]])
    assert (figure.value, figure.low, figure.high, figure.n) == (2.0, None, None, 3)


def test_a_part_is_not_the_whole() -> None:
    assert mean_by_case([[1.0, None], [2.0]]) == unknown(3)
