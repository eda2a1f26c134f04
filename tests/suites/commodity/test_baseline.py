from collections import Counter
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.suites.commodity.samples import LONG, WHEAT, scenario
from trialkit.suites.commodity.baseline import analyse
from trialkit.suites.commodity.floors import constant, shotgun
from trialkit.suites.commodity.rows import read_golden
from trialkit.suites.commodity.rules import judge_by_rules
from trialkit.suites.commodity.scenarios import Position, Price, kind_for

CODES = ["CORN", "WHEAT", "SOYBEAN", "kakao"]
PRICES = st.floats(1e-6, 1e9) | st.integers(1, 10**9) | st.decimals("0.01", 100, places=2).map(float)
POSITIONS = st.builds(
    Position,
    commodity_code=st.sampled_from(CODES),
    direction=st.sampled_from(["long", "short"]),
    volume=st.floats(1e-3, 1e12) | st.integers(1, 10**7),
    entry_price=PRICES,
)
PORTFOLIOS = st.lists(POSITIONS, min_size=1, max_size=6)
MARKETS = st.tuples(*[PRICES] * len(CODES)).map(
    lambda prices: tuple(Price(commodity_code=code, price=price) for code, price in zip(CODES, prices, strict=True))
)


@given(PORTFOLIOS, MARKETS)
def test_every_alert_is_on_the_right_side_of_the_price(positions: list[Position], market: tuple[Price, ...]) -> None:
    price = {one.commodity_code: one.price for one in market}
    for alert in analyse(positions, market).suggestions:
        assert 0 < alert.threshold_price < float("inf")
        ahead = alert.threshold_price - price[alert.commodity_code]
        assert ahead > 0 if alert.condition == "above" else ahead < 0


@given(PORTFOLIOS, MARKETS)
def test_every_position_gets_a_stop_and_a_target(positions: list[Position], market: tuple[Price, ...]) -> None:
    price = {one.commodity_code: one.price for one in market}
    alerts = analyse(positions, market).suggestions
    for position in positions:
        kinds = {kind_for(alert, position, price[position.commodity_code]) for alert in alerts}
        assert kinds >= {"stop-loss", "take-profit"}


@given(PORTFOLIOS, MARKETS, st.randoms(use_true_random=False))
def test_the_order_of_positions_does_not_matter(
    positions: list[Position], market: tuple[Price, ...], random: Random
) -> None:
    shuffled = random.sample(positions, len(positions))
    one, other = analyse(positions, market), analyse(shuffled, market)
    assert one == analyse(positions, market)
    assert Counter(one.suggestions) == Counter(other.suggestions)
    assert Counter(one.reasoning.splitlines()) == Counter(other.reasoning.splitlines())


@given(PORTFOLIOS, PORTFOLIOS, MARKETS)
def test_the_floors_look_at_no_position(
    positions: list[Position], others: list[Position], market: tuple[Price, ...]
) -> None:
    both = [*positions, *others]
    for floor, number in ((constant, 2), (shotgun, 140)):
        answer = floor(both, market)
        assert answer == floor([replace(one, direction="long", volume=1.0, entry_price=1.0) for one in both], market)
        assert len(answer.suggestions) == number * len({one.commodity_code for one in both})


@given(PORTFOLIOS, MARKETS)
def test_thresholds_stay_near_the_price(positions: list[Position], market: tuple[Price, ...]) -> None:
    price = {one.commodity_code: one.price for one in market}
    for alert in analyse(positions, market).suggestions:
        assert 0.02 < abs(alert.threshold_price / price[alert.commodity_code] - 1) < 0.21


@pytest.mark.parametrize(
    ("position", "price", "stop", "target"),
    [
        (LONG, 4.5, 4.28, 4.95),
        (replace(LONG, direction="short"), 4.5, 4.72, 4.05),
        (replace(LONG, volume=200_000), 4.5, 4.36, 4.95),
        (LONG, 4.6, 4.37, 4.83),
        (LONG, 5.0, 4.85, 5.25),
        (LONG, 4.4, 4.18, 4.62),
        (LONG, 4.0, 3.8, 4.5),
        (LONG, 2.0, 1.9, 2.4),
        (replace(LONG, entry_price=450.0, volume=100), 450, 428, 495),
    ],
)
def test_the_documented_rules(position: Position, price: float, stop: float, target: float) -> None:
    alerts = analyse([position], [Price(commodity_code="CORN", price=price)]).suggestions
    assert [alert.threshold_price for alert in alerts] == [stop, target]


def test_the_reasoning_says_what_was_found() -> None:
    large = replace(LONG, volume=100_000)
    said = analyse([large, WHEAT], [Price(commodity_code="CORN", price=4.05), Price(commodity_code="WHEAT", price=6.1)])
    assert "unrealised loss of 10.0% or 45,000; breakeven is at 4.5" in said.reasoning
    assert "The size of this position, worth 405,000, is itself a risk" in said.reasoning
    assert "at breakeven" in said.reasoning
    assert "CORN is 99% of the portfolio's value: a concentration" in said.reasoning


def test_no_positions_no_alerts() -> None:
    assert analyse([], []).suggestions == ()


def test_the_golden_scenarios_are_judged_without_error() -> None:
    path = Path(str(files("trialkit.suites.commodity") / "golden" / "scenarios.csv"))
    rows = [row.scenario for row in read_golden(path)]
    assert [row.id for row in rows] == [f"S{number:02}" for number in range(1, 11)]
    assert {row.user_name for row in rows} == {"Alice", "Bob", "Carol"}
    verdicts = {row.id: judge_by_rules(row, analyse(row.positions, row.prices)) for row in rows}
    assert {name: verdict.outcome for name, verdict in verdicts.items()} == dict.fromkeys(verdicts, "pass")
    silent = {row.id: judge_by_rules(row, replace(analyse(row.positions, row.prices), suggestions=())) for row in rows}
    assert {name for name, verdict in silent.items() if verdict.outcome == "pass"} == {"S07"}


def test_the_answer_depends_on_positions_and_prices_alone() -> None:
    one = scenario()
    told = replace(one, id="S99", description="nothing", truth=("must suggest nothing",), eval_type="criteria")
    assert analyse(one.positions, one.prices) == analyse(told.positions, told.prices)
