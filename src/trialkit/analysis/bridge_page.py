"""The offset between two users: the same cases and the same subject before both."""

from typing import TYPE_CHECKING

from trialkit.pages import Note, Page
from trialkit.text.shown import counted

from .compare import Comparison
from .compare_pages import figures_table, set_up
from .words import amount, p_value, points

if TYPE_CHECKING:
    from trialkit.pages import Part


def bridge_page(one: Comparison) -> Page:
    """B is the run with the other user."""
    told = Note(text=_offset(one), strong=True)
    parts: list[Part] = [told, *set_up(one)]
    if one.paired:
        parts.append(figures_table(one))
    parts.append(
        Note(
            text=f"To hold another run whose user was {one.after.user} against {one.before.path.name}: compare it with"
            f" {one.after.path.name}. The offset is this subject's; another's may be another."
        )
    )
    return Page(title=f"{one.before.suite}: from {one.before.user} to {one.after.user}", parts=tuple(parts), again=told)


def _offset(one: Comparison) -> str:
    difference, measure = one.headline.difference, one.measure
    if difference.value is None:
        return "No case has a verdict with both users, so there is no offset to be told."
    size = points if measure.kind == "pass" else (lambda value: amount(value, measure))
    way = "higher" if difference.value > 0 else "lower"
    moved = f"{size(difference.value)} {way} than" if difference.value else "exactly the same as"
    ends = "" if difference.low is None or difference.high is None else f" {_between(one)}"
    over = f"over {counted(len(one.paired), 'paired case')}, {p_value(difference.p)}"
    noise = "" if difference.significant else "; that is not distinguishable from no offset"
    told = f"With {one.after.user} the {measure.mean_name} is {moved} with {one.before.user}"
    return f"{told}{ends}, {over}{noise}."


def _between(one: Comparison) -> str:
    low, high = one.headline.difference.low or 0.0, one.headline.difference.high or 0.0
    scale = 100 if one.measure.kind == "pass" else 1
    return f"[{scale * low:+.3g}, {scale * high:+.3g}]"
