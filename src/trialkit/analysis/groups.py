"""Where two runs differ: by type of case."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from trialkit.pages import Count, Name, Note, Part, PValue, Table, changed, measured
from trialkit.stats import SIGNIFICANT, change_of, differ_by_group, holm

from .compare import BothRuns, Comparison, both_runs
from .words import p_value

#: Looking at more of them one by one finds nothing after correction, and takes a bootstrap each.
_MOST_GROUPS = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Groups:
    """The headline by type of case, over the paired cases."""

    sides: Mapping[str, BothRuns]  # empty where there are too many types to look at each
    corrected: tuple[float | None, ...]  # of each of these its p-value, for their number (Holm)
    number: int  # of types
    p: float | None  # of the test whether the difference is the same in all


def by_group(one: Comparison) -> Groups | None:
    """None: all paired cases are of one type."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    for case_id in one.paired:
        names[one.before.cases[case_id].group].append(case_id)
    if len(names) < 2:
        return None
    pairs = {
        group: [(one.before.cases[case_id], one.after.cases[case_id]) for case_id in found]
        for group, found in names.items()
    }
    sides = {
        group: both_runs(one.measure, [(before.values, after.values) for before, after in found])
        for group, found in (pairs.items() if len(pairs) <= _MOST_GROUPS else ())
    }
    tested = [side.difference.p for side in sides.values()]
    corrected = iter(holm([p for p in tested if p is not None]))
    return Groups(
        sides=sides,
        corrected=tuple(None if p is None else next(corrected) for p in tested),
        number=len(pairs),
        p=differ_by_group([[change_of(a.mean, b.mean) for a, b in found] for found in pairs.values()]),
    )


def group_parts(one: Comparison) -> list[Part]:
    found = by_group(one)
    if found is None:
        return []
    rows = tuple(
        (
            Name(group or "—", most=16),
            Count(side.difference.n),
            measured(side.before, one.measure, short=True),
            measured(side.after, one.measure, short=True),
            changed(side.difference, one.measure),
            PValue(corrected),
        )
        for (group, side), corrected in zip(found.sides.items(), found.corrected, strict=True)
    )
    columns = ("Type", "Cases", "A", "B", "B − A", "p")  # noqa: RUF001 - a minus sign
    note = f"p is corrected for {len(rows)} types (Holm), the intervals are not"
    table = Table(title="By type of case", columns=columns, rows=rows, note=note)
    return [*([table] if rows else []), Note(text=_sentence(found))]


def group_data(one: Comparison) -> dict[str, object] | None:
    found = by_group(one)
    if found is None:
        return None
    groups = zip(found.sides.items(), found.corrected, strict=True)
    return {
        "number": found.number,
        "p": found.p,
        "differ": found.p is not None and found.p < SIGNIFICANT,
        "summary": _sentence(found),
        "groups": {group: {**side.to_data(), "p_holm": corrected} for (group, side), corrected in groups},
    }


def _sentence(found: Groups) -> str:
    """What the test of all types at once tells; to compare their p-values with each other would be no test."""
    many = f"the {found.number:,} types of case"
    if found.p is not None and found.p < SIGNIFICANT:
        return f"B − A is not the same in {many}: they differ by more than noise ({p_value(found.p)})."  # noqa: RUF001
    said = f"Nothing shows that B − A is another in some of {many} than in others ({p_value(found.p)})."  # noqa: RUF001
    sure = sum(p is not None and p < SIGNIFICANT for p in found.corrected)
    if not 0 < sure < len(found.corrected):
        return said
    return f"{said} That it is more than noise in {sure} of them and not in others does not tell them apart."
