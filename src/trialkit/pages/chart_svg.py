"""Charts drawn as SVG on the server, by a few functions of our own."""

from collections.abc import Iterator, Sequence
from functools import singledispatch
from itertools import groupby
from math import ceil, inf

from .amounts import Amount, Change, Count
from .chart import Curve, CurveLine, Dot, Dots, Histogram, Scatter, Spot
from .scale import ends_of, tick_text, ticks, whole_ticks
from .svg import COLOURS, FAINT, LETTER, WIDTH, OnPaper, anchored, between, grid_line, line, linked, spot, svg, text

_ROW = 38  # of dots: a line of words, and below it the figure
_HEIGHT = 190  # of what is drawn between the axes
_TOP, _LEFT, _RIGHT = 12, 52, 14
_MIDDLE = (_LEFT + WIDTH - _RIGHT) / 2
_DASHES = ("", "7 3", "2 3")


@singledispatch
def chart_svg(chart: object) -> str:
    raise TypeError(f"no page has {chart!r}")


@chart_svg.register
def _dots(chart: Dots) -> str:
    low, high = chart.ends
    across, bottom = between(low, high, 8, WIDTH - 8), _ROW * len(chart.dots) + 4
    shapes = [*_names_across(low, high, across, bottom, chart.dots[0].amount)] if chart.dots else []
    for place, dot in enumerate(chart.dots):
        y = place * _ROW
        shapes += [grid_line(across(tick), y + 20, across(tick), y + 32) for tick in ticks(low, high)]
        if isinstance(dot.amount, Change):
            shapes.append(line(across(0), y + 18, across(0), y + 34, FAINT, 1))
        shapes.append(linked(dot.link, "".join(_dot(dot, y, across))))
    return svg(chart.title, bottom + 20, shapes)


def _dot(dot: Dot, y: float, across: OnPaper) -> Iterator[str]:
    value, ends = dot.amount.told()
    said = f"{value} {ends}".rstrip()
    label = f"{dot.label} · {dot.note}" if dot.note else dot.label
    yield text(8, y + 15, label, room=WIDTH - 24 - LETTER * len(said), strong=dot.ours and bool(dot.note))
    yield text(WIDTH - 8, y + 15, said, anchor="end")
    yield from _error_bar(dot.amount, y + 26, across, COLOURS[0] if dot.ours else FAINT, hollow=not dot.ours)


def _error_bar(amount: Amount, y: float, across: OnPaper, colour: str, *, hollow: bool) -> Iterator[str]:
    if amount.ends:
        low, high = map(across, amount.ends)
        yield line(low, y, high, y, colour)
        yield from (line(end, y - 4, end, y + 4, colour) for end in (low, high))
    if amount.value is not None:
        yield spot(across(amount.value), y, colour, hollow=hollow)


@chart_svg.register
def _curve(chart: Curve) -> str:
    low, high = chart.ends
    named = len(chart.lines) > 1
    top = _TOP + (20 if named else 0)
    up, bottom = between(low, high, top + _HEIGHT, top), top + _HEIGHT
    last = len(chart.places) - 1
    across = between(0, last, _LEFT + 16, WIDTH - _RIGHT - 16) if last else between(0, 0, WIDTH / 2, WIDTH / 2)
    shapes = list(_scale_up(low, high, up, chart.lines[0].amounts[0])) if chart.places else []
    shapes += _names_along(chart, across, bottom)
    shapes.append(text(_MIDDLE, bottom + 36, chart.along, anchor="middle", dim=True))
    shapes += (band for number, one in enumerate(chart.lines) for band in _bands(one, number, across, up))
    for number, one in enumerate(chart.lines):
        shapes += _line(chart, one, number, across, up)
        if named:
            x = _LEFT + number * (WIDTH - _LEFT) / len(chart.lines)
            shapes.append(spot(x + 4, 12, COLOURS[number % 3], kind=number))
            shapes.append(text(x + 14, 16, one.name, room=(WIDTH - _LEFT) / len(chart.lines) - 20))
    return svg(chart.title, bottom + 44, shapes)


def _names_along(chart: Curve, across: OnPaper, bottom: float) -> Iterator[str]:
    every = _every(chart.places)
    for place, name in enumerate(chart.places):
        if place % every == 0:
            yield text(across(place), bottom + 18, name, anchor=anchored(across(place), name), room=WIDTH / 2)


def _every(names: Sequence[str]) -> int:
    """Every so many have room beside each other."""
    longest = max(map(len, names), default=0) + 2
    return max(1, ceil(len(names) * longest * LETTER / (WIDTH - _LEFT - _RIGHT)))


def _bands(one: CurveLine, number: int, across: OnPaper, up: OnPaper) -> Iterator[str]:
    """Of a single point it is a line."""
    for points in _stretches(one):
        ends = [(across(place), *map(up, amount.ends)) for place, amount in points if amount.ends]
        if len(ends) == 1:
            (x, low, high), *_ = ends
            yield line(x, low, x, high, COLOURS[number % 3])
        elif ends:
            around = [*((x, high) for x, _, high in ends), *((x, low) for x, low, _ in reversed(ends))]
            yield f'<polygon points="{_written(around)}" fill="{COLOURS[number % 3]}" opacity=".2"/>'


