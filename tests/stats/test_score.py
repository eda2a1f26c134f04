"""Mean scores and their differences: Student's t against scipy, ends of ranges, and simulated coverage."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.stats import late
from trialkit.stats import Figure, mean_score, pass_rate, score_difference
from trialkit.stats.compare import paired_difference

BOOLS = st.lists(st.lists(st.booleans(), max_size=8), max_size=40)
TRIALS = st.lists(st.booleans(), min_size=1, max_size=4)
ANY = st.floats(-1e6, 1e6)
STARS = st.lists(st.integers(1, 5).map(float), min_size=1, max_size=4)
#: The means of seven cases go up and down, by 0.4 in the middle.
CHANGES = (-1.0, 1.5, 0.4, -0.2, 2.0, 0.0, 0.1)
ENDS = st.sampled_from([(None, None), (0.0, None), (None, 9.0), (0.0, 9.0), (1.0, 5.0)])


def sound(figure: Figure, low: float | None, high: float | None) -> bool:
    ends = [end for end in (low, figure.low, figure.value, figure.high, high) if end is not None]
    return all(map(math.isfinite, ends)) and ends == sorted(ends)


@given(st.lists(ANY, min_size=2, max_size=60))
def test_a_score_without_ends_has_scipys_t_interval(values: list[float]) -> None:
    error = late.scipy_stats.sem(values)
    assume(error > 1e-9)
    figure = mean_score([[value] for value in values])
    low, high = late.scipy_stats.t.interval(0.95, len(values) - 1, loc=np.mean(values), scale=error)
    assert (figure.low, figure.high) == pytest.approx((low, high), rel=1e-6, abs=1e-6)


def test_a_score_from_0_to_1_has_nearly_scipys_t_interval_away_from_the_ends() -> None:
    values = np.random.default_rng(1).beta(6, 14, size=30)
    low, high = late.scipy_stats.t.interval(0.95, 29, loc=values.mean(), scale=late.scipy_stats.sem(values))
    figure = mean_score([[value] for value in values.tolist()], 0, 1)
    assert (figure.low, figure.high) == pytest.approx((low, high), abs=0.003)


@given(BOOLS, st.sampled_from([(0.0, 1.0), (1.0, 5.0), (-2.0, 0.0)]))
def test_scores_at_both_ends_only_are_passes_and_fails(cases: list[list[bool]], ends: tuple[float, float]) -> None:
    low, high = ends
    figure = mean_score([[high if passed else low for passed in trials] for trials in cases], low, high)
    rate = pass_rate(cases)
    assert figure.n == rate.n
    for mine, theirs in ((figure.value, rate.value), (figure.low, rate.low), (figure.high, rate.high)):
        assert mine == (None if theirs is None else pytest.approx(low + (high - low) * theirs))


@given(st.lists(st.lists(st.floats(0, 9), max_size=5), max_size=20), ENDS)
def test_whatever_the_scores_the_figure_is_sound(
    cases: list[list[float]], ends: tuple[float | None, float | None]
) -> None:
    low, high = ends
    found = [score for scores in cases for score in scores]
    figure = mean_score(cases, low, high)
    assert figure.n == len(found)
    beyond = any(not (low or 0) <= score <= (high or 9) for score in found)
    assert sound(figure, None if beyond else low, None if beyond else high)


def test_cases_count_the_same_and_copies_of_a_trial_add_nothing() -> None:
    once = mean_score([[1.0], [2.0], [4.0]], 1, 5)
    copied = mean_score([[1.0] * 4, [2.0], [4.0] * 2], 1, 5)
    assert (copied.value, copied.low, copied.high) == pytest.approx((once.value, once.low, once.high))
    assert (once.n, copied.n) == (3, 7)


def test_where_all_score_the_same_a_range_keeps_the_interval_open() -> None:
    full = mean_score([[5.0]] * 10, 1, 5)
    assert full.high == 5
    assert full.low is not None
    assert full.low < 4
    assert mean_score([[5.0]] * 10).low is None
    assert mean_score([[3.0, 4.0]], 0).low is None  # one case tells nothing of others


def test_mirrored_scores_have_mirrored_intervals() -> None:
    values = [0.1, 0.4, 3.0, 0.2, 0.0]
    up, down = mean_score([[v] for v in values], 0), mean_score([[-v] for v in values], None, 0)
    assert up.low is not None
    assert up.high is not None
    assert (down.low, down.high) == pytest.approx((-up.high, -up.low))


@given(st.lists(st.tuples(ANY, ANY), min_size=2, max_size=40))
def test_a_difference_without_ends_is_scipys_paired_t(pairs: list[tuple[float, float]]) -> None:
    before, after = zip(*pairs, strict=True)
    changes = np.subtract(after, before)
    assume(changes.std() > 1e-6 * np.abs(changes).max() > 1e-9)
    found = score_difference([([one], [other]) for one, other in pairs])
    theirs = late.scipy_stats.ttest_rel(after, before)
    interval = theirs.confidence_interval()
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), rel=1e-5, abs=1e-6)
    assert found.p == pytest.approx(theirs.pvalue, rel=1e-4, abs=1e-12)


@given(st.lists(st.tuples(STARS, STARS), min_size=1, max_size=30), ENDS)
def test_the_interval_of_a_difference_agrees_with_its_test(
    pairs: list[tuple[list[float], list[float]]], ends: tuple[float | None, float | None]
) -> None:
    found = score_difference(pairs, *ends)
    changes = [float(np.mean(after) - np.mean(before)) for before, after in pairs]
    assert found.value == pytest.approx(np.mean(changes), abs=1e-12)
    if found.low is None or found.high is None:
        assert found.p is None
        return
    assert found.value is not None
    assert found.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.high
    assert (found.low > 0 or found.high < 0) == found.significant
    back = score_difference([(after, before) for before, after in pairs], *ends)
    assert (back.low, back.high, back.p) == pytest.approx((-found.high, -found.low, found.p), abs=1e-9)


@given(st.lists(st.tuples(TRIALS, TRIALS), min_size=1, max_size=20))
def test_a_difference_of_passes_and_fails_is_the_rates(pairs: list[tuple[list[bool], list[bool]]]) -> None:
    scores = [([4.0 * p + 1 for p in before], [4.0 * p + 1 for p in after]) for before, after in pairs]
    rates, stars = paired_difference(pairs), score_difference(scores, 1, 5)
    assert (stars.p, stars.method) == (rates.p, rates.method)
    for mine, theirs in ((stars.value, rates.value), (stars.low, rates.low), (stars.high, rates.high)):
        assert theirs is not None
        assert mine == pytest.approx(4 * theirs)


def test_far_apart_scores_differ() -> None:
    """Two runs of 30 cases that score 0.30 and 0.85: no pass rate would show it."""
    random = np.random.default_rng(4)
    pairs = [([a], [b]) for a, b in zip(random.beta(6, 14, 30).tolist(), random.beta(17, 3, 30).tolist(), strict=True)]
    found = score_difference(pairs, 0, 1)
    assert found.p is not None
    assert found.p < 1e-9
    assert found.value == pytest.approx(0.55, abs=0.05)


@pytest.mark.parametrize("ends", [(0, 10), (0, None), (None, None)])
def test_where_p_reaches_5_percent_the_interval_reaches_0(ends: tuple[float | None, float | None]) -> None:
    def shifted(by: float) -> list[tuple[list[float], list[float]]]:
        return [([2.0 + 0.1 * case, 3.0], [2.0 + 0.1 * case + change + by, 3.0]) for case, change in enumerate(CHANGES)]

    def p(by: float) -> float:
        found = score_difference(shifted(by), *ends)
        return found.p or 0.0

    limit = late.optimize.brentq(lambda by: p(by) - 0.05, 0.5, 6.0, xtol=1e-12)
    found = score_difference(shifted(limit), *ends)
    assert found.low == pytest.approx(0, abs=1e-8)
    assert score_difference(shifted(limit + 1e-6), *ends).significant
    assert not score_difference(shifted(limit - 1e-6), *ends).significant


@pytest.mark.parametrize("ends", [(0, 1), (None, None)])
def test_what_is_rounded_differently_is_no_difference(ends: tuple[float | None, float | None]) -> None:
    found = score_difference([([0.1 + 0.2], [0.3])] * 30 + [([0.7], [0.7])] * 5, *ends)
    assert (found.value, found.p) == (0, 1)


def test_the_same_change_in_a_few_cases_proves_nothing() -> None:
    """There is no spread to go by, so Student's t alone would be certain."""
    for ends in ((1, 9), (None, None)):
        few, many = (score_difference([([3.0], [4.0])] * n, *ends) for n in (3, 30))
        assert not few.significant
        assert few.low is None if ends == (None, None) else few.low is not None and few.low <= 0
        assert many.value == pytest.approx(1)
    assert many.significant


