"""Power against simulation, and sizes against power."""

import numpy as np
import pytest
from statsmodels.stats.power import NormalIndPower  # type: ignore[import-untyped]

from trialkit.stats import Design, cases_needed, detectable, pairs_to_exclude, score_difference, trials_needed
from trialkit.stats.compare import paired_difference
from trialkit.stats.power import power


@pytest.mark.parametrize(
    ("design", "difference"),
    [
        (Design(cases=60, trials=1, rate=0.5), 0.25),
        (Design(cases=60, trials=1, rate=0.4, between_cases=0.5), 0.2),
        (Design(cases=60, trials=4, rate=0.6), -0.12),
    ],
)
def test_power_is_what_simulation_shows(design: Design, difference: float) -> None:
    random = np.random.default_rng(8)
    rejected = 0
    repeats = 400
    for _ in range(repeats):
        pairs = _simulated(random, design, difference)
        rejected += paired_difference(pairs).significant
    assert rejected / repeats == pytest.approx(power(design, difference), abs=0.06)


def _simulated(random: np.random.Generator, design: Design, difference: float) -> list[tuple[list[bool], list[bool]]]:
    """Half of the cases are harder than the rest, by as much as makes the trials of a case so much alike."""
    easier = np.where(random.random(design.cases) < 0.5, 1, -1)
    found = []
    for rate in (design.rate, design.rate + difference):
        chances = rate + easier * np.sqrt(design.between_cases * rate * (1 - rate))
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
    design = Design(cases=2000, trials=1, rate=0.5)
    effect = (0.55 - 0.5) / np.sqrt((0.25 + 0.55 * 0.45) / 2)
    theirs = NormalIndPower().power(effect, 2000, 0.05)
    assert power(design, 0.05) == pytest.approx(theirs, abs=0.01)


def test_the_sizes_needed_are_the_smallest_that_do() -> None:
    design = Design(cases=115, trials=1, rate=0.6)
    trials = trials_needed(design, 0.05)
    assert trials is not None
    assert power(Design(cases=115, trials=trials, rate=0.6), -0.05) >= 0.8
    assert power(Design(cases=115, trials=trials - 1, rate=0.6), -0.05) < 0.8
    cases = cases_needed(design, 0.05)
    assert cases is not None
    assert power(Design(cases=cases, trials=1, rate=0.6), -0.05) >= 0.8


def test_sizes_that_cannot_be() -> None:
    assert detectable(Design(cases=1, trials=4)) is None
    assert detectable(Design(cases=0, trials=1)) is None
    assert trials_needed(Design(cases=1, trials=1), 0.1) is None
    assert pairs_to_exclude(0.05, 0.0) is None


def test_pairs_to_exclude_a_margin_is_the_closed_form() -> None:
    assert pairs_to_exclude(0.05, 0.5) == 785  # (1.96 + 0.8416)^2 * 0.25 / 0.0025


@pytest.mark.parametrize(("trials", "between_cases", "difference"), [(1, 0.5, 0.5), (4, 0.3, 0.3), (4, 0.0, -0.4)])
def test_the_power_of_scores_is_what_simulation_shows(trials: int, between_cases: float, difference: float) -> None:
    design = Design(cases=40, trials=trials, between_cases=between_cases, deviation=1.2)
    random = np.random.default_rng(5)
    rejected = 0
    for _ in range(400):
        quality = 1.2 * np.sqrt(between_cases) * random.normal(size=(40, 1))
        runs = [
            (quality + gain + 1.2 * np.sqrt(1 - between_cases) * random.normal(size=(40, trials))).tolist()
            for gain in (0, difference)
        ]
        rejected += score_difference(list(zip(*runs, strict=True))).significant
    assert rejected / 400 == pytest.approx(power(design, difference), abs=0.06)


def test_sizes_for_scores() -> None:
    design = Design(cases=50, trials=2, deviation=1.2)
    found = detectable(design)
    assert found is not None
    assert power(design, found) == pytest.approx(0.8, abs=1e-6)
    assert detectable(Design(cases=50, trials=2, deviation=1.2, room=found / 2)) is None
    trials, cases = trials_needed(design, found / 2), cases_needed(design, found / 2)
    assert trials is not None
    assert cases is not None
    assert power(Design(cases=50, trials=trials, deviation=1.2), found / 2) >= 0.8
    assert power(Design(cases=50, trials=trials - 1, deviation=1.2), found / 2) < 0.8
    assert power(Design(cases=cases, trials=2, deviation=1.2), found / 2) >= 0.8
    assert detectable(Design(cases=1, trials=2, deviation=1.2)) is None
