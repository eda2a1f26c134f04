"""The test that may be looked at at any time: against closed forms, and by simulation."""

from itertools import product
from math import comb, exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stats import late
from trialkit.stats import sequential_test
from trialkit.stats.sequential import EProcess, interval, outcome_of

CHANGES = st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.25, 1.0]), max_size=30)
BETS = np.array([0.03, 0.06, 0.12, 0.25, 0.5, 0.95])
PARTS = np.array([1, 1, 2, 4, 4, 2]) / 14


def evidence(null: float, changes: list[float]) -> float:
    found = EProcess(null)
    for change in changes:
        found.add(change)
    return exp(found.log)


@given(CHANGES, st.floats(-0.9, 0.9))
def test_evidence_is_what_a_mixture_of_bets_becomes(changes: list[float], null: float) -> None:
    factors = 1 + BETS[:, None] * (np.array(changes) - null) / (1 + null)
    assert evidence(null, changes) == pytest.approx(PARTS @ factors.prod(axis=1))


@pytest.mark.parametrize("flips", [0.2, 0.7, 1.0])
@pytest.mark.parametrize("null", [-0.1, 0.0])
def test_a_stake_stays_on_average_what_it_is_under_the_null(flips: float, null: float) -> None:
    """Exactly, over all ways that five cases may go: it is a martingale at the null, and falls below it."""
    for mean, holds in ((null, pytest.approx(1.0)), (null - 0.1, pytest.approx(0.9, abs=0.1))):
        chances = {1.0: (flips + mean) / 2, 0.0: 1 - flips, -1.0: (flips - mean) / 2}
        ways = product(chances, repeat=5)
        total = sum(evidence(null, list(way)) * np.prod([chances[one] for one in way]) for way in ways)
        assert total == holds


@pytest.mark.parametrize(("gained", "lost", "same"), [(30, 5, 60), (4, 3, 40), (12, 0, 0)])
def test_the_interval_is_where_the_stake_is_below_its_limit(gained: int, lost: int, same: int) -> None:
    changes = [1.0] * gained + [-1.0] * lost + [0.0] * same
    low, high = interval(changes, log(40))

    def excess(null: float, sign: float) -> float:
        factors = 1 + BETS[:, None] * (sign * np.array(changes) - null) / (1 + null)
        return float(np.log(PARTS @ factors.prod(axis=1)) - np.log(40))

    assert low == pytest.approx(late.optimize.brentq(excess, -0.99, 0.99, args=(1.0,)), abs=1e-6)
    if lost:
        assert high == pytest.approx(-late.optimize.brentq(excess, -0.99, 0.99, args=(-1.0,)), abs=1e-6)


@given(CHANGES.filter(bool))
def test_the_order_does_not_matter_and_signs_mirror(changes: list[float]) -> None:
    low, high = interval(changes, log(40))
    assert interval(sorted(changes), log(40)) == pytest.approx((low, high))
    mirrored = interval([-change for change in changes], log(40))
    assert mirrored == pytest.approx((-high, -low))
    assert low <= sum(changes) / len(changes) <= high


@pytest.mark.parametrize(
    ("low", "high", "margin", "outcome"),
    [
        (0.01, 0.2, None, "better"),
        (-0.2, -0.01, None, "worse"),
        (-0.2, 0.2, None, "undecided"),
        (-0.09, 0.09, 0.1, "equal"),
        (-0.09, 0.2, 0.1, "no worse"),
        (0.01, 0.2, 0.1, "better"),
        (-0.2, -0.01, 0.1, "worse"),
        (-0.09, -0.01, 0.1, "equal"),  # surely worse, and surely by less than counts
        (-0.2, 0.05, 0.1, "undecided"),
    ],
)
def test_what_an_interval_decides(low: float, high: float, margin: float | None, outcome: str) -> None:
    assert outcome_of(low, high, margin) == outcome


def test_it_is_decided_where_the_stake_first_reaches_40() -> None:
    """Of flips that all go up it is sum(part * (1 + bet)^n)."""
    needed = next(n for n in range(1, 99) if PARTS @ (1 + BETS) ** n >= 40)
    found = sequential_test([[1.0] * 50], None, planned=1, by_order=True)
    assert (found.outcome, found.pairs, found.value) == ("better", needed, 1.0)
    assert sequential_test([[1.0] * (needed - 1)], None, planned=1, by_order=True).outcome == "undecided"
    assert sequential_test([[-1.0] * 50], 0.1, planned=1, by_order=True).outcome == "worse"


def test_what_was_decided_once_stays_so() -> None:
    """Twelve gains, then as many losses; where the order was not drawn only the end counts."""
    changes = [1.0] * 12 + [-1.0] * 12
    assert sequential_test([changes], None, planned=1, by_order=True).outcome == "better"
    assert sequential_test([changes], None, planned=1, by_order=False).outcome == "undecided"


def test_rounds_share_the_five_percent() -> None:
    gains = [0.5] + [1.0] * 8  # enough where there is one round
    assert sequential_test([gains], None, planned=1, by_order=True).outcome == "better"
    assert sequential_test([gains], None, planned=8, by_order=True).outcome == "undecided"
    twice = sequential_test([gains, [1.0] * 12], None, planned=8, by_order=True)
    assert (twice.outcome, twice.trials, twice.pairs) == ("better", 2, 11)


def test_a_round_that_has_just_begun_is_not_what_is_told() -> None:
    """Forty cases tried once, the first of them a second time."""
    once = [0.5, -0.5, 0.0, 1.0] * 10
    found = sequential_test([once, [-1.0]], None, planned=2, by_order=True)
    assert (found.outcome, found.value, found.pairs, found.trials) == ("undecided", 0.25, 40, 1)
    assert found.low is not None
    assert found.low < 0.25


def test_nothing_decides_nothing() -> None:
    found = sequential_test([], 0.1, planned=1, by_order=True)
    assert (found.outcome, found.value, found.low, found.pairs) == ("undecided", None, None, 0)


@settings(max_examples=20, deadline=None)
@given(st.sampled_from([0.1, 0.3, 0.8]), st.integers(0, 2**32 - 1))
def test_more_of_the_same_never_widens_what_is_known(flips: float, seed: int) -> None:
    changes = (
        np.random.default_rng(seed).choice([-1.0, 0.0, 1.0], p=[flips / 2, 1 - flips, flips / 2], size=60).tolist()
    )
    short, long = (interval(changes * times, log(40)) for times in (1, 4))
    assert long[1] - long[0] < short[1] - short[0]


def test_false_alarms_stay_within_five_percent_however_often_it_is_looked_at() -> None:
    """`python -m benchmarks.sequential` is the same with 10,000 runs."""
    random = np.random.default_rng(7)
    alarms = gains = 0
    for _ in range(300):
        same = random.choice([-1.0, 0.0, 1.0], p=[0.15, 0.7, 0.15], size=150).tolist()
        alarms += sequential_test([same], None, planned=1, by_order=True).outcome != "undecided"
        worse = random.choice([-1.0, 0.0, 1.0], p=[0.2, 0.7, 0.1], size=150).tolist()
        gains += sequential_test([worse], 0.1, planned=1, by_order=True).outcome in {"equal", "no worse", "better"}
    most = next(n for n in range(300) if sum(comb(300, k) * 0.05**k * 0.95 ** (300 - k) for k in range(n)) > 0.999)
    assert alarms <= most
    assert gains <= most
