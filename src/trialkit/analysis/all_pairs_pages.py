"""Several runs held against each other, as a page, as JSON and as CSV."""

from collections.abc import Mapping
from itertools import combinations

from trialkit.pages import Cell, Count, Facts, Line, Note, Page, Table, changed, measured
from trialkit.stats import SIGNIFICANT, Figure
from trialkit.text.csvfile import write_rows
from trialkit.text.json import pretty
from trialkit.vocabulary import Measure

from .compare import AllPairs, Comparison, named_runs
from .compare_csv import csv_cells, csv_columns
from .compare_gate import GateOutcome
from .compare_pages import (
    FORMAT,
    comparison_data,
    error_notes,
    gate_notes,
    run_data,
    run_facts,
    some_names,
)
from .differences import judges_differ, setup_differences, warnings
from .error_pairs import corrected_for, error_tables, errors_corrected, pair_row
from .frontier import frontier_data, frontier_parts
from .headline import headline_data
from .leaderboard import leaderboard_data, leaderboard_parts
from .loaded import LoadedRun
from .users import user_data, user_parts
from .words import claim


def all_pairs_page(several: AllPairs, gate: GateOutcome | None = None) -> Page:
    named = named_runs(several.runs)
    differs = tuple((what, *values) for what, values in setup_differences(several.runs))
    told = Note(text=_verdict(several, named), strong=True)
    return Page(
        title=f"{several.runs[0].suite}: {len(several.runs)} runs",
        parts=(
            told,
            *gate_notes(gate),
            *(Note(text=said, loud=True) for said in _warnings(several, named)),
            Facts(rows=tuple((name, run_facts(run)) for name, run in named.items())),
            *([Table(title="What differs", columns=("", *named), rows=differs)] if differs else []),
            *(Note(text=said) for said in [*_left_out(named), *error_notes(named)]),
            *leaderboard_parts(several),
            *_figures(several, named),
            _pairs(several),
            *error_tables("Errors, every pair", _by_pair(several)),
            *user_parts(several.runs),
            *frontier_parts(several.runs),
        ),
        again=told,
    )


def _warnings(several: AllPairs, named: Mapping[str, LoadedRun]) -> list[str]:
    """Each judge with the runs that it decided, instead of the same again for every pair."""
    said = [judges_differ(named)] if len({run.judges for run in named.values() if run.judges}) > 1 else []
    for (one, before), (other, after) in combinations(named.items(), 2):
        said += [f"{one} and {other}: {warning}" for warning in warnings(before, after, but_judges=True)]
    return [*said, *several.peeked]


def _left_out(named: Mapping[str, LoadedRun]) -> list[str]:
    every = list(dict.fromkeys(case_id for run in named.values() for case_id in run.cases))
    said = []
    for name, run in named.items():
        missing = [case_id for case_id in every if case_id not in run.cases]
        unjudged = [case_id for case_id, case in run.cases.items() if not case.values]
        for what, names in (("Not in", missing), ("Without a verdict in", unjudged)):
            if names:
                said.append(f"{what} {name}, so not compared with it: {some_names(names)}.")
    return said


def _figures(several: AllPairs, named: Mapping[str, LoadedRun]) -> list[Table]:
    """Nothing where the leaderboard has told it: all runs have all cases, and no errors."""
    bounds = [run.bounds for run in several.runs]
    judged = {frozenset(case_id for case_id, case in run.cases.items() if case.values) for run in several.runs}
    if len(judged) == 1 and not any(bounds):
        return []
    rows = tuple(
        (
            name,
            run.called,
            Count(figure.n),
            measured(figure, several.measure, short=True),
            *([_between(bound, several.measure)] if any(bounds) else []),
        )
        for (name, run), figure, bound in zip(named.items(), several.figures, bounds, strict=True)
    )
    mean = several.measure.mean_name.capitalize()
    columns = ("", "Subject", "Verdicts", mean, *(["With errors"] if any(bounds) else []))
    return [Table(title="Each run by itself", columns=columns, rows=rows)]


def _between(bounds: Figure | None, measure: Measure) -> Cell | str:
    """The worst and the best that errors could make of the mean."""
    if bounds is None:
        return "—"
    low, high = ("?" if end is None else measured(end, measure, short=True) for end in (bounds.low, bounds.high))
    return Line((low, " to ", high))


def _by_pair(several: AllPairs) -> dict[str, Comparison]:
    letters = combinations(named_runs(several.runs), 2)
    return {
        f"{after} − {before}": one  # noqa: RUF001 - a minus sign
        for (before, after), one in zip(letters, several.pairs, strict=True)
    }


def _pairs(several: AllPairs) -> Table:
    rows = tuple(
        pair_row(name, one.headline.difference, changed(one.headline.difference, several.measure), corrected)
        for (name, one), corrected in zip(_by_pair(several).items(), several.corrected, strict=True)
    )
    by = "Points" if several.measure.kind == "pass" else several.measure.name.capitalize()
    lower = "" if several.measure.higher_is_better else "lower is better; "
    return Table(
        title="Every pair, over the cases of both",
        columns=("Pair", "Cases", by, "p", "p (Holm)", "Differ"),
        rows=rows,
        note=f"{lower}{corrected_for(several.corrected)}; flips: trialkit compare with two runs",
    )


def _verdict(several: AllPairs, named: Mapping[str, LoadedRun]) -> str:
    if not any(one.paired for one in several.pairs):
        return "There is nothing to compare: no case has a verdict in two of these runs."
    told = [
        claim(after, before, one.headline.difference.value or 0.0, several.measure)
        + (" (which may be the errors' doing)" if one.survives_errors is False else "")
        for (before, after), one, p in zip(combinations(named, 2), several.pairs, several.corrected, strict=True)
        if p is not None and p < SIGNIFICANT
    ]
    if told:
        return f"More than noise: {'; '.join(told)}."
    return "No two of these runs differ by more than noise would make them."


def all_pairs_json(several: AllPairs, gate: GateOutcome | None = None) -> str:
    runs = zip(several.runs, several.figures, strict=True)
    by = several.measure
    pairs = zip(several.pairs, several.corrected, errors_corrected(several.pairs), strict=True)
    return pretty(
        {
            "format": FORMAT,
            "warnings": _warnings(several, named_runs(several.runs)),
            "runs": [{**run_data(run), **headline_data(figure, by, run.bounds)} for run, figure in runs],
            "leaderboard": leaderboard_data(several),
            "cost_against_quality": frontier_data(several.runs),
            "user_variance": user_data(several.runs),
            "pairs": [
                {**comparison_data(one), "p_holm": corrected, "errors_p_holm": of_errors if one.errors else None}
                for one, corrected, of_errors in pairs
            ],
            "gate": gate.to_data() if gate else None,
        }
    )


def all_pairs_csv(several: AllPairs) -> str:
    """One row for each case that any of the runs has; empty cells where a run has it not."""
    named = named_runs(several.runs)
    rows = []
    for case_id in dict.fromkeys(case_id for run in several.runs for case_id in run.cases):
        found = [run.cases.get(case_id) for run in several.runs]
        group = next(case.group for case in found if case is not None)
        rows.append([case_id, group, *(cell for case in found for cell in csv_cells(case, several.measure))])
    return write_rows(["Case", "Type", *csv_columns(named, several.measure)], rows)
