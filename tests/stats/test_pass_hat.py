"""pass^k: the paper's definition, and an interval over cases."""

import time
from itertools import combinations
from math import prod
from random import Random
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.stats import pass_hat_all, pass_hat_mean, pass_rate

EVEN = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=1, max_size=30)
)
UNEVEN = st.lists(st.lists(st.booleans(), max_size=6), max_size=30)


def trials(passes: int, n: int) -> list[bool]:
    return [True] * passes + [False] * (n - passes)


@given(UNEVEN)
def test_it_is_the_share_of_draws_of_k_trials_that_all_pass(cases: list[list[bool]]) -> None:
    told = [case for case in cases if case]
    for k, figure in enumerate(pass_hat_all(cases), start=1):
        shares = [fmean(all(draw) for draw in combinations(case, k)) for case in told]
        assert figure.value == pytest.approx(fmean(shares))
        assert figure.n == len(told)


@given(UNEVEN)
def test_it_is_sound_and_falls_with_k(cases: list[list[bool]]) -> None:
    figures = pass_hat_all(cases)
    assert len(figures) == min((len(case) for case in cases if case), default=0)
    last = 1.0
    for figure in figures:
        assert figure.value is not None
        assert figure.low is not None
        assert figure.high is not None
        assert 0 <= figure.low <= figure.value <= figure.high <= 1
        assert figure.value <= last + 1e-12
        last = figure.value


@given(EVEN, st.randoms(use_true_random=False))
def test_order_does_not_matter(cases: list[list[bool]], random: Random) -> None:
    shuffled = [random.sample(case, len(case)) for case in random.sample(cases, len(cases))]
    assert pass_hat_all(shuffled) == pass_hat_all(cases)


@given(UNEVEN)
def test_pass_1_is_the_pass_rate(cases: list[list[bool]]) -> None:
    rate = pass_rate(cases)
    for one in pass_hat_all(cases)[:1]:
        assert (one.value, one.low, one.high) == (rate.value, rate.low, rate.high)


def test_the_interval_is_the_bootstraps_where_cases_are_many_and_vary() -> None:
    random = np.random.default_rng(5)
    cases = (random.random((115, 4)) < random.beta(2, 2, size=(115, 1))).tolist()
    values = np.array([sum(case) * (sum(case) - 1) / 12 for case in cases])
    draws = np.random.default_rng(6).choice(values, size=(20_000, 115)).mean(axis=1)
    figure = pass_hat_mean(cases, (2,))
    assert (figure.low, figure.high) == pytest.approx(tuple(np.quantile(draws, (0.025, 0.975))), abs=0.01)


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.integers(1, 5))
def test_cases_that_are_yes_or_no_are_as_good_as_tried_once(outcomes: list[bool], n: int) -> None:
    once = pass_rate([[outcome] for outcome in outcomes])
    for figure in pass_hat_all([[outcome] * n for outcome in outcomes]):
        assert (figure.low, figure.high) == pytest.approx((once.low, once.high))


def test_cases_that_are_all_alike_are_no_certainty() -> None:
    figure = pass_hat_mean([trials(2, 4)] * 50, (1,))
    assert (figure.low, figure.high) == pytest.approx((0.42, 0.58), abs=0.01)  # as 50 x 3 trials would have it


@pytest.mark.parametrize("k", [0, -1, 3])
def test_k_beyond_the_fewest_trials_is_refused(k: int) -> None:
    with pytest.raises(ValueError, match="k must be from 1 to 2, the fewest trials of a case"):
        pass_hat_mean([trials(1, 4), trials(1, 2)], (k,))


def test_nothing_is_known_of_no_trials() -> None:
    assert pass_hat_all([]) == ()
    figure = pass_hat_mean([[], []], (3,))
    assert (figure.value, figure.low, figure.high, figure.n) == (None, None, None, 0)


@given(EVEN)
def test_the_mean_of_several_is_the_mean_of_their_values(cases: list[list[bool]]) -> None:
    figures = pass_hat_all(cases)
    overall = pass_hat_mean(cases, range(1, len(figures) + 1))
    assert overall.value == pytest.approx(fmean(figure.value or 0.0 for figure in figures))
    assert overall.n == len(cases)


def test_ten_thousand_cases_take_no_time() -> None:
    random = np.random.default_rng(7)
    cases = (random.random((10_000, 8)) < random.random((10_000, 1))).tolist()
    start = time.process_time()
    pass_hat_mean(cases, (3,))
    assert time.process_time() - start < 0.5


@pytest.mark.parametrize(("cases", "n"), [(10, 1), (50, 4)])
@pytest.mark.parametrize("agent", [(2, 1), (0.3, 3)], ids=["good", "weak"])
def test_the_intervals_hold_the_truth_as_often_as_they_say(cases: int, n: int, agent: tuple[float, float]) -> None:
    """A small version of benchmarks/coverage.py; 0.88 leaves room for 150 runs' own chance."""
    a, b = agent
    random = np.random.default_rng(8)
    held: list[bool] = []
    for _ in range(150):
        run = (random.random((cases, n)) < random.beta(a, b, size=(cases, 1))).tolist()
        for k in {1, n}:
            figure, truth = pass_hat_mean(run, (k,)), prod((a + i) / (a + b + i) for i in range(k))
            held.append((figure.low or 0.0) <= truth <= (figure.high or 0.0))
    assert fmean(held) > 0.88
