"""A judge's scores against people's: scipy, closed forms, and how often the intervals hold the truth."""

import numpy as np
import pytest

from tests.stats import late
from trialkit.stats import Figure, mean_score, score_figures


def ends(figure: Figure) -> tuple[float, float]:
    assert figure.low is not None
    assert figure.high is not None
    assert figure.value is not None
    assert figure.low <= figure.value <= figure.high
    return figure.low, figure.high


def test_the_correlation_is_pearsons_and_its_interval_fishers_where_that_is_right() -> None:
    random = np.random.default_rng(1)
    people = random.normal(size=300)
    judge = 0.6 * people + 0.8 * random.normal(size=300)
    found = score_figures([[(one, other)] for one, other in zip(judge, people, strict=True)])
    theirs = late.scipy_stats.pearsonr(judge, people)
    assert found.correlation.value == pytest.approx(theirs.statistic)
    assert ends(found.correlation) == pytest.approx(tuple(theirs.confidence_interval()), abs=0.02)


def test_where_all_is_labelled_the_corrected_mean_is_peoples() -> None:
    random = np.random.default_rng(2)
    people = random.normal(3, 1, size=(40, 2))
    judge = people + random.normal(0.5, 0.3, size=(40, 2))
    rows = [list(zip(*case, strict=True)) for case in zip(judge.tolist(), people.tolist(), strict=True)]
    found = score_figures(rows)
    theirs = mean_score(people.tolist())
    assert found.corrected_mean.value == pytest.approx(theirs.value)
    assert ends(found.corrected_mean) == pytest.approx(ends(theirs))
    assert found.difference.value == pytest.approx(float((judge - people).mean()))


@pytest.mark.parametrize("trials", [1, 4])
def test_intervals_hold_the_truth(trials: int) -> None:
    """Scores from 1 to 5, most of them 5; a judge that is now and then a point lower. Fisher's interval alone: 0.87."""
    random, repeats = np.random.default_rng(3), 300

    def both(cases: int, trials: int) -> tuple["np.ndarray[tuple[int, int], np.dtype[np.float64]]", ...]:
        usual = np.where(random.random((cases, 1)) < 0.7, 5.0, random.integers(1, 5, (cases, 1)))
        people = np.clip(usual + random.choice([-1, 0, 0, 0, 0], (cases, trials)), 1, 5)
        return people, np.clip(people + random.choice([-1, 0, 0, 0, 0], (cases, trials)), 1, 5)

    people, judge = both(400_000, 1)
    truths = {
        "difference": (judge - people).mean(),
        "correlation": np.corrcoef(judge[:, 0], people[:, 0])[0, 1],
        "corrected_mean": people.mean(),
    }
    held = dict.fromkeys(truths, 0)
    for _ in range(repeats):
        people, judge = both(160 // trials, trials)
        seen = random.permutation(160).reshape(people.shape) < 60
        rows = zip(judge.tolist(), np.where(seen, people, np.nan).tolist(), strict=True)
        told = [[(j, None if h != h else h) for j, h in zip(*row, strict=True)] for row in rows]  # noqa: PLR0124 - no number
        found = score_figures(told, 1, 5)
        for name, truth in truths.items():
            low, high = ends(getattr(found, name))
            held[name] += low <= truth <= high
    assert min(held.values()) / repeats > 0.92, held


@pytest.mark.parametrize("unit", [1e-7, 1e9, 1e100])
def test_the_correlation_has_no_unit(unit: float) -> None:
    people = [1.0, 2.0, 4.0, 3.0, 5.0]
    found = score_figures([[(unit * (2 * one + place % 2), unit * one)] for place, one in enumerate(people)])
    theirs = np.corrcoef([2 * one + place % 2 for place, one in enumerate(people)], people)[0, 1]
    assert found.correlation.value == pytest.approx(theirs)


def test_a_corrected_mean_stays_within_the_range() -> None:
    """Where the judge is too high by more than its mean over the run: by 2, 4 and 3 seconds of 2."""
    rows: list[list[tuple[float, float | None]]] = [[(9.0, 7.0)], [(7.0, 3.0)], [(8.0, 5.0)]]
    rows += [[(0.0, None)] for _ in range(9)]
    found = score_figures(rows, 0).corrected_mean
    assert (found.value, found.low) == (0, 0)
    assert found.high is not None
    assert 0 < found.high < 10
    one = score_figures([[(1.0, 5.0)], [(5.0, None)]], 1, 5).corrected_mean
    assert (one.value, one.low, one.high) == (5, 1, 5)


def test_degenerate_inputs() -> None:
    none = score_figures([[(3.0, None)]], 1, 5)
    assert (none.difference.value, none.correlation.value, none.corrected_mean.value) == (None, None, None)
    one = score_figures([[(3.0, 2.0)]], 1, 5)
    assert (one.difference.value, one.correlation.value, one.corrected_mean.value) == (1, None, 2)
    same = score_figures([[(float(n), float(n))] for n in range(1, 6)], 1, 5)
    assert same.correlation.value == pytest.approx(1)
    assert ends(same.correlation)[0] < 0.9
    assert ends(same.corrected_mean)[0] < 3 < ends(same.corrected_mean)[1]
