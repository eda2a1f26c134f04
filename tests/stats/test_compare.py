"""Paired differences against scipy, statsmodels and closed forms, on random inputs."""

import gc
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stats import late
from trialkit.stats import holm, paired_amounts, paired_pass_hat_all, pass_hat_mean
from trialkit.stats.compare import mcnemar, paired_difference, tango

counts = st.integers(0, 400)
trials = st.lists(st.booleans(), min_size=1, max_size=5)


def mid_p(gained: int, lost: int) -> float:
    fewer, flips = min(gained, lost), gained + lost
    return (
        float(2 * late.scipy_stats.binom.cdf(fewer, flips, 0.5) - late.scipy_stats.binom.pmf(fewer, flips, 0.5))
        if gained != lost
        else 1.0
    )


@given(counts, counts)
def test_mcnemar_is_the_larger_of_mid_p_and_statsmodels_normal_approximation(gained: int, lost: int) -> None:
    table = [[0, gained], [lost, 0]]
    normal = late.contingency.mcnemar(table, exact=False, correction=False).pvalue if gained != lost else 1.0
    assert mcnemar(gained, lost) == pytest.approx(max(mid_p(gained, lost), normal), rel=1e-6)
    exact = late.contingency.mcnemar(table, exact=True).pvalue if gained + lost else 1.0
    assert mid_p(gained, lost) <= min(1.0, exact) + 1e-9


@pytest.mark.parametrize(("pairs", "flips"), [(50, 0.2), (115, 0.2), (200, 0.05), (30, 0.5)])
def test_mcnemar_raises_no_more_false_alarms_than_it_says(pairs: int, flips: float) -> None:
    """Enumerated: every number of flips, and of those that went up."""
    size = sum(
        late.scipy_stats.binom.pmf(m, pairs, flips) * late.scipy_stats.binom.pmf(up, m, 0.5)
        for m in range(pairs + 1)
        for up in range(m + 1)
        if mcnemar(up, m - up) < 0.05
    )
    assert 0.03 < size < 0.051


@pytest.fixture(scope="module")
def little_garbage() -> Iterator[None]:
    """Theirs collects all garbage at every call, which takes long where as much is loaded as here."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("little_garbage")
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_statsmodels(values: list[float]) -> None:
    assert holm(values) == pytest.approx(late.multitest.multipletests(values, method="holm")[1])


def score(gained: int, lost: int, n: int, difference: float) -> float:
    """Tango's statistic, with the likelihood given the difference maximised by scipy."""

    def unlikely(q: float) -> float:
        chances = (q + difference, q, 1 - 2 * q - difference)
        return -sum(
            k * float(np.log(max(p, 1e-300))) for k, p in zip((gained, lost, n - gained - lost), chances, strict=True)
        )

    least, most = max(0.0, -difference), (1 - difference) / 2
    q = late.optimize.minimize_scalar(unlikely, bounds=(least, most), method="bounded", options={"xatol": 1e-12}).x
    return float((gained - lost - n * difference) / np.sqrt(n * (2 * q + difference * (1 - difference))))


@pytest.mark.parametrize(("gained", "lost", "n"), [(12, 3, 115), (3, 9, 40), (1, 6, 10), (20, 20, 60), (30, 5, 50)])
def test_tangos_ends_are_where_the_score_test_gives_5_percent(gained: int, lost: int, n: int) -> None:
    low, high = tango(gained, lost, n)
    assert score(gained, lost, n, low) == pytest.approx(1.95996, abs=1e-3)
    assert score(gained, lost, n, high) == pytest.approx(-1.95996, abs=1e-3)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 200))
def test_tango_holds_the_estimate_and_is_symmetric(gained: int, lost: int, more: int) -> None:
    n = gained + lost + more
    low, high = tango(gained, lost, n)
    assert -1 <= low <= (gained - lost) / n <= high <= 1
    assert tango(lost, gained, n) == pytest.approx((-high, -low), abs=1e-9)


@given(st.integers(0, 80), st.integers(0, 80), st.integers(0, 80))
def test_one_trial_each_the_interval_agrees_with_the_test(gained: int, lost: int, same: int) -> None:
    pairs = [([False], [True])] * gained + [([True], [False])] * lost + [([True], [True])] * same
    found = paired_difference(pairs)
    if not pairs:
        assert found.value is None
        return
    assert found.value == pytest.approx((gained - lost) / len(pairs))
    assert found.low is not None
    assert found.high is not None
    assert (found.low > 0 or found.high < 0) == found.significant


@given(st.lists(st.tuples(trials, trials), min_size=1, max_size=40))
def test_several_trials_the_interval_agrees_with_the_test(pairs: list[tuple[list[bool], list[bool]]]) -> None:
    found = paired_difference(pairs)
    changes = [sum(after) / len(after) - sum(before) / len(before) for before, after in pairs]
    assert found.value == pytest.approx(sum(changes) / len(changes))
    assert found.low is not None
    assert found.high is not None
    assert found.p is not None
    assert found.value is not None
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert 0 < found.p <= 1
    if not 0.04 < found.p < 0.06:  # the resampled quantiles are interpolated, the resampled p is counted
        assert (found.low > 0 or found.high < 0) == found.significant


