"""Whether one of several runs ends in error more often than another."""

from collections.abc import Iterable, Mapping

from trialkit.pages import Cell, Change, Count, PValue, Table
from trialkit.stats import SIGNIFICANT, Difference, holm_of_known
from trialkit.text.shown import counted

from .compare import Comparison


def errors_corrected(pairs: Iterable[Comparison]) -> list[float | None]:
    """Of each pair the p of its error rates, corrected for the number of pairs (Holm).

    Pairs without an error are counted as tests that show nothing: were they left out, the same p would tell more where
    other runs happened to have none. None: the pair has no case in common.
    """
    return holm_of_known([_p(one) for one in pairs])


def _p(one: Comparison) -> float | None:
    return one.errors.difference.p if one.errors else 1.0 if one.paired else None


def error_tables(title: str, pairs: Mapping[str, Comparison]) -> list[Table]:
    """Of the pairs of which one has errors; empty: no trial ended in error."""
    corrected = errors_corrected(pairs.values())
    rows = tuple(
        pair_row(name, one.errors.difference, Change(one.errors.difference, scale=100), p)
        for (name, one), p in zip(pairs.items(), corrected, strict=True)
        if one.errors
    )
    note = f"how often trials ended in error, over the cases that both tried; {corrected_for(corrected)}"
    columns = ("Pair", "Cases", "Points", "p", "p (Holm)", "Differ")
    return [Table(title=title, columns=columns, rows=rows, note=note)] if rows else []


def pair_row(name: str, difference: Difference, shown: Cell, corrected: float | None) -> tuple[Cell | str, ...]:
    """Of the columns Pair, Cases, the difference, p, p (Holm), Differ."""
    differ = "—" if corrected is None else "yes" if corrected < SIGNIFICANT else "no"
    return name, Count(difference.n), shown, PValue(difference.p), PValue(corrected), differ


def corrected_for(corrected: Iterable[float | None]) -> str:
    return f"p (Holm) is corrected for {counted(sum(p is not None for p in corrected), 'test')}"
