"""Several runs, each held against the first, with cost and time beside: what comes of a matrix."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from trialkit.pages import Cell, Dot, Dots, Facts, Note, Number, Page, PValue, Table, changed, measured
from trialkit.stats import SIGNIFICANT, Figure, holm_of_known, mean_by_case
from trialkit.vocabulary import Measure

from .compare import Comparison, compare_runs, named_runs
from .compare_pages import error_notes, run_facts
from .differences import setup_differences
from .error_pairs import error_tables
from .loaded import LoadedRun
from .words import claim

#: From so many US dollars a trial on it is told in dollars.
_IN_DOLLARS = 0.1


@dataclass(frozen=True, kw_only=True, slots=True)
class AgainstFirst:
    named: Mapping[str, LoadedRun]  # A, B, C …
    measure: Measure
    others: Mapping[str, Comparison]  # B, C …, each with A
    corrected: Mapping[str, float | None]  # p-values, for the number of runs (Holm)


def against_first(runs: Sequence[LoadedRun]) -> AgainstFirst:
    named = named_runs(runs)
    others = {name: compare_runs(runs[0], run) for name, run in list(named.items())[1:]}
    corrected = holm_of_known([one.headline.difference.p for one in others.values()])
    return AgainstFirst(
        named=named,
        measure=runs[0].measure,
        others=others,
        corrected=dict(zip(others, corrected, strict=True)),
    )


def against_first_page(found: AgainstFirst) -> Page:
    runs = list(found.named.values())
    differs = tuple((what, *values) for what, values in setup_differences(runs))
    return Page(
        title=f"{runs[0].suite}: {len(runs)} runs",
        parts=(
            Note(text=_verdict(found), strong=True),
            *(Note(text=said, loud=True) for said in _warnings(found)),
            Facts(rows=tuple((name, run_facts(run)) for name, run in found.named.items())),
            *([Table(title="What differs", columns=("", *found.named), rows=differs)] if differs else []),
            *(Note(text=said) for said in error_notes(found.named)),
            _chart(found),
            *error_tables("Errors against the first", _by_pair(found)),
        ),
    )


def _by_pair(found: AgainstFirst) -> dict[str, Comparison]:
    return {f"{name} − A": one for name, one in found.others.items()}  # noqa: RUF001 - a minus sign


def _warnings(found: AgainstFirst) -> list[str]:
    """What is to be said of several is said once."""
    whose: dict[str, list[str]] = {}
    for name, one in found.others.items():
        for said in one.warnings:
            whose.setdefault(said, []).append(name)
    return [f"A against {', '.join(names)}: {said}" for said, names in whose.items()]


def _chart(found: AgainstFirst) -> Dots:
    costs, seconds = _means(found, "cost"), _means(found, "seconds")
    cents = max((one.value or 0.0 for one in costs.values()), default=0.0) < _IN_DOLLARS
    by = found.measure
    rows = tuple(
        (
            name,
            measured(run.figure(by), by, short=True),
            *_difference(found, name),
            Number(costs[name].value, digits=3, scale=100 if cents else 1, unknown="unknown"),
            Number(seconds[name].value, digits=2, unknown="unknown"),
        )
        for name, run in found.named.items()
    )
    columns = ("", by.mean_name.capitalize(), "Against A", "p (Holm)", f"{'¢' if cents else '$'} a trial")
    points = "differences in points, over the cases of both; " if by.kind == "pass" else ""
    lower = "" if by.higher_is_better else "lower is better; "
    note = f"{lower}95% intervals; {points}p (Holm) is corrected for the number of runs"
    table = Table(title="Each against the first", columns=(*columns, "s a trial"), rows=rows, note=note)
    dots = tuple(Dot(f"{name} {run.called}", measured(run.figure(by), by)) for name, run in found.named.items())
    return Dots(title=by.mean_name.capitalize(), by=by.mean_name, dots=dots, low=by.low, high=by.high, whole=table)


def _means(found: AgainstFirst, what: Literal["cost", "seconds"]) -> dict[str, Figure]:
    return {letter: mean_by_case(run.amounts(run.cases, what) or []) for letter, run in found.named.items()}


def _difference(found: AgainstFirst, name: str) -> tuple[Cell | str, Cell | str]:
    one = found.others.get(name)
    if one is None or one.headline.difference.value is None:
        return "—", "—"
    return changed(one.headline.difference, found.measure), PValue(found.corrected[name])


def _verdict(found: AgainstFirst) -> str:
    if not any(one.paired for one in found.others.values()):
        return "There is nothing to compare: no case has a verdict in the first run and in another."
    told = [
        claim(name, "A", found.others[name].headline.difference.value or 0.0, found.measure)
        + (" (which may be the errors' doing)" if found.others[name].survives_errors is False else "")
        for name, p in found.corrected.items()
        if p is not None and p < SIGNIFICANT
    ]
    if told:
        return f"More than noise: {'; '.join(told)}."
    return "None of them differs from the first by more than noise would make it."
