"""One page in all four writers: each shows everything, and what models say is never markup."""

import json
import re
from html.parser import HTMLParser

import pytest

from trialkit.pages import (
    WRITERS,
    Bar,
    Change,
    Code,
    Count,
    Facts,
    Heading,
    Line,
    Money,
    Name,
    Note,
    Number,
    OutcomeCell,
    Page,
    Passage,
    Passed,
    Prose,
    PValue,
    Rate,
    Seconds,
    Table,
    Words,
    changed,
    fact,
    measured,
    write_page,
)
from trialkit.stats import Difference, Figure, exact, unknown
from trialkit.vocabulary import PASS, Measure

FIGURE = Figure(value=0.603, low=0.484, high=0.711, n=60)
TINY = "-0.0000200 [-0.0000600, +0.0000200]"
HOSTILE = "<script>alert(1)</script> `a|b` [bold]no[/bold] \x1b[31mred\nnext"
PAGE = Page(
    title="t: <b>",
    parts=(
        Facts(rows=(("pass rate", Line(("36/60 = ", Rate(FIGURE)), style="strong")), ("  strict", Rate(FIGURE)))),
        Note(text="Beware.", loud=True),
        Heading(text="Part two"),
        Passage(title="Prompt", text=f"First.\n  ````\n{HOSTILE}"),
        Table(
            title="Cases",
            columns=("Case", "Outcome", "Rate", "Cost", "Said", "File"),
            rows=(
                (Name("S01"), OutcomeCell("pass"), Rate(FIGURE), Money(0.5), Prose(HOSTILE), Code("a.trial")),
                (Name("S02"), OutcomeCell(None), Rate(unknown(0)), Money(None), Prose("x" * 300), Code("b`|c")),
            ),
            note="and 8 more",
        ),
    ),
)


