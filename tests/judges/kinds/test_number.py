"""The judge of a number."""

import random
import time
from decimal import Decimal

import pytest

from trialkit.judges.kinds import Attempt
from trialkit.judges.kinds.numbers import numbers_in

from .trying import AROUND, expected, judge_of, outcomes, verdict


def english(value: Decimal) -> str:
    return f"{value:,}"


def german(value: Decimal) -> str:
    return f"{value:,}".translate({ord(","): ".", ord("."): ","})


@pytest.mark.parametrize("write", [english, german])
async def test_numbers_whose_truth_is_known(write: object) -> None:
    rng = random.Random(4)
    attempts, truths = [], []
    for _ in range(300):
        value = Decimal(rng.randint(-(10**9), 10**9)).scaleb(-2)
        right = rng.random() < 0.5
        said = value if right else value + Decimal(rng.choice(["0.01", "-1", "1000", "0.1"]))
        assert callable(write)
        text = f"{rng.choice(AROUND)} {write(Decimal(7))} of them: {rng.choice(['', '€', '$ '])}{write(said)}"
        text += rng.choice(["", ".", " EUR", "\n", "**", ")"])
        attempts.append(Attempt(case={"n": rng.choice([str(value), write(value), float(value)])}, text=text))
        truths.append(right)
    assert await outcomes(judge_of("number", value="{{ n }}"), attempts) == expected(truths)


async def test_tolerances_whose_truth_is_known() -> None:
    rng = random.Random(5)
    off, percent = (
        judge_of("number", value="{{ n }}", within=0.5),
        judge_of("number", value="{{ n }}", within_percent=10),
    )
    attempts = [Attempt(case={"n": 20}, text=f"about {rng.randint(150, 250) / 10}") for _ in range(250)]
    values = [float(attempt.text.split()[1]) for attempt in attempts]
    assert await outcomes(off, attempts) == expected([19.5 <= value <= 20.5 for value in values])
    assert await outcomes(percent, attempts) == expected([18 <= value <= 22 for value in values])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1.234,56 €, $1,234.56", ["1234.56", "1234.56"]),
        ("1.234 apples", ["1.234"]),  # as English, where nothing tells
        ("1.234 Äpfel zu 2,5", ["1234", "2.5"]),
        ("1.234 apples at 2.5", ["1.234", "2.5"]),
        ("-5 and \u22126, 10-20, f(3)-4", ["-5", "-6", "10", "20", "3", "4"]),
        (".5 0.500 1'234.5 1\u202f000 1,23,456", ["0.5", "0.500", "1234.5", "1000", "123456"]),
        ("6.02e23 and 1E-3", ["6.02E+23", "0.001"]),
        ("A4, v1.2.3, 1.2.3, x_9", []),
        ("On 2024-05-01 at 10:30.", ["2024", "5", "1", "10", "30"]),
        ("5kg, 3rd, 100%", ["5", "3", "100"]),
        ("½ ² ٣", []),
        ("-$1,234.50, -€5, \u20137, 10\u201320", ["-1234.50", "-5", "-7", "10", "20"]),
        ("(5), minus 5, 1 234, 1.5k", ["5", "5", "1", "234", "1.5"]),  # as docs/judges.md says
        ("9" * 100, []),
    ],
)
def test_numbers_are_read_as_they_are_written(text: str, found: list[str]) -> None:
    assert numbers_in(text) == [Decimal(one) for one in found]


def test_a_notation_that_is_told_is_the_only_one() -> None:
    assert numbers_in("1.234 and 1,5", "de") == [Decimal(1234), Decimal("1.5")]
    assert numbers_in("1.234 and 1,5", "en") == [Decimal("1.234")]


@pytest.mark.parametrize(
    ("text", "settings", "outcome"),
    [
        ("17 + 25 = 42", {"value": 42}, "pass"),
        ("42 = 17 + 25", {"value": 42}, "fail"),
        ("42 = 17 + 25", {"value": 42, "which": "first"}, "pass"),
        ("17, 42, 25", {"value": 42, "which": "any"}, "pass"),
        ("none", {"value": 42}, "fail"),
        ("none", {"value": 42, "not": True}, "pass"),
        ("42", {"value": "{{ n }}"}, "error"),
        ("0.3", {"value": 0.3}, "pass"),
        ("1", {"value": True}, "error"),
    ],
)
def test_settings_of_a_number(text: str, settings: dict[str, object], outcome: str) -> None:
    assert verdict(judge_of("number", **settings), text, {"n": "many"}).outcome == outcome


def test_a_number_is_told() -> None:
    judge = judge_of("number", value="{{ n }}", within_percent=1)
    assert judge.explain({"n": "1.500,00"}) == "passes if the last number in the answer is 1500, give or take 15"
    assert verdict(judge, "1400", {"n": "1.500,00"}).critique == "it says 1400, not 1500"


@pytest.mark.parametrize("piece", ["1", "1,", "1.", "-", "1e", "1 ", "1e1.", "'1"])
def test_numbers_are_found_in_time_in_proportion(piece: str) -> None:
    def seconds(times: int) -> float:
        started = time.process_time()
        numbers_in(piece * times)
        return time.process_time() - started

    assert min(seconds(40_000) for _ in range(2)) < 12 * max(0.002, min(seconds(10_000) for _ in range(3)))
