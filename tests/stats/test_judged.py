"""Judges against people: scikit-learn, closed forms, Rogan and Gladen; and how often the intervals hold the truth."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.stats import late
from trialkit.stats import Figure, JudgedTrial, judge_figures, labels_needed
from trialkit.stats.judged import JudgedCase
from trialkit.stats.rate import wilson

cells = st.tuples(*[st.integers(1, 60)] * 4)
trials = st.builds(JudgedTrial, st.booleans(), st.sampled_from([None, 0, 0.5, 1]), st.sampled_from(["a", "b"]))
Labelled = tuple[bool, bool]  # people, judge


def labels(both_pass: int, missed: int, let_through: int, both_fail: int) -> list[Labelled]:
    found = [(True, True)] * both_pass + [(True, False)] * missed
    return found + [(False, True)] * let_through + [(False, False)] * both_fail


def singles(passed: int, failed: int, found: Sequence[Labelled] = ()) -> list[JudgedCase]:
    """Cases of one trial each: so many that the judge passed and failed, the labelled ones among them."""
    of_passes, of_fails = ([pair for pair in found if pair[1] is judge] for judge in (True, False))
    cases: list[JudgedCase] = [[JudgedTrial(judge, human)] for human, judge in found]
    cases += [[JudgedTrial(True)]] * (passed - len(of_passes))
    return cases + [[JudgedTrial(False)]] * (failed - len(of_fails))


def all_labelled(*counts: int) -> list[JudgedCase]:
    return singles(0, 0, labels(*counts))


def corrected(cases: Sequence[JudgedCase]) -> Figure:
    return judge_figures(cases).corrected_pass_rate


def ends(figure: Figure) -> tuple[float, float]:
    assert figure.low is not None
    assert figure.high is not None
    assert figure.value is None or figure.low <= figure.value <= figure.high
    return figure.low, figure.high


@given(st.lists(st.lists(trials, min_size=1, max_size=4), min_size=1, max_size=30))
def test_figures_are_scikit_learns_of_weighted_labels(cases: list[list[JudgedTrial]]) -> None:
    """Each labelled trial stands for the trials of its kind; one with a split stands half on both sides."""
    found = judge_figures(cases)
    rows: list[tuple[bool, bool, float]] = []
    kinds = {trial[::2] for case in cases for trial in case}
    for kind in kinds:
        here = [(trial, 1 / len(case)) for case in cases for trial in case if trial[::2] == kind]
        seen = [(trial, weight) for trial, weight in here if trial.human is not None]
        scale = sum(weight for _, weight in here) / (sum(weight for _, weight in seen) or 1)
        for trial, weight in seen:
            human = trial.human or 0.0
            rows += [(True, trial.judge, weight * scale * human), (False, trial.judge, weight * scale * (1 - human))]
    everything = {trial[::2] for case in cases for trial in case if trial.human is not None} == kinds
    if not rows or not everything:
        assert found.kappa.value is None
        assert found.tpr.value is None
        return
    people, judge, weights = zip(*rows, strict=True)
    (tn, fp), (fn, tp) = late.metrics.confusion_matrix(people, judge, sample_weight=weights, labels=[False, True])
    whole = tp + tn + fp + fn
    expected = {"agreement": (tp + tn, whole), "corrected_pass_rate": (tp + fn, whole)}
    expected |= {"tpr": (tp, tp + fn), "tnr": (tn, tn + fp)}
    for name, (part, of) in expected.items():
        figure = getattr(found, name)
        ends(figure)
        assert figure.value == (pytest.approx(part / of) if of > 1e-9 else None), name
    if {len(set(people)), len(set(judge))} == {2} and min(tp + fn, tn + fp) > 1e-9:
        assert found.kappa.value == pytest.approx(late.metrics.cohen_kappa_score(people, judge, sample_weight=weights))
        ends(found.kappa)


@given(cells, st.integers(0, 300), st.integers(0, 300))
def test_the_corrected_rate_is_rogan_and_gladens_at_the_likeliest_tpr_and_tnr(
    counts: tuple[int, int, int, int], passed: int, failed: int
) -> None:
    both_pass, missed, let_through, both_fail = counts
    passed, failed = passed + both_pass + let_through, failed + missed + both_fail
    found = judge_figures(singles(passed, failed, labels(*counts)))
    q = passed / (passed + failed)
    of_passes, of_fails = both_pass / (both_pass + let_through), missed / (missed + both_fail)
    human = q * of_passes + (1 - q) * of_fails
    tpr, tnr = q * of_passes / human, (1 - q) * (1 - of_fails) / (1 - human)
    assert found.corrected_pass_rate.value == pytest.approx(human)
    assert found.tpr.value == pytest.approx(tpr)
    assert found.tnr.value == pytest.approx(tnr)
    if abs(tpr + tnr - 1) > 1e-6:
        assert human == pytest.approx((q + tnr - 1) / (tpr + tnr - 1))


@pytest.mark.parametrize("table", [(400, 60, 50, 300), (150, 30, 40, 280), (90, 80, 70, 95)])
def test_kappas_interval_is_the_asymptotic_one_where_that_is_right(table: tuple[int, int, int, int]) -> None:
    theirs = late.inter_rater.cohens_kappa(np.array(table).reshape(2, 2))
    figure = judge_figures(all_labelled(*table)).kappa
    assert ends(figure) == pytest.approx((theirs.kappa_low, theirs.kappa_upp), abs=0.01)


def test_few_labels_that_all_agree_prove_little() -> None:
    figure = judge_figures(all_labelled(6, 0, 0, 4)).kappa
    assert figure.value == 1
    assert ends(figure)[0] < 0.7


def test_trials_of_one_case_count_for_less_than_as_many_cases() -> None:
    apart = all_labelled(28, 12, 0, 20)
    together = [[case[0]] * 4 for case in apart[::4]]
    one, other = judge_figures(apart), judge_figures(together)
    assert one.kappa.value == pytest.approx(other.kappa.value)
    assert ends(other.kappa)[0] < ends(one.kappa)[0] - 0.1


def test_a_case_counts_the_same_however_many_of_its_trials_have_a_verdict() -> None:
    cases = [[JudgedTrial(True, 1)] * 9, [JudgedTrial(True, 0)]]
    assert corrected(cases).value == pytest.approx(0.5)


def test_labels_on_what_the_judge_failed_alone_tell_no_rate() -> None:
    """A judge with a TPR of 0.9: of these labels all that people pass are its mistakes, and 0% was read."""
    found = judge_figures(singles(90, 40, labels(0, 10, 0, 30)))
    assert (found.tpr.value, found.tnr.value, found.agreement.value, found.kappa.value) == (None,) * 4
    low, high = ends(found.tpr)
    assert low < 0.1
    assert high > 0.9


@pytest.mark.parametrize(("rate", "judge", "count"), [(0.9, (0.9, 0.8), 30), (0.5, (0.99, 0.99), 20)])
def test_labels_drawn_by_verdict_are_weighed_and_intervals_hold_the_truth(
    rate: float, judge: tuple[float, float], count: int
) -> None:
    """Half of the judge's passes, half of its fails. Unweighed a TPR of 0.9 reads 0.65, and 4% hold it."""
    random, (tpr, tnr), repeats = np.random.default_rng(6), judge, 150
    judged = rate * tpr + (1 - rate) * (1 - tnr)
    agreed, chance = rate * tpr + (1 - rate) * tnr, rate * judged + (1 - rate) * (1 - judged)
    truth = {"tpr": tpr, "tnr": tnr, "agreement": agreed, "kappa": (agreed - chance) / (1 - chance)}
    held, read = dict.fromkeys(truth, 0), []
    for _ in range(repeats):
        human = random.random(200) < rate
        verdict = np.where(human, random.random(200) < tpr, random.random(200) > tnr)
        chosen = {*np.flatnonzero(verdict)[: count // 2].tolist(), *np.flatnonzero(~verdict)[: count // 2].tolist()}
        people = [float(one) if place in chosen else None for place, one in enumerate(human)]
        found = judge_figures([[JudgedTrial(bool(one), said)] for one, said in zip(verdict, people, strict=True)])
        read.append(found.tpr.value or 0.0)
        for name, value in truth.items():
            low, high = ends(getattr(found, name))
            held[name] += low <= value <= high
    assert np.mean(read) == pytest.approx(tpr, abs=0.02)
    assert min(held.values()) / repeats > 0.92


def test_labels_drawn_by_another_judges_verdict_are_weighed_by_both() -> None:
    """Drawn half by what one judge passed and failed, they bend the rates of a second judge if only its own verdict is
    looked at.
    """
    random = np.random.default_rng(4)
    human = random.random(20_000) < 0.8
    first, second = (np.where(random.random(human.shape) < 0.8, human, ~human) for _ in range(2))
    chosen = {*np.flatnonzero(first)[:2000].tolist(), *np.flatnonzero(~first)[:2000].tolist()}
    people = [float(one) if place in chosen else None for place, one in enumerate(human)]

    def tpr(strata: Sequence[str]) -> float:
        rows = zip(second, people, strata, strict=True)
        return judge_figures([[JudgedTrial(bool(one), said, where)] for one, said, where in rows]).tpr.value or 0.0

    assert tpr([str(one) for one in first]) == pytest.approx(0.8, abs=0.02)
    assert tpr([""] * len(first)) > 0.82


def test_where_everything_is_labelled_it_is_the_labels_rate() -> None:
    figure = corrected(singles(45, 55, labels(40, 10, 5, 45)))
    assert figure.value == pytest.approx(0.5)
    assert (figure.low, figure.high) == pytest.approx(wilson(50, 100), abs=0.01)


def test_a_perfect_judge_on_few_labels_leaves_room() -> None:
    figure = corrected(singles(700, 300, labels(14, 0, 0, 6)))
    assert figure.value == pytest.approx(0.7)
    assert figure.low is not None
    assert figure.high is not None
    assert figure.low < 0.65
    assert figure.high > 0.74


def test_a_verdict_without_a_label_leaves_the_rate_open() -> None:
    figure = corrected(singles(50, 50, labels(0, 2, 0, 8)))
    assert figure.value is None
    assert figure.low is not None
    assert figure.high is not None
    assert figure.high - figure.low > 0.4


def test_degenerate_inputs() -> None:
    assert corrected([]).value is None
    assert corrected([[JudgedTrial(True)]]).low is None
    assert labels_needed([], 0.1) is None
    assert corrected([[JudgedTrial(True, True)]]).value == 1
    never = judge_figures([[JudgedTrial(True, False)]] * 12)
    assert (never.tpr.value, never.tnr.value, never.kappa.value) == (None, 0, 0)


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
    figure = corrected(singles(passed, 4000 - passed, more))
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
    held, repeats = 0, 250
    for _ in range(repeats):
        human = random.random((60, 8)) < random.beta(0.5, 0.5, size=(60, 1))
        judge = np.where(human, random.random(human.shape) < 0.9, random.random(human.shape) > 0.8)
        labelled = np.where(random.random(human.shape) < 0.5, human, np.nan).tolist()
        cases = [
            [JudgedTrial(verdict, None if said != said else said) for verdict, said in zip(*row, strict=True)]  # noqa: PLR0124
            for row in zip(judge.tolist(), labelled, strict=True)
        ]
        figure = corrected(cases)
        held += (figure.low or 0.0) <= 0.5 <= (figure.high or 0.0)
    assert held / repeats > 0.925
