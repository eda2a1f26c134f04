"""Cells of tables: nothing is wider than its column, nothing is lost, and names break where they may."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from trialkit.pages.cells import Clamped, is_number, under_each_other


def lines(cell: Clamped, width: int) -> list[str]:
    console = Console(width=width, no_color=True)
    return ["".join(part.text for part in line).rstrip() for line in console.render_lines(cell)]


def test_a_name_goes_on_in_the_next_line_at_a_joint() -> None:
    told = Clamped("TC (anthropic/claude-3-5-sonnet-20241022)", None)
    assert lines(told, 24) == ["TC (anthropic/claude-3-", "5-sonnet-20241022)"]
    assert lines(Clamped("tool-calling openai/gpt-4o-mini", None), 18) == ["tool-calling", "openai/gpt-4o-mini"]


def test_what_does_not_fit_ends_in_an_ellipsis_after_a_full_line() -> None:
    assert lines(Clamped("one two three four five", 2), 9) == ["one two", "three fo…"]


@given(st.text(alphabet="ab-/_(=, 漢", max_size=80), st.integers(min_value=2, max_value=30))
def test_nothing_is_lost_and_nothing_too_wide(text: str, width: int) -> None:
    shown = lines(Clamped(text, None), width)
    assert max(map(cell_len, shown)) <= width
    assert "".join("".join(shown).split()) == "".join(text.split())


@given(st.text(alphabet="ab-/_(=, 漢", max_size=80), st.integers(min_value=2, max_value=30))
def test_never_more_lines_than_it_may(text: str, width: int) -> None:
    shown = lines(Clamped(text, 2), width)
    assert len(shown) <= 2
    assert max(map(cell_len, shown)) <= width


def test_figures_stand_under_each_other() -> None:
    assert under_each_other(["60.3%  [48.4%, 71.1%]", "1.5% [0.3%, 7.9%]", "unknown"]) == [
        "  60.3% [48.4%, 71.1%]",
        "   1.5% [0.3%, 7.9%]",
        "unknown",
    ]
    assert under_each_other(["1", "20"]) == ["1", "20"]


@pytest.mark.parametrize(("cell", "number"), [("0.7  [0.5, 0.9]", True), ("unknown", True), ("—", True), ("a1", False)])
def test_unknown_is_a_number_too(cell: str, number: bool) -> None:
    assert is_number(cell) is number
