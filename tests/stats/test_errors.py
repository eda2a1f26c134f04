"""What errors could make of a mean and of a difference: by trying all that they could have been."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.stats import Worths, error_bounds, error_rates, pass_rate, score_difference

WORTH = st.sampled_from([0.0, 1.0, None])
CASES = st.lists(st.lists(WORTH, max_size=3), min_size=1, max_size=4)


def all_that_could_be(cases: Worths) -> list[list[list[float]]]:
    """With each error as a fail and as a pass."""
    errors = sum(worth is None for worths in cases for worth in worths)
    found = []
    for hidden in product((0.0, 1.0), repeat=errors):
        left = iter(hidden)
        found.append([[next(left) if worth is None else worth for worth in worths] for worths in cases])
    return found


def rate(cases: list[list[float]]) -> float | None:
    return pass_rate([[bool(worth) for worth in worths] for worths in cases]).value


@given(CASES)
def test_the_bounds_are_the_worst_and_the_best_of_all_that_errors_could_have_been(
    cases: list[list[float | None]],
) -> None:
    bounds = error_bounds(cases, 0.0, 1.0)
    rates = [found for one in all_that_could_be(cases) if (found := rate(one)) is not None]
    if len(set(rates)) < 2:
        assert bounds is None or bounds.low == bounds.high
    else:
        assert bounds is not None
        assert (bounds.low or 0.0, bounds.high or 0.0) == pytest.approx((min(rates), max(rates)))
        assert bounds.n == sum(map(len, cases))


def test_gemini_with_its_35_errors() -> None:
    cases: Worths = [*[[1.0]] * 33, *[[0.0]] * 47, *[[None]] * 35]
    bounds = error_bounds(cases, 0.0, 1.0)
    assert bounds is not None
    assert bounds.value == pytest.approx(0.4125)
    assert (bounds.low or 0.0, bounds.high or 0.0) == pytest.approx((33 / 115, 68 / 115))


@given(st.lists(st.tuples(st.lists(WORTH, max_size=2), st.lists(WORTH, max_size=2)), min_size=1, max_size=3))
def test_a_difference_lies_between_its_least_and_its_most(
    pairs: list[tuple[list[float | None], list[float | None]]],
) -> None:
    found = error_rates(pairs, 0.0, 1.0)
    tried = [(before, after) for before, after in pairs if before and after]
    befores = [one for one, _ in tried]
    afters = [other for _, other in tried]
    if found is None:
        assert not any(None in side for side in befores + afters)
        return
    values = [
        score_difference(list(zip(before, after, strict=True)), 0.0, 1.0).value
        for before in all_that_could_be(befores)
        for after in all_that_could_be(afters)
    ]
    known = [value for value in values if value is not None]
    assert found.least is not None
    assert found.most is not None
    assert (found.least.value or 0.0, found.most.value or 0.0) == pytest.approx((min(known), max(known)))


def test_errors_of_a_score_without_an_end_could_be_anything() -> None:
    bounds = error_bounds([[1.5, None]], 0.0, None)
    assert bounds is not None
    assert (bounds.value, bounds.low, bounds.high) == (1.5, 0.75, None)
    found = error_rates([([1.0], [None])], 0.0, None)
    assert found is not None
    assert (found.least, found.most) == (None, None)


def test_a_difference_between_error_rates_is_tested() -> None:
    found = error_rates([([1.0], [None])] * 12 + [([1.0], [1.0])] * 20, 0.0, 1.0)
    assert found is not None
    assert (found.before.value, found.after.value) == (0.0, 0.375)
    assert found.difference.significant
