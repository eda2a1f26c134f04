"""Two transcripts side by side."""

from hypothesis import given
from hypothesis import strategies as st

from trialkit.analysis.aligned import paired
from trialkit.analysis.steps import TrialStep, UsedTool

words = st.sampled_from(["a", "b", "c"])


def step(number: int, who: str, text: str, tool: str = "") -> TrialStep:
    uses = [UsedTool(name=tool, arguments="{}")] if tool else []
    return TrialStep(number=number, kind="said", who=who, text=text, uses=uses)


def talk(*said: tuple[str, str, str]) -> list[TrialStep]:
    return [step(place, *one) for place, one in enumerate(said, start=1)]


def numbers(left: list[TrialStep], right: list[TrialStep]) -> tuple[list[tuple[int, int]], int | None]:
    rows, parts_at = paired(left, right)
    return [(a.number if a else 0, b.number if b else 0) for a, b in rows], parts_at


def test_what_has_no_counterpart_stands_alone() -> None:
    left = talk(("user", "Hi", ""), ("assistant", "", "find"), ("user", "Yes", ""), ("assistant", "", "send"))
    right = talk(("user", "Hi", ""), ("assistant", "Hm", ""), ("assistant", "", "find"), ("assistant", "", "send"))
    assert numbers(left, right) == ([(1, 1), (0, 2), (2, 3), (3, 0), (4, 4)], 1)


def test_another_result_of_the_same_call_is_where_they_part() -> None:
    left, right = talk(("assistant", "", "find")), talk(("assistant", "", "find"))
    assert numbers(left, right) == ([(1, 1)], None)
    right[0].uses[0].result = "nothing"
    assert numbers(left, right) == ([(1, 1)], 0)


@given(*[st.lists(st.tuples(words, words, words), max_size=30)] * 2)
def test_every_step_stands_in_one_row_and_in_its_order(
    one: list[tuple[str, str, str]], other: list[tuple[str, str, str]]
) -> None:
    left, right = talk(*one), talk(*other)
    rows, parts_at = paired(left, right)
    assert [a for a, _ in rows if a] == left
    assert [b for _, b in rows if b] == right
    assert (parts_at is None) == (one == other)
    assert all(a and b and a.said() == b.said() for a, b in rows[:parts_at])


def test_long_ones_take_no_more_than_their_length() -> None:
    left = talk(*[("user", str(n), "") for n in range(3_000)])
    rows, parts_at = paired(left, talk(*[("user", f"{n}!", "") for n in range(2_000)]))
    assert (len(rows), parts_at) == (3_000, 0)
