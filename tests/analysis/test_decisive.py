"""The search for the step that decided: what it tries, and what it finds."""

import random

import pytest

from trialkit.analysis.decisive import DecisiveStep, How, Outcomes, ToTry, most_probes, search
from trialkit.stats import chance, chance_difference


def searched(steps: int, chances: list[float], each: int, how: How, seed: int = 0) -> tuple[int | None, int]:
    """Which step is found where these are the chances before the steps, and after how many trials."""
    draws, tried, made = random.Random(seed), dict[int, Outcomes](), 0
    while isinstance(wanted := search(range(steps), tried, each, how), ToTry):
        before = tried.get(wanted.step, Outcomes())
        passed = sum(draws.random() < chances[wanted.step] for _ in range(wanted.trials))
        tried[wanted.step] = Outcomes(before.passed + passed, before.n + wanted.trials)
        made += wanted.trials
        assert made < 40 * each * most_probes(steps, how)
    assert isinstance(wanted, DecisiveStep)
    return wanted.step, made


@pytest.mark.parametrize("how", ["bisect", "every"])
@pytest.mark.parametrize("steps", [1, 2, 3, 8, 13])
def test_a_crisp_fall_is_found_wherever_it_is(steps: int, how: How) -> None:
    for planted in range(steps):
        found, made = searched(steps, [1.0] * (planted + 1) + [0.0] * (steps - planted - 1), 4, how)
        assert found == planted
        assert made <= 4 * most_probes(steps, how)


def test_a_mistake_among_others_is_found_in_95_of_100() -> None:
    hits = 0
    for seed in range(300):
        draws = random.Random(seed)
        steps = draws.randint(4, 20)
        planted = draws.randrange(steps)
        chances = [0.95 ** (steps - place) if place <= planted else 0.0 for place in range(steps)]
        hits += searched(steps, chances, 8, "bisect", seed)[0] == planted
    assert hits >= 285  # of draws that are the same in every run


@pytest.mark.parametrize("how", ["bisect", "every"])
def test_where_there_never_was_a_chance_no_step_decided(how: How) -> None:
    assert searched(6, [0.0] * 6, 4, how)[0] is None


def test_what_was_tried_before_counts() -> None:
    assert search(range(2), {0: Outcomes(4, 4)}, 4, "bisect") == ToTry(step=1, trials=4)
    assert search(range(2), {0: Outcomes(4, 4), 1: Outcomes(3, 3)}, 4, "bisect") == ToTry(step=1, trials=1)
    found = search(range(2), {0: Outcomes(8, 8), 1: Outcomes(8, 8)}, 4, "bisect")
    assert isinstance(found, DecisiveStep)
    assert found.step == 1


def test_a_difference_has_newcombes_interval() -> None:
    """His example: 56 of 70 and 48 of 80, by method 10."""
    found = chance_difference(chance(48, 80), chance(56, 70))
    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert chance_difference(chance(0, 0), chance(1, 2)).value is None
