"""The corrected rate against Rogan and Gladen's formula, and what it does where labels are few."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trialkit.stats import corrected_rate, labels_needed, wilson

cells = st.tuples(*[st.integers(1, 60)] * 4)


def labels(both_pass: int, missed: int, let_through: int, both_fail: int) -> list[list[tuple[bool, bool]]]:
    found = [(True, True)] * both_pass + [(True, False)] * missed
    found += [(False, True)] * let_through + [(False, False)] * both_fail
    return [[pair] for pair in found]


@given(cells, st.integers(0, 300), st.integers(0, 300))
@settings(max_examples=60, deadline=None)
def test_it_is_rogan_and_gladens_at_the_likeliest_tpr_and_tnr(
    counts: tuple[int, int, int, int], passed: int, failed: int
) -> None:
    both_pass, missed, let_through, both_fail = counts
    verdicts = [[True]] * (passed + both_pass + let_through) + [[False]] * (failed + missed + both_fail)
    figure = corrected_rate(verdicts, labels(*counts))
    q = (passed + both_pass + let_through) / len(verdicts)
    of_passes, of_fails = both_pass / (both_pass + let_through), missed / (missed + both_fail)
    human = q * of_passes + (1 - q) * of_fails
    tpr, tnr = q * of_passes / human, (1 - q) * (1 - of_fails) / (1 - human)
    assert figure.value == pytest.approx(human)
    assert figure.low is not None
    assert figure.high is not None
    assert 0 <= figure.low <= human <= figure.high <= 1
    if abs(tpr + tnr - 1) > 1e-6:
        assert figure.value == pytest.approx((q + tnr - 1) / (tpr + tnr - 1))


def test_where_everything_is_labelled_it_is_the_labels_rate() -> None:
    found = labels(40, 10, 5, 45)
    figure = corrected_rate([[judge] for ((_, judge),) in found], found)
    assert figure.value == pytest.approx(0.5)
    assert (figure.low, figure.high) == pytest.approx(wilson(50, 100), abs=0.01)


def test_a_perfect_judge_on_few_labels_leaves_room() -> None:
    figure = corrected_rate([[True]] * 700 + [[False]] * 300, labels(14, 0, 0, 6))
    assert figure.value == pytest.approx(0.7)
    assert figure.low is not None
    assert figure.high is not None
    assert figure.low < 0.65
    assert figure.high > 0.74


def test_a_verdict_without_a_label_leaves_the_rate_open() -> None:
    figure = corrected_rate([[True]] * 50 + [[False]] * 50, labels(0, 2, 0, 8))
    assert figure.value is None
    assert figure.low is not None
    assert figure.high is not None
    assert figure.high - figure.low > 0.4


def test_degenerate_inputs() -> None:
    assert corrected_rate([], []).value is None
    assert corrected_rate([[True]], []).low is None
    assert labels_needed([], [], 0.1) is None
    assert corrected_rate([[True]], [[(True, True)]]).value == 1


def test_as_many_labels_as_it_says_narrow_the_interval_as_promised() -> None:
    random = np.random.default_rng(3)
    truth = random.random(4000) < 0.6
    judge = np.where(random.random(4000) < 0.85, truth, ~truth)
    verdicts = [[bool(one)] for one in judge]
    few = [[(bool(h), bool(j))] for h, j in zip(truth[:30], judge[:30], strict=True)]
    needed = labels_needed(verdicts, few, 0.05)
    assert needed is not None
    assert needed.of_passes
    assert needed.of_fails
    more = few.copy()
    for verdict, count in ((True, needed.of_passes), (False, needed.of_fails)):
        places = [place for place in range(30, 4000) if judge[place] == verdict][:count]
        more += [[(bool(truth[place]), bool(judge[place]))] for place in places]
    figure = corrected_rate(verdicts, more)
    assert figure.low is not None
    assert figure.high is not None
    assert figure.high - figure.low == pytest.approx(0.1, abs=0.02)


def test_a_small_run_cannot_be_known_better_by_labels() -> None:
    needed = labels_needed([[True]] * 6 + [[False]] * 4, labels(5, 0, 1, 4), 0.05)
    assert needed is not None
    assert needed.of_passes is None


def test_labels_are_asked_for_only_where_there_are_trials_to_label() -> None:
    always = labels_needed([[True]] * 500, labels(20, 0, 4, 0), 0.1)
    assert always is not None
    assert always.of_passes
    assert always.of_fails == 0  # it never fails anything
    used_up = labels_needed([[True]] * 30, labels(20, 0, 4, 0), 0.05)
    assert used_up is not None
    assert used_up.of_passes is None