@pytest.mark.parametrize("ends", [(1, 5), (None, None)])
def test_nothing_to_hold_against_each_other(ends: tuple[float | None, float | None]) -> None:
    assert score_difference([], *ends).value is None
    assert score_difference([([], [3.0])], *ends).n == 0
    assert mean_score([[], []], *ends).value is None


@pytest.mark.parametrize(
    ("draw", "truth", "high", "cases", "least"),
    [
        (lambda random, n: np.where(random.random(n) < 0.85, 5.0, 3.0), 4.7, 5.0, 10, 0.92),
        (lambda random, n: random.beta(6, 14, n), 0.3, 1.0, 10, 0.92),
        (lambda random, n: random.exponential(1.0, n), 1.0, None, 20, 0.90),
    ],
    ids=["mostly 5 of 5", "beta", "exponential"],
)
def test_the_interval_holds_the_truth_about_as_often_as_it_says(
    draw: "object", truth: float, high: float | None, cases: int, least: float
) -> None:
    random = np.random.default_rng(2)
    assert callable(draw)
    held = 0
    for _ in range(600):
        figure = mean_score([[value] for value in draw(random, cases).tolist()], 1.0 if high == 5 else 0.0, high)
        held += figure.low is not None and figure.high is not None and figure.low <= truth <= figure.high
    assert least < held / 600 < 0.985
