"""The corrected rate against Rogan and Gladen's formula, and what it does where labels are few."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trialkit.stats import LabelledTrial, corrected_rate, labels_needed
from trialkit.stats.corrected import JudgedCase
from trialkit.stats.rate import wilson

cells = st.tuples(*[st.integers(1, 60)] * 4)


def labels(both_pass: int, missed: int, let_through: int, both_fail: int) -> list[LabelledTrial]:
    found = [(True, True)] * both_pass + [(True, False)] * missed
    return found + [(False, True)] * let_through + [(False, False)] * both_fail


def singles(passed: int, failed: int, found: Sequence[LabelledTrial] = ()) -> list[JudgedCase]:
    """Cases of one trial each: so many that the judge passed and failed, the labelled ones among them."""
    of_passes, of_fails = ([pair for pair in found if pair[1] is judge] for judge in (True, False))
    cases: list[JudgedCase] = [([judge], [(human, judge)]) for human, judge in found]
    cases += [([True], [])] * (passed - len(of_passes))
    return cases + [([False], [])] * (failed - len(of_fails))


@given(cells, st.integers(0, 300), st.integers(0, 300))
@settings(max_examples=60, deadline=None)
def test_it_is_rogan_and_gladens_at_the_likeliest_tpr_and_tnr(
    counts: tuple[int, int, int, int], passed: int, failed: int
) -> None:
    both_pass, missed, let_through, both_fail = counts
    passed, failed = passed + both_pass + let_through, failed + missed + both_fail
    figure = corrected_rate(singles(passed, failed, labels(*counts)))
    q = passed / (passed + failed)
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
    figure = corrected_rate(singles(45, 55, labels(40, 10, 5, 45)))
    assert figure.value == pytest.approx(0.5)
    assert (figure.low, figure.high) == pytest.approx(wilson(50, 100), abs=0.01)


def test_a_perfect_judge_on_few_labels_leaves_room() -> None:
    figure = corrected_rate(singles(700, 300, labels(14, 0, 0, 6)))
    assert figure.value == pytest.approx(0.7)
    assert figure.low is not None
    assert figure.high is not None
    assert figure.low < 0.65
    assert figure.high > 0.74


def test_a_verdict_without_a_label_leaves_the_rate_open() -> None:
    figure = corrected_rate(singles(50, 50, labels(0, 2, 0, 8)))
    assert figure.value is None
    assert figure.low is not None
    assert figure.high is not None
    assert figure.high - figure.low > 0.4


def test_degenerate_inputs() -> None:
    assert corrected_rate([]).value is None
    assert corrected_rate([([True], [])]).low is None
    assert labels_needed([], 0.1) is None
    assert corrected_rate([([True], [(True, True)])]).value == 1


def test_as_many_labels_as_it_says_narrow_the_interval_as_promised() -> None:
    random = np.random.default_rng(3)
    truth = random.random(4000) < 0.6
    judge = np.where(random.random(4000) < 0.85, truth, ~truth)
    passed = int(judge.sum())
    few = [(bool(h), bool(j)) for h, j in zip(truth[:30], judge[:30], strict=True)]
    needed = labels_needed(singles(passed, 4000 - passed, few), 0.05)
    assert needed is not None
    assert needed.judge_passed
    assert needed.judge_failed
    more = few.copy()
    for verdict, count in ((True, needed.judge_passed), (False, needed.judge_failed)):
        places = [place for place in range(30, 4000) if judge[place] == verdict][:count]
        more += [(bool(truth[place]), bool(judge[place])) for place in places]
    figure = corrected_rate(singles(passed, 4000 - passed, more))
    assert figure.low is not None
    assert figure.high is not None
    assert figure.high - figure.low == pytest.approx(0.1, abs=0.02)


def test_a_small_run_cannot_be_known_better_by_labels() -> None:
    needed = labels_needed(singles(6, 4, labels(5, 0, 1, 4)), 0.05)
    assert needed is not None
    assert needed.judge_passed is None


def test_labels_are_asked_for_only_where_there_are_trials_to_label() -> None:
    always = labels_needed(singles(500, 0, labels(20, 0, 4, 0)), 0.1)
    assert always is not None
    assert always.judge_passed
    assert always.judge_failed == 0  # it never fails anything
    used_up = labels_needed(singles(30, 0, labels(20, 0, 4, 0)), 0.05)
    assert used_up is not None
    assert used_up.judge_passed is None


def test_several_trials_of_a_case_do_not_make_the_interval_too_sure_of_itself() -> None:
    """Cases that happen to be easy raise the judge's rate and the labels' at once: 0.90 if that were overlooked."""
    random = np.random.default_rng(12)
    held, repeats = 0, 400
    for _ in range(repeats):
        human = random.random((60, 8)) < random.beta(0.5, 0.5, size=(60, 1))
        judge = np.where(human, random.random(human.shape) < 0.9, random.random(human.shape) > 0.8)
        labelled = random.random(human.shape) < 0.5
        cases: list[JudgedCase] = [
            (judge[n].tolist(), list(zip(human[n][labelled[n]].tolist(), judge[n][labelled[n]].tolist(), strict=True)))
            for n in range(60)
        ]
        figure = corrected_rate(cases)
        held += (figure.low or 0.0) <= 0.5 <= (figure.high or 0.0)
    assert held / repeats > 0.925
