"""Charts: every figure is in the picture at its place, and in words behind it; strangers' words are never markup."""

import json
import re
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trialkit.pages import (
    WRITERS,
    Change,
    Chart,
    Count,
    Curve,
    CurveLine,
    Dot,
    Dots,
    HeatCell,
    HeatMap,
    HeatRow,
    Money,
    Page,
    Rate,
    Scatter,
    Seconds,
    Spot,
    histogram,
    write_page,
)
from trialkit.pages.scale import ends_of, ticks, whole_ticks
from trialkit.stats import Figure, unknown

from .test_writers import Tags

HOSTILE = '<b onclick="x">"A"</b>'


def figure(value: float) -> Figure:
    return Figure(value=value, low=value - 0.1, high=value + 0.1, n=50)


DOTS = Dots(
    title="Published",
    by="Pass^1",
    dots=(
        Dot(HOSTILE, Rate(0.712), note="published", ours=False),
        Dot("ours", Rate(figure(0.534)), link='/run?a=1&b="'),
    ),
    low=0,
    high=1,
)
CURVE = Curve(
    title="pass^k",
    along="k",
    places=("1", "2", "3", "4"),
    lines=(
        CurveLine("A", (Rate(figure(0.61)), Rate(figure(0.42)), Rate(unknown(0)), Rate(figure(0.23)))),
        CurveLine(HOSTILE, (Rate(figure(0.83)), Rate(figure(0.74)), Rate(figure(0.65)), Rate(figure(0.56)))),
    ),
    low=0,
    high=1,
)
BINS = histogram("Seconds", [1.0, 1.2, 2.0, 3.0, 3.1, 90.0], Seconds(None), note="most are quick")
HEAT = HeatMap(
    title="Trials",
    rows=(
        HeatRow(HOSTILE, (HeatCell("pass", link="#a"), HeatCell("fail"))),
        HeatRow("S02", (HeatCell("scored", level=0.4, told="2.6"), HeatCell("error"), HeatCell(None))),
    ),
)
SPOTS = Scatter(
    title="Cost",
    across="$ a trial",
    up="Pass rate",
    spots=(Spot("A", Money(figure(0.3)), Rate(figure(0.6))), Spot(HOSTILE, Money(0.2), Rate(0.51), faded=True)),
)
TOLD: dict[str, tuple[Chart, tuple[str, ...]]] = {
    "dots": (DOTS, ("71.2%", "53.4%", "[43.4%, 63.4%]", "published")),
    "curve": (CURVE, ("61.0%", "83.0%", "[13.0%, 33.0%]")),
    "histogram": (BINS, ("1 s", "2", "or more", "most are quick")),
    "heatmap": (HEAT, ("S02", "2.6")),
    "scatter": (SPOTS, ("$0.3000", "51.0%")),
}
CHARTS = {name: chart for name, (chart, _) in TOLD.items()}


