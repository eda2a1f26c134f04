"""A comparison as CSV: a row for each case."""

from collections.abc import Iterable

from trialkit.text.csvfile import write_rows
from trialkit.vocabulary import Measure

from .compare import Comparison
from .loaded import LoadedCase


def comparison_csv(one: Comparison) -> str:
    """One row for each paired case."""
    flips = {flip.case_id: flip for flip in one.flips}
    rows = []
    for name in one.paired:
        before, after, flip = one.before.cases[name], one.after.cases[name], flips.get(name)
        said = (flip.direction, flip.critique_before, flip.critique_after) if flip else ("same", "", "")
        rows.append([name, before.group, *csv_cells(before, one.measure), *csv_cells(after, one.measure), *said])
    columns = ["Case", "Type", *csv_columns(("A", "B"), one.measure), "Change", "Critique A", "Critique B"]
    return write_rows(columns, rows)


def csv_columns(runs: Iterable[str], measure: Measure) -> list[str]:
    """`A passed`, `A trials`; of a score `A quality`, `A trials`."""
    told = "passed" if measure.kind == "pass" else measure.name
    return [f"{run} {what}" for run in runs for what in (told, "trials")]


def csv_cells(case: LoadedCase | None, measure: Measure) -> tuple[str, str]:
    if case is None:
        return "", ""
    n = len(case.values)
    if measure.kind == "pass":
        return f"{sum(case.values):.0f}", str(n)
    return str(case.mean) if n else "", str(n)