def _line(chart: Curve, one: CurveLine, number: int, across: OnPaper, up: OnPaper) -> Iterator[str]:
    colour, dash = COLOURS[number % 3], _DASHES[number % 3]
    for points in _stretches(one):
        if len(points) > 1:
            through = _written([(across(place), up(amount.value or 0.0)) for place, amount in points])
            looks = f'fill="none" stroke="{colour}" stroke-width="2"' + (f' stroke-dasharray="{dash}"' if dash else "")
            yield f'<polyline points="{through}" {looks}/>'
        for place, amount in points:
            link = chart.links[place] if chart.links else ""
            says = f"{chart.places[place]}: {amount}"
            yield linked(link, spot(across(place), up(amount.value or 0.0), colour, kind=number, says=says))


def _stretches(one: CurveLine) -> Iterator[list[tuple[int, Amount]]]:
    """Without what nobody knows: there a line has a gap."""
    for known, points in groupby(enumerate(one.amounts), key=lambda point: point[1].value is not None):
        if known and one.joins:
            yield list(points)
        elif known:
            yield from ([point] for point in points)


def _written(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


@chart_svg.register
def _histogram(chart: Histogram) -> str:
    most = max((one.count for one in chart.bins), default=0) or 1
    up, bottom = between(0, most, _TOP + _HEIGHT, _TOP), _TOP + _HEIGHT
    wide = (WIDTH - _LEFT - _RIGHT) / (len(chart.bins) or 1)
    names = [tick_text(chart.one.show(one.low)) + ("+" if one.high == inf else "") for one in chart.bins]
    every = _every(names)
    shapes = []
    for tick in whole_ticks(most):
        shapes += [grid_line(_LEFT, up(tick), WIDTH - _RIGHT, up(tick))]
        shapes += [text(_LEFT - 8, up(tick) + 4, f"{tick:,}", anchor="end", dim=True)]
    for place, one in enumerate(chart.bins):
        x, y = _LEFT + place * wide, up(one.count)
        says = f"<title>{chart.name(one)}: {one.count:,}</title>"
        size = f'width="{max(wide - 2, 1):.1f}" height="{bottom - y:.1f}"'
        shapes.append(f'<rect x="{x + 1:.1f}" y="{y:.1f}" {size} fill="{COLOURS[0]}">{says}</rect>')
        if place % every == 0:
            centre = wide / 2 if isinstance(chart.one, Count) else 0  # an amount stands where it begins
            shapes.append(text(x + centre, bottom + 18, names[place], anchor="middle"))
    return svg(chart.title, bottom + 28, shapes)


@chart_svg.register
def _scatter(chart: Scatter) -> str:
    low, high = ends_of([one.across for one in chart.spots], None, None)
    least, most = ends_of([one.up for one in chart.spots], None, None)
    across, bottom = between(low, high, _LEFT + 8, WIDTH - _RIGHT - 8), _TOP + _HEIGHT
    up = between(least, most, bottom, _TOP)
    if not chart.spots:
        return svg(chart.title, bottom, ())
    shapes = [*_scale_up(least, most, up, chart.spots[0].up)]
    shapes += [grid_line(across(tick), _TOP, across(tick), bottom) for tick in ticks(low, high)]
    shapes += _names_across(low, high, across, bottom, chart.spots[0].across)
    shapes.append(text(_MIDDLE, bottom + 36, chart.across, anchor="middle", dim=True))
    shapes += ["".join(_spot(one, number, across, up)) for number, one in enumerate(chart.spots)]
    return svg(chart.title, bottom + 44, shapes)


def _spot(one: Spot, number: int, across: OnPaper, up: OnPaper) -> Iterator[str]:
    if one.across.value is None or one.up.value is None:
        return
    x, y, colour = across(one.across.value), up(one.up.value), FAINT if one.faded else COLOURS[number % 3]
    if one.across.ends:
        yield line(across(one.across.ends[0]), y, across(one.across.ends[1]), y, colour, 1.5)
    if one.up.ends:
        yield line(x, up(one.up.ends[0]), x, up(one.up.ends[1]), colour, 1.5)
    yield spot(x, y, colour, kind=number, hollow=one.faded, says=f"{one.label}: {one.up}, {one.across}")
    yield text(x + 8, y - 8, one.label, strong=not one.faded)


def _scale_up(low: float, high: float, up: OnPaper, one: Amount) -> Iterator[str]:
    for tick in ticks(low, high):
        yield grid_line(_LEFT, up(tick), WIDTH - _RIGHT, up(tick))
        yield text(_LEFT - 8, up(tick) + 4, tick_text(one.show(tick)), anchor="end", dim=True)


def _names_across(low: float, high: float, across: OnPaper, bottom: float, one: Amount) -> Iterator[str]:
    for tick in ticks(low, high):
        x = across(tick)
        name = tick_text(one.show(tick))
        yield text(x, bottom + 16, name, anchor=anchored(x, name), dim=True)
