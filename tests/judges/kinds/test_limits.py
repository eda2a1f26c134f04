"""Judges of what an answer took."""

import random

import pytest

from trialkit.judges.kinds import Attempt

from .trying import expected, judge_of, outcomes, verdict


@pytest.mark.parametrize(("kind", "field"), [("latency", "seconds"), ("cost", "cost")])
async def test_amounts_whose_truth_is_known(kind: str, field: str) -> None:
    rng = random.Random(13)
    amounts = [rng.choice([0.0, 1.0, rng.uniform(0, 2)]) for _ in range(250)]
    attempts = [Attempt(case={}, text="", **{field: amount}) for amount in amounts]  # type: ignore[arg-type]
    assert await outcomes(judge_of(kind, at_most=1), attempts) == expected([amount <= 1 for amount in amounts])


def test_what_is_not_known_is_no_pass_and_no_fail() -> None:
    assert verdict(judge_of("cost", at_most=1), seconds=1).outcome == "error"
    assert verdict(judge_of("latency", at_most=1, **{"not": True}), cost=1).outcome == "error"


def test_amounts_are_told() -> None:
    assert verdict(judge_of("cost", at_most=0.001), cost=0.02).critique == "it took $0.0200, more than $0.0010"
    assert judge_of("latency", at_most=90).explain({}) == "passes if the answer takes at most 1 min 30 s"
