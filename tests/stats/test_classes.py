"""Figures of classes against scikit-learn and statsmodels, and how often their intervals hold the truth."""

import random

import pytest

from tests.stats import late
from trialkit.stats import Classified, class_figures, pass_rate

NAMES = ("a", "b", "c")


def drawn(rng: random.Random, cases: int, trials: int, errs: float) -> list[Classified]:
    found = []
    for _ in range(cases):
        truth = rng.choice(NAMES)
        said = [rng.choice([*NAMES, None]) if rng.random() < errs else truth for _ in range(trials)]
        found.append(Classified(truth, said))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_with_one_trial_of_each_case_they_are_scikit_learns(seed: int) -> None:
    cases = drawn(random.Random(seed), 60, 1, 0.4)
    truth, said = [case.truth for case in cases], [case.said[0] or "none" for case in cases]
    precision, recall, _, support = late.metrics.precision_recall_fscore_support(
        truth, said, labels=NAMES, zero_division=0
    )
    for place, found in enumerate(class_figures(cases, NAMES)):
        assert found.cases == support[place]
        assert found.recall.value == pytest.approx(recall[place])
        assert found.precision.value == pytest.approx(precision[place])
        right = sum(one == other == found.name for one, other in zip(truth, said, strict=True))
        wilson = late.proportion.proportion_confint(right, said.count(found.name), method="wilson")
        assert (found.precision.low, found.precision.high) == pytest.approx(wilson)


def test_a_case_counts_the_same_however_many_trials_it_has() -> None:
    cases = [Classified("a", ["a"] * 9), Classified("b", ["a"]), Classified("a", [None, None]), Classified("b", [])]
    first, second, third = class_figures(cases, NAMES)
    assert (first.cases, first.precision.value, first.precision.n) == (2, 0.5, 10)
    assert (first.recall.value, first.recall.n) == (0.5, 11)
    assert (second.cases, second.precision.value, second.recall.value) == (1, None, 0)
    assert (third.precision.n, third.recall.value, third.recall.low) == (0, None, None)


def test_trials_of_one_case_are_never_independent() -> None:
    """What is said 30 times of the same case tells of precision no more than what is said once."""
    once, often = (class_figures([Classified("a", ["a"] * n), Classified("b", ["a"] * n)], NAMES) for n in (1, 30))
    assert (once[0].precision.low, once[0].precision.high) == (often[0].precision.low, often[0].precision.high)


def test_recall_is_the_pass_rate_of_the_classs_cases() -> None:
    cases = drawn(random.Random(7), 40, 3, 0.3)
    own = [[said == "b" for said in case.said] for case in cases if case.truth == "b"]
    assert class_figures(cases, NAMES)[1].recall == pass_rate(own)


@pytest.mark.parametrize(("cases", "trials"), [(30, 1), (60, 4)])
def test_intervals_of_precision_hold_the_truth(cases: int, trials: int) -> None:
    rng, errs, held = random.Random(3), 0.2, 0
    right, wrong = (1 - errs + errs / 4) / 3, 2 / 3 * errs / 4
    truth = right / (right + wrong)
    for _ in range(150):
        found = class_figures(drawn(rng, cases, trials, errs), NAMES)[0].precision
        assert found.low is not None
        assert found.high is not None
        held += found.low <= truth <= found.high
    assert held / 150 > 0.9
