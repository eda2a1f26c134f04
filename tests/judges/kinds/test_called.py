"""The judge of tool calls."""

import itertools
import random
from typing import Any

import pytest
from pydantic import ValidationError

from trialkit.judges.kinds import Attempt, ToolUse

from .trying import expected, judge_of, outcomes, verdict


def uses(*calls: str | tuple[str, dict[str, Any]]) -> list[ToolUse]:
    pairs = [(one, {}) if isinstance(one, str) else one for one in calls]
    return [ToolUse(name=name, arguments=arguments) for name, arguments in pairs]


def calls_of(rng: random.Random) -> list[ToolUse]:
    return [ToolUse(name=rng.choice("abc"), arguments={"x": rng.randint(1, 3)}) for _ in range(rng.randint(0, 5))]


def can_be_matched(wanted: list[tuple[str, int | None]], made: list[ToolUse], *, in_order: bool) -> bool:
    """By trying all that there is."""
    places = (itertools.combinations if in_order else itertools.permutations)(range(len(made)), len(wanted))
    return any(
        all(
            made[place].name == name and x in (None, made[place].arguments["x"])
            for place, (name, x) in zip(chosen, wanted, strict=True)
        )
        for chosen in places
    )


@pytest.mark.parametrize("in_order", [True, False])
async def test_calls_whose_truth_is_known(in_order: bool) -> None:
    rng = random.Random(9)
    found, truths = [], []
    for _ in range(250):
        wanted = [(rng.choice("abc"), rng.choice([None, 1, 2])) for _ in range(rng.randint(1, 3))]
        called = [{"name": name, "arguments": {} if x is None else {"x": x}} for name, x in wanted]
        made = calls_of(rng)
        judge = judge_of("tool_call", called=called, in_order=in_order)
        found += await outcomes(judge, [Attempt(case={}, text="", calls=made)])
        truths.append(can_be_matched(wanted, made, in_order=in_order))
    assert found == expected(truths)
    assert 30 < sum(truths) < 220


async def test_calls_that_must_not_be_made_whose_truth_is_known() -> None:
    rng = random.Random(10)
    attempts = [Attempt(case={"x": rng.randint(1, 3)}, text="", calls=calls_of(rng)) for _ in range(250)]
    judge = judge_of("tool_call", not_called=["a", {"name": "b", "arguments": {"x": "{{ x }}"}}])
    assert await outcomes(judge, attempts) == expected(
        [
            not any(use.name == "a" or (use.name == "b" and use.arguments["x"] == one.case["x"]) for use in one.calls)
            for one in attempts
        ]
    )
    only = judge_of("tool_call", called="a", only=True)
    assert await outcomes(only, attempts) == expected([[use.name for use in one.calls] == ["a"] for one in attempts])


@pytest.mark.parametrize(
    ("arguments", "given", "outcome"),
    [
        ({"id": "{{ id }}"}, {"id": "7"}, "pass"),
        ({"id": "{{ id }}"}, {"id": 7, "more": 1}, "pass"),
        ({"id": "{{ id }}"}, {"id": "8"}, "fail"),
        ({"id": "{{ id }}"}, {}, "fail"),
        ({"to": {"city": "{{ city }}"}}, {"to": {"city": "Bonn"}}, "pass"),
        ({"to": {"city": "{{ city }}"}}, {"to": {"city": "Bonn", "zip": 1}}, "fail"),
        ({"to": {"city": "{{ town }}"}}, {}, "error"),
    ],
)
def test_arguments(arguments: dict[str, Any], given: dict[str, Any], outcome: str) -> None:
    judge = judge_of("tool_call", called={"name": "send", "arguments": arguments})
    found = verdict(judge, case={"id": "7", "city": "Bonn"}, calls=uses(("send", given)))
    assert found.outcome == outcome


def test_what_was_called_is_told() -> None:
    judge = judge_of("tool_call", called=["find", "send"], not_called="pay", in_order=True)
    found = verdict(judge, calls=uses("find", "pay"))
    assert found.critique == "not so: calls send; not so: does not call pay (call 2); it called find, pay"
    assert [one.met for one in found.findings] == [True, False, False]
    assert judge.explain({}) == "passes if it calls find, send in this order and it never calls pay"


def test_a_judge_of_no_tool_is_refused() -> None:
    with pytest.raises(ValidationError, match="name a tool"):
        judge_of("tool_call")


async def test_the_tool_may_stand_in_a_column() -> None:
    attempts = [Attempt(case={"tool": tool}, text="", calls=uses("a")) for tool in "ab"]
    assert await outcomes(judge_of("tool_call", called="{{ tool }}"), attempts) == ["pass", "fail"]