@given(st.lists(st.tuples(trials, trials), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_the_differences_of_pass_hat_k_are_between_the_two_figures(
    pairs: list[tuple[list[bool], list[bool]]], random: Random
) -> None:
    found = paired_pass_hat_all(pairs)
    assert len(found) == min(len(side) for pair in pairs for side in pair)
    for k, one in enumerate(found, start=1):
        before, after = (pass_hat_mean([pair[side] for pair in pairs], (k,)).value for side in (0, 1))
        assert before is not None
        assert after is not None
        assert one.value == pytest.approx(after - before)
    alone, shuffled = paired_difference(pairs), paired_pass_hat_all(random.sample(pairs, len(pairs)))[0]
    for other in (alone, shuffled):
        assert (found[0].low, found[0].high, found[0].p) == pytest.approx((other.low, other.high, other.p), abs=1e-9)


def test_the_bootstrap_is_students_t_where_that_is_right() -> None:
    """Many cases, many trials: both rest on the same normal distribution."""
    random = np.random.default_rng(5)
    chances = random.uniform(0.3, 0.7, (300, 1))
    before, after = (random.random((300, 8)) < chances), (random.random((300, 8)) < chances + 0.05)
    found = paired_difference(list(zip(before.tolist(), after.tolist(), strict=True)))
    theirs = late.scipy_stats.ttest_rel(after.mean(axis=1), before.mean(axis=1))
    interval = theirs.confidence_interval()
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=0.004)
    assert found.p == pytest.approx(theirs.pvalue, abs=0.01)


def test_few_cases_widen_the_bootstrap_as_they_widen_students_t() -> None:
    """Resampling six cases shows less spread than such cases have: unwidened, 0.7 of the interval would be left."""
    before = [[passed < 4 for passed in range(8)]] * 6
    after = [[passed < 4 + change for passed in range(8)] for change in (-2, -1, 0, 1, 3, 4)]
    found = paired_difference(list(zip(before, after, strict=True)))
    interval = late.scipy_stats.ttest_rel([sum(trials) / 8 for trials in after], [0.5] * 6).confidence_interval()
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low > 0.95 * (interval.high - interval.low)


def test_where_nearly_all_pass_p_is_no_surer_than_students_t() -> None:
    """The bootstrap alone raises 5.7% false alarms here."""
    random = np.random.default_rng(8)
    surer = 0
    for _ in range(25):
        before, after = random.random((2, 20, 8)) < 0.95
        found = paired_difference(list(zip(before.tolist(), after.tolist(), strict=True)))
        theirs = late.scipy_stats.ttest_rel(after.mean(axis=1), before.mean(axis=1))
        interval = theirs.confidence_interval()
        assert found.p is not None
        assert found.low is not None
        assert found.high is not None
        surer += found.p < theirs.pvalue - 1e-9 or found.low > interval.low + 1e-9 or found.high < interval.high - 1e-9
    assert not surer


def test_many_trials_before_tell_more_than_one_though_there_is_one_after() -> None:
    """Before, each of 40 cases passes in half of 8 trials; after, 28 pass: nearly a test of 28 to 12 against a half."""
    before = [True, False] * 4
    pairs = [(before, [place < 28]) for place in range(40)]
    found = paired_difference(pairs)
    assert found.value == pytest.approx(0.2)
    assert found.p == pytest.approx(float(late.scipy_stats.binomtest(28, 40, 0.5).pvalue), abs=0.008)
    assert found.significant


def test_a_difference_beyond_doubt_outlives_the_correction_for_300_tests() -> None:
    pairs = (
        [([False, True], [True, True])] * 60
        + [([False, False], [True, True])] * 60
        + [([True, True], [True, True])] * 9
    )
    found = paired_difference(pairs)
    assert found.p is not None
    assert holm([found.p] * 300)[0] < 0.001


def test_amounts_are_students_paired_t() -> None:
    random = np.random.default_rng(6)
    pairs = random.lognormal(size=(40, 2))
    found = paired_amounts([(a, b) for a, b in pairs.tolist()])
    interval = late.scipy_stats.ttest_rel(pairs[:, 1], pairs[:, 0]).confidence_interval()
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=1e-3)


def test_the_same_data_give_the_same_interval() -> None:
    pairs = [([True, False], [True, True]), ([False, False], [True, False]), ([True, True], [True, False])]
    assert paired_difference(pairs) == paired_difference(pairs)


def test_degenerate_inputs() -> None:
    assert paired_difference([]).value is None
    assert paired_difference([([], [True])]).n == 0
    assert paired_pass_hat_all([]) == ()
    assert paired_pass_hat_all([([], [True])]) == ()
    assert paired_amounts([(1.0, 2.0)]).low is None
    assert paired_amounts([(1.0, 1.0)] * 20).low is None  # without any spread there is no interval
    alike = paired_difference([([True] * 4, [True] * 4)] * 10)
    assert (alike.value, alike.p) == (0, 1)
    assert alike.low is not None
    assert alike.low < -0.2  # ten cases that all pass do not rule a difference out
    single = paired_difference([([True, True], [False, False])])
    assert not single.significant
