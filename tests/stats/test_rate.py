"""Pass rates: weighted by case, with an interval at the sample size that the spread between cases implies."""

import math
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stats import late
from trialkit.stats import Figure, pass_rate
from trialkit.stats.rate import wilson

CASES = st.lists(st.lists(st.booleans(), max_size=8), max_size=40)


def sound(figure: Figure) -> bool:
    if figure.value is None:
        return figure.low is None and figure.high is None and figure.n == 0
    assert figure.low is not None
    assert figure.high is not None
    return 0 <= figure.low <= figure.value <= figure.high <= 1 and figure.n > 0


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_is_statsmodels(counts: tuple[int, int]) -> None:
    passes, n = counts
    assert wilson(passes, n) == pytest.approx(late.proportion.proportion_confint(passes, n, method="wilson"), abs=1e-12)


def test_wilson_of_nothing_is_everything() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.lists(st.booleans(), min_size=1, max_size=200))
def test_one_trial_per_case_lies_between_jeffreys_and_clopper_pearson(trials: list[bool]) -> None:
    figure = pass_rate([[trial] for trial in trials])
    passes, n = sum(trials), len(trials)
    inner = late.proportion.proportion_confint(passes, n, method="jeffreys")
    outer = late.proportion.proportion_confint(passes, n, method="beta")
    assert figure.value == pytest.approx(passes / n)
    assert outer[0] - 1e-9 <= (figure.low or 0.0) <= inner[0] + 1e-9
    assert inner[1] - 1e-9 <= (figure.high or 0.0) <= outer[1] + 1e-9
    assert figure.n == n


def test_a_case_counts_once_however_many_trials_ended_in_a_verdict() -> None:
    figure = pass_rate([[True] * 8, [False] * 2])
    assert figure.value == 0.5
    assert figure.n == 10


@given(CASES)
def test_whatever_the_trials_the_figure_is_sound(cases: list[list[bool]]) -> None:
    assert sound(pass_rate(cases))


@given(CASES, st.randoms(use_true_random=False))
def test_order_does_not_matter(cases: list[list[bool]], random: Random) -> None:
    shuffled = [random.sample(trials, len(trials)) for trials in random.sample(cases, len(cases))]
    one, other = pass_rate(cases), pass_rate(shuffled)
    assert one.n == other.n
    for name in ("value", "low", "high"):
        assert getattr(one, name) == pytest.approx(getattr(other, name))


def test_trials_that_are_copies_of_each_other_add_nothing() -> None:
    once = pass_rate([[True]] * 30 + [[False]] * 20)
    four_times = pass_rate([[True] * 4] * 30 + [[False] * 4] * 20)
    assert four_times.value == once.value == 0.6
    assert four_times.n == 200
    assert once.low is not None
    assert four_times.low is not None
    assert math.isclose(four_times.low, once.low, abs_tol=0.003)


def test_trials_that_have_nothing_to_do_with_their_case_count_in_full() -> None:
    """Every case passes half of its trials, give or take as much as chance would have it."""
    cases = [
        [True] * passes + [False] * (4 - passes)
        for passes, times in enumerate((4, 16, 24, 16, 4))
        for _ in range(times)
    ]
    figure = pass_rate(cases)
    assert (figure.low, figure.high) == pytest.approx(wilson(128, 256), abs=0.01)


@pytest.mark.parametrize("outcome", [True, False])
def test_all_alike_is_as_sure_as_the_cases_are_many(outcome: bool) -> None:
    many, once = pass_rate([[outcome] * 8] * 10), pass_rate([[outcome]] * 10)
    assert (many.low, many.high) == (once.low, once.high)


def test_one_case_alone_tells_little() -> None:
    figure = pass_rate([[True, True, True, False]])
    assert figure.low is not None
    assert figure.low < 0.2
    assert figure.high is not None
    assert figure.high > 0.95
