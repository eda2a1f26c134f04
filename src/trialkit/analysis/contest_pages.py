"""Several runs held against each other, as a page, as JSON and as CSV."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from trialkit.pages import Count, Facts, Note, Page, PValue, Rate, Table
from trialkit.text.csvfile import write_rows
from trialkit.text.shown import counted

from .compare import Contest
from .compare_pages import FORMAT, as_json, comparison_data, errors_told, points_of, run_data, run_facts, some_names
from .loaded import Loaded
from .settings import differences, judges_differ, warnings


def contest_page(several: Contest) -> Page:
    named = _named(several.runs)
    unlike = tuple((what, *values) for what, values in differences(several.runs))
    return Page(
        title=f"{several.runs[0].suite}: {len(several.runs)} runs",
        parts=(
            Facts(rows=tuple((name, run_facts(run)) for name, run in named.items())),
            *([Table(title="What differs", columns=("", *named), rows=unlike)] if unlike else []),
            *(Note(text=said, loud=True) for said in _warnings(named)),
            *(Note(text=said) for said in [*_left_out(named), *errors_told(named)]),
            _rates(several, named),
            _pairs(several, named),
            Note(text=_verdict(several, named), strong=True),
        ),
    )


def _named(runs: Sequence[Loaded]) -> dict[str, Loaded]:
    return {chr(ord("A") + place) if place < 26 else f"#{place + 1}": run for place, run in enumerate(runs)}


def _warnings(named: Mapping[str, Loaded]) -> list[str]:
    """Each judge with the runs that it decided, instead of the same again for every pair."""
    said = [judges_differ(named)] if len({run.judges for run in named.values() if run.judges}) > 1 else []
    for (one, before), (other, after) in combinations(named.items(), 2):
        said += [f"{one} and {other}: {warning}" for warning in warnings(before, after, but_judges=True)]
    return said


def _left_out(named: Mapping[str, Loaded]) -> list[str]:
    every = list(dict.fromkeys(case_id for run in named.values() for case_id in run.cases))
    said = []
    for name, run in named.items():
        missing = [case_id for case_id in every if case_id not in run.cases]
        unjudged = [case_id for case_id, case in run.cases.items() if not case.verdicts]
        for what, names in (("Not in", missing), ("Without a verdict in", unjudged)):
            if names:
                said.append(f"{what} {name}, so not compared with it: {some_names(names)}.")
    return said


def _rates(several: Contest, named: Mapping[str, Loaded]) -> Table:
    rows = tuple(
        (name, run.subject, Count(len(run.cases)), Count(figure.n), Rate(figure))
        for (name, run), figure in zip(named.items(), several.rates, strict=True)
    )
    return Table(title="Each run by itself", columns=("", "Subject", "Cases", "Verdicts", "Pass rate"), rows=rows)


def _pairs(several: Contest, named: Mapping[str, Loaded]) -> Table:
    rows = tuple(
        (
            f"{after} − {before}",  # noqa: RUF001 - a minus sign
            Count(len(one.paired)),
            points_of(one.rate.difference),
            PValue(one.rate.difference.p),
            PValue(corrected),
            "—" if corrected is None else "yes" if corrected < 0.05 else "no",
        )
        for (before, after), one, corrected in zip(
            combinations(named, 2), several.pairs, several.corrected, strict=True
        )
    )
    return Table(
        title="Every pair, over the cases of both",
        columns=("Pair", "Cases", "Points", "p", "p (Holm)", "Differ"),
        rows=rows,
        note=f"p (Holm) is corrected for {counted(len(rows), 'test')}; flips: trialkit compare with two runs",
    )


def _verdict(several: Contest, named: Mapping[str, Loaded]) -> str:
    if not any(one.paired for one in several.pairs):
        return "There is nothing to compare: no case has a verdict in two of these runs."
    told = [
        f"{after} passes {'more' if (one.rate.difference.value or 0) > 0 else 'less'} often than {before}"
        for (before, after), one, p in zip(combinations(named, 2), several.pairs, several.corrected, strict=True)
        if p is not None and p < 0.05
    ]
    if told:
        return f"More than noise: {'; '.join(told)}."
    return "No two of these runs differ by more than noise would make them."


def contest_json(several: Contest) -> str:
    runs = zip(several.runs, several.rates, strict=True)
    pairs = zip(several.pairs, several.corrected, strict=True)
    return as_json(
        {
            "format": FORMAT,
            "runs": [{**run_data(run), "pass_rate": figure.to_data()} for run, figure in runs],
            "pairs": [{**comparison_data(one), "p_holm": corrected} for one, corrected in pairs],
        }
    )


def contest_csv(several: Contest) -> str:
    """One row for each case that any of the runs has; empty cells where a run has it not."""
    named = _named(several.runs)
    rows = []
    for case_id in dict.fromkeys(case_id for run in several.runs for case_id in run.cases):
        found = [run.cases.get(case_id) for run in several.runs]
        group = next(case.group for case in found if case is not None)
        counts = [("", "") if case is None else (sum(case.verdicts), len(case.verdicts)) for case in found]
        rows.append([case_id, group, *(str(count) for both in counts for count in both)])
    columns = [f"{name} {what}" for name in named for what in ("passed", "trials")]
    return write_rows(["Case", "Type", *columns], rows)