class Tags(HTMLParser):
    """Every element is closed; the attributes of the cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.cells: list[dict[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag == "td":
            self.cells.append(dict(attrs))
        if tag not in {"meta", "line"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag != "line":
            assert self.open.pop() == tag


@pytest.mark.parametrize("form", WRITERS)
def test_every_writer_shows_all_of_the_page(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    text = write_page(PAGE, form)
    for told in ("36/60 = ", "Beware.", "Part two", "Cases", "S01", "pass", "S02", "a.trial", "and 8 more"):
        assert told in text


@pytest.mark.parametrize("form", ["console", "md", "html"])
def test_a_passage_keeps_its_lines_and_is_no_markup(form: str) -> None:
    lines = write_page(PAGE, form).splitlines()
    first = next(number for number, line in enumerate(lines) if line.endswith("First."))
    assert lines[first + 1].endswith("  ````")
    assert "\x1b" not in "".join(lines)
    if form == "md":
        assert lines[first - 1] == lines[first + 4] == "`````"


def test_html_holds_the_numbers_and_no_markup_of_others() -> None:
    text = write_page(PAGE, "html")
    page = Tags(text)
    assert page.open == []
    assert page.seen.count("script") == 1
    assert page.seen.count("b") == 0
    assert {"data-value": "0.603", "data-low": "0.484", "data-high": "0.711", "data-n": "60"}.items() <= page.cells[
        4
    ].items()
    assert "\x1b" not in text
    assert "://" not in text  # nothing is fetched


def test_what_is_not_known_is_sorted_as_nothing() -> None:
    cells = Tags(write_page(PAGE, "html")).cells
    assert [cell.get("data-value") for cell in cells[8:12]] == [None, None, "", ""]


def test_markdown_keeps_its_rows_whole() -> None:
    lines = write_page(PAGE, "md").splitlines()
    bare = [re.sub(r"\\.", "", line) for line in lines if line.startswith("|")]
    assert {line.count("|") for line in bare} == {3, 7}
    assert "| pass rate | **36/60 = 60.3% \\[48.4%, 71.1%\\]** |" in lines
    assert "`a.trial`" in lines[-4]
    assert f"{'x' * 200}…" in lines[-3]


def test_json_holds_figures_not_their_text() -> None:
    facts, note, heading, passage, table = json.loads(write_page(PAGE, "json"))["parts"]
    assert facts["facts"][1] == {"name": "strict", "value": {"value": 0.603, "low": 0.484, "high": 0.711, "n": 60}}
    assert note == {"note": "Beware.", "loud": True, "strong": False}
    assert heading == {"heading": "Part two"}
    assert passage == {"passage": "Prompt", "text": f"First.\n  ````\n{HOSTILE}"}
    assert table["rows"][0] == ["S01", "pass", FIGURE.to_data(), 0.5, HOSTILE, "a.trial"]
    assert table["rows"][1][1:4] == [None, {"value": None, "low": None, "high": None, "n": 0}, None]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (Rate(FIGURE), "60.3% [48.4%, 71.1%]"),
        (Rate(FIGURE, short=True), "60.3% [48.4, 71.1]"),
        (Rate(FIGURE, short=True, digits=0), "60% [48, 71]"),
        (Rate(unknown(3)), "—"),
        (Number(FIGURE), "0.603 [0.484, 0.711]"),
        (Number(Figure(value=-0.001, low=-0.2, high=0.8, n=6), digits=2), "0.00 [-0.20, 0.80]"),
        (Number(0.0123, digits=2, scale=100), "1.23"),
        (Number(Figure(value=3.5, low=None, high=None, n=1), digits=1), "3.5"),
        (Change(Figure(value=0.017, low=-0.119, high=0.152, n=9), scale=100), "+1.7 [-11.9, +15.2]"),
        (Change(-0.0001, digits=2), "0.00"),
        (Money(exact(0.1124, 5)), "$0.1124"),
        (Money(None), "unknown"),
        (Seconds(12.34), "12.3 s"),
        (Count(12345), "12,345"),
        (PValue(0.0501), "0.05010"),
        (PValue(0.0000001), "< 0.001"),
        (Bar(Figure(value=0.5, low=0.25, high=0.75, n=9)), "·····─────●─────·····"),
        (Bar(Figure(value=3, low=2, high=4, n=9), low=1, high=5), "·····─────●─────·····"),
        (Bar(None), "·" * 21),
        (OutcomeCell("fail", disputed=True), "fail ≠"),
        (OutcomeCell(None, otherwise="not judged"), "not judged"),
        (Passed(passed=2, judged=3, errors=1), "2/3 +1 error"),
        (Passed(passed=0, judged=0, errors=2), "2 errors"),
        (Words("a \n b\x07"), "a b\ufffd"),
        (fact(None), "—"),
        (fact(True), "yes"),
        (fact(12), "12"),
        (fact(0.123456), "0.1235"),
        (fact("so"), "so"),
        (measured(FIGURE, PASS), "60.3% [48.4%, 71.1%]"),
        (measured(FIGURE, Measure(name="reward", low=0, high=1)), "0.603 [0.484, 0.711]"),
        (measured(Figure(value=4.25, low=4, high=4.5, n=9), Measure(name="tone", low=1, high=5)), "4.25 [4.00, 4.50]"),
        (measured(Figure(value=7e-4, low=3e-4, high=1.6e-3, n=9), Measure(name="loss")), "0.00070 [0.00030, 0.00160]"),
        (measured(4e-4, Measure(name="loss", low=0, high=1e-3)), "0.000400"),
        (measured(0.0, Measure(name="loss")), "0.00"),
        (measured(188250.816, Measure(name="cost", low=0, unit="tokens")), "188251 tokens"),
        (changed(Difference(value=-2e-5, low=-6e-5, high=2e-5, n=6, p=0.4, method=""), Measure(name="loss")), TINY),
        (Number(123456.789, digits=None), "123,457"),
        (Number(-12345.0, digits=None), "-12,345"),
        (Number(1e99, digits=None), "1e+99"),
        (Number(0.31234, digits=None), "0.3123"),
        (measured(12.0, Measure(name="time", unit="s")), "12.00 s"),
    ],
)
def test_what_people_read(cell: Words, text: str) -> None:
    assert str(cell) == text
