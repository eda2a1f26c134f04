"""Parts of the variance against an analysis of variance, and against what made the numbers."""

import numpy as np
import pytest

from tests.stats import late
from trialkit.stats import Tried, user_variance, variance_of
from trialkit.stats.variance import Subject

Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def subject(values: Array) -> Subject:
    return {str(number): Tried(values=row) for number, row in enumerate(values.tolist())}


def test_the_part_between_cases_is_that_of_an_analysis_of_variance() -> None:
    """The intraclass correlation from the F statistic of the cases."""
    random = np.random.default_rng(3)
    values = random.normal(size=(30, 1)) + random.normal(size=(30, 4))
    f = late.scipy_stats.f_oneway(*values).statistic
    found = variance_of([subject(values)])
    assert found.alike.value == pytest.approx((f - 1) / (f + 3))
    assert found.rest.value == pytest.approx(4 / (f + 3))
    assert (found.alike.n, found.shared.value, found.judge.value) == (30, None, None)


def test_the_intervals_hold_what_made_the_numbers() -> None:
    """80 simulations: in at most 9 of them an interval of 95% misses, but for one chance in 100."""
    random = np.random.default_rng(7)
    alike, shared = 0.4, 0.5
    held = np.zeros(2)
    for _ in range(80):
        cases = random.multivariate_normal([0, 0], [[alike, shared * alike], [shared * alike, alike]], size=40)
        runs = cases.T[:, :, None] + np.sqrt(1 - alike) * random.normal(size=(2, 40, 3))
        found = variance_of([subject(run) for run in runs])
        for place, (figure, truth) in enumerate(((found.alike, alike), (found.shared, shared))):
            assert figure.low is not None
            assert figure.high is not None
            held[place] += figure.low <= truth <= figure.high
    assert held.min() >= 71


def test_the_part_of_the_user_is_that_of_an_analysis_of_variance() -> None:
    """Of cases, users and what the two do together, each user being as hard on all cases, or not."""
    random = np.random.default_rng(4)
    cases, users, trials = 30, 3, 4
    values = (
        random.normal(size=(cases, 1, 1)) + random.normal(size=(1, users, 1)) + random.normal(size=(cases, users, 1))
    )
    values = values + random.normal(size=(cases, users, trials))
    place = np.indices(values.shape).reshape(3, -1)
    table = late.pandas.DataFrame({"worth": values.ravel(), "case": place[0], "user": place[1]})
    squares = late.anova.anova_lm(late.formula.ols("worth ~ C(case) * C(user)", table).fit())["mean_sq"]
    rest, both = squares["Residual"], (squares["C(case):C(user)"] - squares["Residual"]) / trials
    case = (squares["C(case)"] - squares["C(case):C(user)"]) / (users * trials)
    user = (squares["C(user)"] - squares["C(case):C(user)"]) / (cases * trials)
    whole = rest + both + case + user
    found = user_variance([subject(values[:, number]) for number in range(users)])
    assert (found.alike.value, found.user.value, found.rest.value) == pytest.approx(
        (case / whole, (user + both) / whole, rest / whole)
    )
    assert 0 < (found.user.low or 0) < (found.user.value or 0) < (found.user.high or 0) < 1


def test_without_repeats_or_a_common_case_nothing_tells_of_users() -> None:
    once = subject(np.array([[0.0], [1.0], [1.0], [0.0]]))
    assert user_variance([once, once]).user.value is None
    assert user_variance([once, {"other": Tried(values=[1.0, 0.0])}]).user.n == 0
    never = subject(np.ones((4, 2)))
    assert user_variance([never, never]).user.value is None


def test_cases_are_paired_by_name_however_many_each_has() -> None:
    one = {"a": Tried(values=[1.0, 1.0]), "b": Tried(values=[0.0, 0.0]), "c": Tried(values=[0.0, 1.0])}
    other = {"c": Tried(values=[0.0]), "b": Tried(values=[0.0]), "a": Tried(values=[1.0]), "d": Tried(values=[])}
    assert variance_of([one, other], 0, 1).shared.value == 1.0
    assert variance_of([one, {"e": Tried(values=[1.0])}], 0, 1).shared.value is None


def test_one_trial_of_each_case_tells_nothing_of_cases() -> None:
    found = variance_of([subject(np.array([[0.0], [1.0], [1.0], [0.0]]))], 0, 1)
    assert found.deviation.value == pytest.approx((1 / 3) ** 0.5)
    assert (found.alike.value, found.alike.n, found.rest.value) == (None, 0, None)


def test_trials_that_never_differ_do_not_prove_that_none_would() -> None:
    found = variance_of([subject(np.array([[1.0, 1.0]] * 5 + [[0.0, 0.0]] * 5))], 0, 1).alike
    assert found.value == 1.0
    assert found.low == pytest.approx(10 / (10 + 1.96**2), abs=1e-3)
    assert variance_of([subject(np.ones((10, 2)))], 0, 1).alike.value is None


def test_without_the_one_case_that_differs_there_is_no_variance_to_be_split() -> None:
    found = variance_of([subject(np.array([[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]))], 0, 1).alike
    assert (found.value, found.low, found.high) == (1.0, 0.0, 1.0)


def test_the_judges_part_is_half_of_what_it_contradicts_itself() -> None:
    """Two of eight answers are judged both ways, which is a variance of 0.5 each, of one of 0.25 in all."""
    said = [[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]
    cases = {str(n): Tried(values=[one[0] for one in said], judged=said) for n in range(2)}
    found = variance_of([cases, {"0": Tried(values=[1.0])}], 0, 1)
    assert found.deviation.value is not None
    assert found.judge.value == pytest.approx(0.125 / found.deviation.value**2)
    assert found.judge.n == 8
    never = variance_of([{str(n): Tried(values=[n % 2], judged=[[n % 2] * 2]) for n in range(20)}], 0, 1).judge
    assert never.value == 0.0
    assert never.high is not None
    assert 0.1 < never.high < 0.5
