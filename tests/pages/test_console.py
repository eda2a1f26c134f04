"""A page in a terminal: nothing is wider than its column, nothing is lost, and numbers stand under each other."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from trialkit.pages import (
    Code,
    Count,
    Facts,
    Heading,
    Name,
    Note,
    Number,
    Page,
    Passage,
    Prose,
    Rate,
    Table,
    Words,
    write_page,
)
from trialkit.pages.console import Clamped
from trialkit.stats import Figure


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")


def lines(cell: Clamped, width: int) -> list[str]:
    console = Console(width=width, no_color=True)
    return ["".join(part.text for part in line).rstrip() for line in console.render_lines(cell)]


def shown(table: Table) -> list[str]:
    """Below the page's title and the blank line."""
    return write_page(Page(title="t", parts=(table,)), "console").splitlines()[2:]


def rows(table: Table) -> list[str]:
    """Below the table's title, its columns and the rule."""
    return shown(table)[3:]


def test_a_name_goes_on_in_the_next_line_at_a_joint() -> None:
    told = Clamped("TC (anthropic/claude-3-5-sonnet-20241022)", None)
    assert lines(told, 24) == ["TC (anthropic/claude-3-", "5-sonnet-20241022)"]
    assert lines(Clamped("tool-calling openai/gpt-4o-mini", None), 18) == ["tool-calling", "openai/gpt-4o-mini"]


def test_what_does_not_fit_ends_in_an_ellipsis_after_a_full_line() -> None:
    assert lines(Clamped("one two three four five", 2), 9) == ["one two", "three fo…"]


@given(st.text(alphabet="ab-/_(=, 漢", max_size=80), st.integers(min_value=2, max_value=30))
def test_nothing_is_lost_and_nothing_too_wide(text: str, width: int) -> None:
    found = lines(Clamped(text, None), width)
    assert max(map(cell_len, found)) <= width
    assert "".join("".join(found).split()) == "".join(text.split())


@given(st.text(alphabet="ab-/_(=, 漢", max_size=80), st.integers(min_value=2, max_value=30))
def test_never_more_lines_than_it_may(text: str, width: int) -> None:
    found = lines(Clamped(text, 2), width)
    assert len(found) <= 2
    assert max(map(cell_len, found)) <= width


def test_figures_stand_under_each_other() -> None:
    long, short = Figure(value=0.603, low=0.484, high=0.711, n=60), Figure(value=0.015, low=0.003, high=0.079, n=60)
    found = rows(Table(title="T", columns=("Rate",), rows=((Rate(long),), (Rate(short),), (Rate(None),))))
    assert found == [" 60.3% [48.4%, 71.1%]", "  1.5% [0.3%, 7.9%]", "     —"]


def test_numbers_alone_end_at_one_place_as_their_title_does() -> None:
    found = shown(Table(title="T", columns=("Trials",), rows=((Count(1),), (Count(1200),))))
    assert found[1:] == [" Trials", " ──────", "      1", "  1,200"]


def test_a_stacked_figure_has_its_interval_below() -> None:
    figure = Figure(value=0.6, low=0.51, high=0.68, n=115)
    found = rows(Table(title="T", columns=("Pass^1",), rows=((Number(figure, stacked=True),), (Number(0.9),))))
    assert [line.strip() for line in found] == ["0.600", ".51-.68", "0.900"]


def test_intervals_go_below_where_the_words_beside_them_would_be_lost() -> None:
    figure = Figure(value=188251, low=27703, high=1279214, n=6)
    cell = Number(figure, digits=0, unit=" tokens")
    row = ("average tokens", cell, cell, cell)
    first, second = rows(Table(title="T", columns=("", "A", "B", "C"), rows=(row,)))
    assert first.split() == ["average", "tokens", *["188251", "tokens"] * 3]
    assert second.split() == ["[27703,", "1279214]"] * 3


def test_sentences_share_the_width_that_is_left_and_no_more_than_their_lines() -> None:
    row = (Name("S01"), Prose("word " * 100, lines=2), Words("so"))
    found = rows(Table(title="T", columns=("Case", "Critique", "As"), rows=(row,)))
    assert len(found) == 2
    assert max(map(len, found)) <= 80
    assert found[0].startswith(" S01   word word")
    assert "…" in found[1]


def test_a_name_is_cut_and_a_code_is_not() -> None:
    table = Table(title="T", columns=("A", "B"), rows=((Name("x" * 40), Code("y" * 30)),))
    assert rows(table) == [f" {'x' * 23}…  {'y' * 30}"]


def test_what_stands_below_a_row_has_a_line_of_its_own_however_long() -> None:
    row = (Count(1), Name("so"), Code("/a/b" * 40))
    table = Table(title="", columns=("N", "State", "File"), rows=(row, row), below="File")
    assert shown(table) == [" N  State", " ────────", *([" 1  so", f"   {'/a/b' * 40}"] * 2)]


def test_in_a_terminal_a_row_with_a_line_below_is_cut_and_not_squeezed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "20")
    row = (Count(12345), Name("done"), Name("x" * 20), Code("/a/b" * 40))
    found = shown(Table(title="", columns=("N", "State", "Who", "File"), rows=(row,), below="File"))
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in found]
    assert plain[2:] == [" 12,345  done   xxx…", f"   {'/a/b' * 40}"]
    assert max(map(len, plain[:2])) <= 20


def test_a_table_without_rows_is_its_head() -> None:
    assert shown(Table(title="T", columns=("A", "B"), rows=(), note="none yet"))[1:] == [" A  B", " ────", " none yet"]


@pytest.mark.parametrize(("lines", "terminal", "times"), [("10", "1", 2), ("80", "1", 1), ("10", "0", 1)])
def test_where_a_terminal_shows_only_the_end_the_result_stands_there_too(
    monkeypatch: pytest.MonkeyPatch, lines: str, terminal: str, times: int
) -> None:
    for name, value in {"LINES": lines, "COLUMNS": "80", "TTY_COMPATIBLE": terminal, "NO_COLOR": "1"}.items():
        monkeypatch.setenv(name, value)
    result = Note(text="8 of 10")
    cases = Table(title="Cases", columns=("Case",), rows=tuple((str(number),) for number in range(30)))
    assert write_page(Page(title="R", parts=(result, cases), again=result), "console").count("8 of 10") == times


HOSTILE = "[/b] [red]x\x1b]0;owned\x07\x9b31m"


def test_words_of_strangers_steer_no_terminal_and_are_no_markup_wherever_they_stand() -> None:
    parts = (
        Note(text=HOSTILE),
        Heading(text=HOSTILE),
        Facts(rows=((HOSTILE, HOSTILE),)),
        Passage(title=HOSTILE, text=HOSTILE),
        Table(title=HOSTILE, columns=(HOSTILE, HOSTILE), rows=((HOSTILE, Count(1)),), note=HOSTILE),
    )
    shown = write_page(Page(title=HOSTILE, parts=parts), "console")
    assert shown.count("[/b] [red]x") == 12
    assert all(char.isprintable() or char == "\n" for char in shown.replace("\ufffd", ""))
