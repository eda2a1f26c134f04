"""The shapes that charts are drawn with.

Colours are variables of the page's style, each with one beside it that does where there is no style, as in a notebook.
"""

from collections.abc import Callable, Iterable
from html import escape
from typing import Literal

from trialkit.text.shown import one_line

WIDTH = 480  # so that on a phone, where it is drawn smaller, letters can still be read
#: Told apart without colours too: each has a dash and a mark of its own.
COLOURS = ("var(--mark, #3b78b5)", "var(--second, #b8540a)", "var(--third, #5d7a12)")
FAINT = "var(--dim, #888)"
LETTER = 7.0  # the width of one

Anchor = Literal["start", "middle", "end"]
OnPaper = Callable[[float], float]


def between(low: float, high: float, first: float, last: float) -> OnPaper:
    """Where a value of the scale stands on the paper."""
    return lambda value: first + (min(max(value, low), high) - low) / ((high - low) or 1) * (last - first)


def anchored(x: float, words: str) -> Anchor:
    """What would stick out at a side ends, or begins, there."""
    half = (len(words) + 1) * LETTER / 2
    return "start" if x < half else "end" if x > WIDTH - half else "middle"


def svg(title: str, height: float, shapes: Iterable[str]) -> str:
    """One picture to a screen reader, or several things where there are links in it."""
    drawn = "".join(shapes)
    role = "group" if "<a " in drawn else "img"
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height:g}" role="{role}" aria-label="{told(title)}" font-size="13"'
        f' fill="currentColor">{drawn}</svg>'
    )


def told(text: str) -> str:
    return escape(one_line(text))


def text(
    x: float,
    y: float,
    words: str,
    *,
    anchor: Anchor = "start",
    room: float = WIDTH,
    dim: bool = False,
    strong: bool = False,
) -> str:
    """Cut off where there is no room for all of it, which is then told beside it."""
    most = int(room / LETTER / (1.1 if strong else 1))
    shown = words if len(words) <= most else f"{words[: most - 1]}…"
    looks = "".join((' opacity=".7"' if dim else "", ' font-weight="600"' if strong else ""))
    whole = "" if shown == words else f"<title>{told(words)}</title>"
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{looks}>{told(shown)}{whole}</text>'


def line(x: float, y: float, to_x: float, to_y: float, colour: str, width: float = 2) -> str:
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{width:g}"/>'


def grid_line(x: float, y: float, to_x: float, to_y: float) -> str:
    ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
    return f'<line {ends} stroke="currentColor" opacity=".15"/>'


def spot(x: float, y: float, colour: str, *, kind: int = 0, hollow: bool = False, says: str = "") -> str:
    """A circle, a square or a diamond."""
    fill = "var(--page, none)" if hollow else colour
    looks = f'fill="{fill}" stroke="{colour}" stroke-width="2"'
    title = f"<title>{told(says)}</title>" if says else ""
    if not kind % 3:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" {looks}>{title}</circle>'
    turned = f' transform="rotate(45 {x:.1f} {y:.1f})"' if kind % 3 == 2 else ""
    return f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" {looks}{turned}>{title}</rect>'


def linked(link: str, shapes: str) -> str:
    return f'<a href="{escape(link)}">{shapes}</a>' if link else shapes
