"""How the judges stand against people, in a few lines: for those who label just now."""

from collections.abc import Iterator

from trialkit.pages import Cell, Change, Facts, Note, Number, Part, Words
from trialkit.text.shown import counted

from .align import Alignment
from .align_pages import kappa_cell, rate_cell


def standing(found: Alignment) -> tuple[Part, ...]:
    if not found.labelled:
        return (Note(text="Nobody has said yet what a trial is worth, so nothing is known of the judges."),)
    return (Facts(rows=tuple(_facts(found))),)


def _facts(found: Alignment) -> Iterator[tuple[str, Cell]]:
    for one in found.judges:
        overall = one.overall
        yield one.judge, Words(f"{overall.confusion.n:g} of {counted(found.labelled, 'label')}")
        yield "  agreement", rate_cell(overall.agreement)
        yield "  kappa", kappa_cell(overall.kappa)
        yield "  corrected pass rate", rate_cell(overall.corrected_pass_rate)
    for score in found.scores:
        yield score.judge, Words(f"{score.labels} of {counted(found.labelled, 'label')}")
        yield "  off by", Change(score.difference, digits=2)
        yield "  correlation", Number(score.correlation, digits=2)