def written(chart: Chart, form: str) -> str:
    return write_page(Page(title="t", parts=(chart,)), form)


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("name", TOLD)
def test_every_writer_tells_the_figures(name: str, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    chart, told = TOLD[name]
    text = written(chart, form).replace("\\[", "[").replace("\\]", "]")
    if form == "html":
        text = re.sub(r"</?span[^>]*>", "", text)
    if form == "json":
        assert json.loads(text)["parts"][0]["chart"] == name
    else:
        assert all(one in text for one in told)


@pytest.mark.parametrize("name", CHARTS)
def test_a_picture_is_whole_and_no_markup_of_others(name: str) -> None:
    text = written(CHARTS[name], "html")
    page = Tags(text)
    assert page.open == []
    assert page.seen.count("b") == 0
    assert page.seen.count("table") == 1
    assert "style=" not in text  # a viewer's policy forbids it
    assert 'href="/run?a=1&amp;b=&quot;"' in text or name != "dots"


def marks(text: str, tag: str, name: str) -> list[float]:
    return [float(found) for found in re.findall(rf'<{tag}[^>]* {name}="([\d.]+)"', text)]


def test_figures_stand_where_they_belong() -> None:
    text = written(DOTS, "html")
    published, ours = marks(text, "circle", "cx")
    ends = zip(marks(text, "line", "x1"), marks(text, "line", "x2"), strict=True)
    low, high = next(pair for pair in ends if len(set(pair)) > 1)
    wanted = [8 + value * 464 for value in (0.712, 0.434, 0.534, 0.634)]
    assert [published, low, ours, high] == pytest.approx(wanted, abs=0.1)


def test_a_line_has_a_gap_where_nothing_is_known() -> None:
    text = written(CURVE, "html")
    lines = [len(points.split()) for points in re.findall(r'<polyline points="([^"]*)"', text)]
    bands = [len(points.split()) for points in re.findall(r'<polygon points="([^"]*)"', text)]
    assert lines == [2, 4]
    assert bands == [4, 8]
    assert len(marks(text, "circle", "cx")) == 1 + 3  # with the one that names the line


@given(st.lists(st.floats(min_value=0, max_value=1e6, allow_subnormal=False), min_size=1, max_size=60))
def test_every_value_is_in_one_bin(values: list[float]) -> None:
    bins = histogram("", values, Seconds(None)).bins
    assert sum(one.count for one in bins) == len(values)
    assert all(one.high == other.low for one, other in pairwise(bins))
    assert len(bins) <= 40


@given(st.lists(st.integers(min_value=0, max_value=3000), min_size=1, max_size=60))
def test_bins_of_whole_numbers_are_whole(values: list[int]) -> None:
    found = histogram("", values, Count(None))
    assert all(one.low == int(one.low) and (one.high == inf or one.high == int(one.high)) for one in found.bins)
    assert sum(one.count for one in found.bins) == len(values)


def test_outliers_share_the_last_bin_and_others_keep_their_shape() -> None:
    last = BINS.bins[-1]
    assert (last.high, last.count) == (inf, 1)
    assert last.low <= 10
    assert BINS.name(last) == f"{last.low:g} s or more"


@given(st.floats(min_value=-1e5, max_value=1e5), st.floats(min_value=1e-3, max_value=1e5))
def test_a_scale_holds_what_is_shown_and_has_few_ticks(value: float, spread: float) -> None:
    low, high = ends_of([Rate(Figure(value=value, low=value - spread, high=value + spread, n=9))], None, None)
    assert low <= value - spread * 0.999
    assert value + spread * 0.999 <= high
    assert 2 <= len(ticks(low, high)) <= 8


@given(st.integers(min_value=1, max_value=10**9))
def test_along_counts_stand_whole_numbers_at_one_distance(most: int) -> None:
    found = whole_ticks(most)
    assert 2 <= len(found) <= 9
    assert found[-1] <= most


def test_a_difference_is_shown_against_none() -> None:
    change = Change(Figure(value=0.2, low=0.15, high=0.25, n=9))
    dots = Dots(title="B", by="", dots=(Dot("all", change),))
    assert dots.ends == (0.0, 0.25)
    assert marks(written(dots, "html"), "line", "x1").count(8.0) == 2  # a tick, and a line of its own


def test_names_along_a_histogram_leave_each_other_room() -> None:
    text = written(histogram("", [float(second) for second in range(0, 90, 3)], Seconds(None)), "html")
    names = re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="middle">([^<]*)</text>', text)
    assert all(float(b[0]) - float(a[0]) > 7 * max(len(a[1]), len(b[1])) for a, b in pairwise(names))
    assert "1 min" in [name for _, name in names]


def test_names_along_a_histogram_tell_its_bins_apart_however_small_they_are() -> None:
    for size in (0.0001, 0.0003, 0.001, 0.003, 0.01, 1):
        text = written(histogram("", [size * place for place in range(1, 60)], Seconds(None)), "html")
        names = re.findall(r'text-anchor="middle">([^<]*)</text>', text)
        assert len(names) > 2
        assert len(set(names)) == len(names)


def test_no_name_sticks_out_at_a_side() -> None:
    amounts = (Rate(figure(0.5)),) * 9
    line = Curve(title="t", along="", places=("2026-11-19 20:00",) * 9, lines=(CurveLine("", amounts),))
    for text in (written(line, "html"), written(DOTS, "html")):
        for x, anchor, name in re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="(\w+)"[^>]*>([^<]*)<', text):
            left = float(x) - 7 * len(name) * {"start": 0, "middle": 0.5, "end": 1}[anchor]
            assert 0 <= left <= left + 7 * len(name) <= 480
