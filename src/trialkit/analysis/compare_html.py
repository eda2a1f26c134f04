"""A comparison as one file of HTML: below each flip the trials of both runs, side by side."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from trialkit.pages import html_pieces
from trialkit.runfile import RunFile

from .compare import Comparison
from .compare_gate import GateOutcome
from .compare_pages import comparison_page
from .show import pair_parts


def comparison_html(one: Comparison, gate: GateOutcome | None = None) -> Iterator[str]:
    """Of a CSV there is nothing to be shown but the critiques."""
    if one.before.from_csv or one.after.from_csv:
        yield from html_pieces(comparison_page(one, gate))
        return
    with RunFile(one.before.path) as before, RunFile(one.after.path) as after:
        names = {flip.case_id: f"flip-{place}" for place, flip in enumerate(one.flips)}
        page = comparison_page(one, gate, lambda case_id: f"#{names[case_id]}")
        cases = {case.id: case for case in before.cases()}
        folded = ((name, partial(pair_parts, before, after, cases[case_id])) for case_id, name in names.items())
        yield from html_pieces(replace(page, folded=folded))
