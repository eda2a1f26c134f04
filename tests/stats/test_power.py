"""Power against simulation, and sizes against power."""

from dataclasses import replace

import numpy as np
import pytest

from tests.stats import late
from trialkit.stats import (
    Design,
    cases_needed,
    detectable,
    floor,
    score_difference,
    trials_needed,
)
from trialkit.stats.compare import paired_difference
from trialkit.stats.power import power


@pytest.mark.parametrize(
    ("design", "difference"),
    [
        (Design(cases=60, trials=1, rate=0.5, alike=0.0), 0.25),
        (Design(cases=60, trials=1, rate=0.4, alike=0.5, shared=1.0), 0.2),
        (Design(cases=60, trials=4, rate=0.6, alike=0.4, shared=0.2), -0.17),
        (Design(cases=20, trials=4, rate=0.6, alike=0.4, shared=0.6), -0.25),
    ],
)
def test_power_is_what_simulation_shows(design: Design, difference: float) -> None:
    random = np.random.default_rng(8)
    repeats = 400 if design.trials == 1 else 150  # whose bootstraps take long
    rejected = sum(paired_difference(_simulated(random, design, difference)).significant for _ in range(repeats))
    assert rejected / repeats == pytest.approx(power(design, difference), abs=0.05)


def _simulated(random: np.random.Generator, design: Design, difference: float) -> list[tuple[list[bool], list[bool]]]:
    """Half of the cases are harder than the rest, by as much as makes the trials of a case so much alike; for the other
    subject it is as many of the same cases as makes difficulties correlate so much.
    """
    easier = np.where(random.random(design.cases) < 0.5, 1, -1)
    same = np.where(random.random(design.cases) < (1 + design.shared) / 2, 1, -1)
    found = []
    for rate, signs in ((design.rate, easier), (design.rate + difference, easier * same)):
        chances = rate + signs * np.sqrt(design.alike * rate * (1 - rate))
        found.append((random.random((design.cases, design.trials)) < chances[:, None]).tolist())
    return list(zip(found[0], found[1], strict=True))


@pytest.mark.parametrize("cases", [10, 50, 115, 500])
@pytest.mark.parametrize("trials", [1, 4])
def test_the_detectable_difference_has_80_percent_power(cases: int, trials: int) -> None:
    design = Design(cases=cases, trials=trials)
    found = detectable(design)
    if found is None:
        assert power(design, 0.5) < 0.8
    else:
        assert power(design, found) == pytest.approx(0.8, abs=0.01)


def test_many_cases_is_the_two_sample_formula() -> None:
    """Independent trials of as many cases: the paired test has no more power than an unpaired one."""
    design = Design(cases=2000, trials=1, rate=0.5, alike=0.0)
    effect = (0.55 - 0.5) / np.sqrt((0.25 + 0.55 * 0.45) / 2)
    theirs = late.power.NormalIndPower().power(effect, 2000, 0.05)
    assert power(design, 0.05) == pytest.approx(theirs, abs=0.01)


def test_the_sizes_needed_are_the_smallest_that_do() -> None:
    design = Design(cases=115, trials=1, rate=0.6, shared=0.9)
    trials = trials_needed(design, 0.05)
    assert trials is not None
    assert power(replace(design, trials=trials), -0.05) >= 0.8
    assert power(replace(design, trials=trials - 1), -0.05) < 0.8
    cases = cases_needed(design, 0.05)
    assert cases is not None
    assert power(replace(design, cases=cases), -0.05) >= 0.8


def test_what_is_not_shared_no_number_of_trials_beats() -> None:
    """The audit of these figures had 8.6 and 5.4 points from its simulation."""
    design = Design(cases=115, trials=4, alike=0.45, shared=0.5)
    assert floor(design) == pytest.approx(0.087, abs=0.002)
    assert floor(replace(design, shared=0.8)) == pytest.approx(0.055, abs=0.002)
    assert trials_needed(design, 0.08) is None
    assert trials_needed(design, 0.09) is not None


def test_endless_judgings_leave_the_trials_own_variance() -> None:
    design = Design(cases=115, trials=4, deviation=1.0, alike=0.45, judge=0.2)
    without = replace(design, deviation=0.8**0.5, alike=0.45 / 0.8, judge=0.0)
    assert detectable(replace(design, judgings=10**9)) == pytest.approx(detectable(without))
    assert detectable(design) == pytest.approx(detectable(replace(design, judge=0.0)))


@pytest.mark.parametrize(
    ("trials", "alike", "shared", "difference"),
    [(1, 0.5, 1.0, 0.5), (4, 0.3, 1.0, 0.3), (4, 0.0, 1.0, -0.4), (4, 0.5, 0.4, 0.6)],
)
def test_the_power_of_scores_is_what_simulation_shows(
    trials: int, alike: float, shared: float, difference: float
) -> None:
    design = Design(cases=40, trials=trials, alike=alike, shared=shared, deviation=1.2)
    random = np.random.default_rng(5)
    rejected = 0
    for _ in range(400):
        one, other = random.normal(size=(2, 40, 1))
        pair = [
            (1.2 * (np.sqrt(alike) * quality + np.sqrt(1 - alike) * random.normal(size=(40, trials))) + gain).tolist()
            for quality, gain in ((one, 0.0), (shared * one + np.sqrt(1 - shared**2) * other, difference))
        ]
        rejected += score_difference(list(zip(*pair, strict=True))).significant
    assert rejected / 400 == pytest.approx(power(design, difference), abs=0.05)


def test_sizes_for_scores() -> None:
    design = Design(cases=50, trials=2, alike=0.2, shared=0.9, deviation=1.2)
    found = detectable(design)
    assert found is not None
    assert power(design, found) == pytest.approx(0.8, abs=1e-6)
    assert detectable(replace(design, room=found / 2)) is None
    trials, cases = trials_needed(design, found / 2), cases_needed(design, found / 2)
    assert trials is not None
    assert cases is not None
    assert power(replace(design, trials=trials), found / 2) >= 0.8
    assert power(replace(design, trials=trials - 1), found / 2) < 0.8
    assert power(replace(design, cases=cases), found / 2) >= 0.8
    assert detectable(Design(cases=1, trials=2, deviation=1.2)) is None
