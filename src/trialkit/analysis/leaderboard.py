"""Several runs in order, over the cases that all have in common, with the ranks that these leave open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from trialkit.pages import Count, Dot, Dots, Note, Part, Table, measured
from trialkit.stats import Difference, Figure, mean_score, rank_intervals
from trialkit.text.shown import counted

from .compare import AllPairs, Comparison, both_runs, named_runs
from .loaded import LoadedRun


@dataclass(frozen=True, kw_only=True, slots=True)
class Placed:
    name: str  # A, B, C …
    run: LoadedRun
    figure: Figure
    rank: Figure  # equals share one


@dataclass(frozen=True, kw_only=True, slots=True)
class Leaderboard:
    cases: tuple[str, ...]  # with a verdict in all runs
    standings: tuple[Placed, ...]  # the best first; empty without such a case


def leaderboard(several: AllPairs) -> Leaderboard:
    named, measure = named_runs(several.runs), several.measure
    cases = common_cases(several.runs)
    if not cases:
        return Leaderboard(cases=(), standings=())
    pairs = zip(combinations(range(len(named)), 2), several.pairs, strict=True)
    differences = {places: _difference(one, cases) for places, one in pairs}
    sign = 1 if measure.higher_is_better else -1
    gains = {places: (sign * (found.value or 0.0), found.p) for places, found in differences.items()}
    standings = [
        Placed(
            name=name,
            run=run,
            figure=mean_score([run.cases[case_id].values for case_id in cases], measure.low, measure.high),
            rank=Figure(value=rank.value, low=rank.low, high=rank.high, n=len(cases)),
        )
        for (name, run), rank in zip(named.items(), rank_intervals(len(named), gains), strict=True)
    ]
    return Leaderboard(cases=cases, standings=tuple(sorted(standings, key=lambda one: one.rank.value or 0)))


def common_cases(runs: Sequence[LoadedRun]) -> tuple[str, ...]:
    """Those with a verdict in each."""
    first, *others = runs
    return tuple(
        case_id
        for case_id, case in first.cases.items()
        if case.values and all(case_id in run.cases and run.cases[case_id].values for run in others)
    )


def _difference(one: Comparison, cases: tuple[str, ...]) -> Difference:
    if len(one.paired) == len(cases):
        return one.headline.difference
    pairs = [(one.before.cases[case_id].values, one.after.cases[case_id].values) for case_id in cases]
    return both_runs(one.measure, pairs).difference


def leaderboard_parts(several: AllPairs) -> list[Part]:
    found = leaderboard(several)
    if not found.cases:
        return [Note(text="No case has a verdict in all of these runs, so there is no leaderboard.")]
    rows = tuple(
        (
            Count(one.rank),
            one.name,
            one.run.called,
            Count(one.figure.n),
            measured(one.figure, several.measure, short=True),
        )
        for one in found.standings
    )
    title, by = f"Leaderboard, over the {counted(len(found.cases), 'case')} with a verdict in all", several.measure
    dots = tuple(Dot(f"{one.name} {one.run.called}", measured(one.figure, by)) for one in found.standings)
    table = Table(
        title=title,
        columns=("Rank", "", "Subject", "Verdicts", several.measure.mean_name.capitalize()),
        rows=rows,
        note="in brackets the ranks that these cases leave open, 95% sure of all at once, and the interval of each run",
    )
    return [Dots(title=title, by=by.mean_name, dots=dots, low=by.low, high=by.high, whole=table)]


def leaderboard_data(several: AllPairs) -> Mapping[str, object]:
    found = leaderboard(several)
    standings = [
        {"run": one.name, "headline": one.figure.to_data(), "rank": one.rank.to_data()} for one in found.standings
    ]
    return {"cases": len(found.cases), "standings": standings}
