"""Cost against quality: what runs cost for what they are worth, and which leave nothing to be said for others."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import fsum

from trialkit.pages import Cell, Note, Number, Part, Scatter, Spot, Table, measured
from trialkit.stats import Figure, amount_per_pass, dominance, dominates, mean_by_case, mean_score, unknown
from trialkit.text.shown import counted
from trialkit.vocabulary import Measure

from .compare import named_runs
from .leaderboard import common_cases
from .loaded import LoadedRun

#: From this share of resamples on a sentence names who dominates whom; it does not say surely, for cases may be few.
_SURE = 0.95
_UNKNOWN = unknown(0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Offer:
    """A run, over the cases that all runs have in common."""

    quality: Figure
    cost: Figure  # of a trial; unknown as soon as one trial's is
    per_pass: Figure | None  # None: trials are scored
    seconds: Figure
    dominated_by: tuple[str, ...] | None  # as they stand; None: its price is unknown


@dataclass(frozen=True, kw_only=True, slots=True)
class Frontier:
    measure: Measure
    cases: tuple[str, ...]
    offers: Mapping[str, Offer]  # by the run's letter
    chances: Mapping[tuple[str, str], float]  # that the first dominates the second; of runs whose price is known


def frontier(runs: Sequence[LoadedRun]) -> Frontier | None:
    """None: there is no case in common, or nobody is known to have cost anything."""
    named, measure, cases = named_runs(runs), runs[0].measure, common_cases(runs)
    mixed = len({run.with_judging for run in runs}) > 1
    told = {name: () if mixed and run.with_judging else cases for name, run in named.items()}
    costs = {name: found for name, run in named.items() if (found := run.amounts(told[name], "cost"))}
    if not any(map(sum, (amounts for of_run in costs.values() for amounts in of_run))):
        return None
    seconds = {name: run.amounts(told[name], "seconds") or [] for name, run in named.items()}
    quality = {
        name: mean_score([run.cases[one].values for one in cases], measure.low, measure.high)
        for name, run in named.items()
    }
    means = {name: mean_by_case(amounts) for name, amounts in costs.items()}
    offers = {
        name: Offer(
            quality=quality[name],
            cost=means.get(name, _UNKNOWN),
            per_pass=_per_pass(run, cases, costs.get(name)) if measure.kind == "pass" else None,
            seconds=mean_by_case(seconds[name]),
            dominated_by=_dominators(name, measure, quality, means) if name in means else None,
        )
        for name, run in named.items()
    }
    return Frontier(measure=measure, cases=cases, offers=offers, chances=_chances(named, measure, cases, costs))


def _per_pass(run: LoadedRun, cases: Sequence[str], costs: Sequence[Sequence[float]] | None) -> Figure:
    """Trials in error are paid for, and do not pass."""
    if costs is None:
        return _UNKNOWN
    outcomes = ([trial.outcome for trial in run.cases[one].trials] for one in cases)
    return amount_per_pass(costs, [[one == "pass" for one in of_case if one is not None] for of_case in outcomes])


def _dominators(
    name: str, measure: Measure, quality: Mapping[str, Figure], cost: Mapping[str, Figure]
) -> tuple[str, ...]:
    sign = 1 if measure.higher_is_better else -1
    value, price = quality[name].value or 0.0, cost[name].value or 0.0
    return tuple(
        other
        for other in cost
        if dominates(sign * ((quality[other].value or 0.0) - value), price - (cost[other].value or 0.0))
    )


def _chances(
    named: Mapping[str, LoadedRun],
    measure: Measure,
    cases: Sequence[str],
    costs: Mapping[str, Sequence[Sequence[float]]],
) -> dict[tuple[str, str], float]:
    sign = 1 if measure.higher_is_better else -1
    shares = dominance(
        [[sign * named[name].cases[one].mean for one in cases] for name in costs],
        [[fsum(amounts) / len(amounts) for amounts in of_run] for of_run in costs.values()],
    )
    return {
        (one, other): share
        for one, of_run in zip(costs, shares, strict=True)
        for other, share in zip(costs, of_run, strict=True)
        if one != other
    }


def frontier_parts(runs: Sequence[LoadedRun]) -> list[Part]:
    found = frontier(runs)
    if found is None:
        return []
    most = max(offer.cost.value or 0.0 for offer in found.offers.values())
    unit, scale = ("$", 1.0) if most >= 0.1 else ("¢", 100.0)
    scored = found.measure.kind == "score"
    money = partial(Number, digits=3 if most * scale >= 0.01 else 5, scale=scale)
    rows = tuple(_row(found, name, money) for name in found.offers)
    mean, per_pass = found.measure.mean_name.capitalize(), [] if scored else [f"{unit} a pass"]
    table = Table(
        title=f"Cost against quality, over {counted(len(found.cases), 'case')}",
        columns=("", mean, f"{unit} a trial", *per_pass, "s a trial", "Dominated"),
        rows=rows,
        note="dominated: another is as good or better and costs no more; beside it, in what share of resamples of the"
        " cases it does" + ("" if scored else "; a pass: trials that fail or end in error are paid for too"),
    )
    return [_chart(found, table, f"{unit} a trial", money), Note(text=_sentence(found))]


def _chart(found: Frontier, table: Table, across: str, money: Callable[..., Number]) -> Part:
    spots = tuple(
        Spot(name, money(offer.cost), measured(offer.quality, found.measure), faded=bool(offer.dominated_by))
        for name, offer in found.offers.items()
    )
    return Scatter(title=table.title, across=across, up=found.measure.mean_name, spots=spots, whole=table)


def _row(found: Frontier, name: str, money: Callable[..., Number]) -> tuple[Cell | str, ...]:
    offer = found.offers[name]
    no_price = "unknown" if offer.cost.value is None else "no pass"
    return (
        name,
        measured(offer.quality, found.measure, short=True),
        money(offer.cost, unknown="unknown"),
        *([money(offer.per_pass, unknown=no_price)] if offer.per_pass else []),
        Number(offer.seconds, digits=2, unknown="unknown"),
        _dominated(found, name),
    )


def _dominated(found: Frontier, name: str) -> str:
    """By the one that does so most surely."""
    by = found.offers[name].dominated_by
    if by is None:
        return "unknown"
    if not by:
        return "no"
    chance, surest = max((found.chances[other, name], other) for other in by)
    return f"by {surest}, {'> 99%' if chance > 0.99 else f'{chance:.0%}'}"


def _sentence(found: Frontier) -> str:
    sure = [f"{one} dominates {other}" for (one, other), chance in found.chances.items() if chance >= _SURE]
    if sure:
        return f"In {_SURE:.0%} of resamples or more, {', '.join(sure)}."
    return f"No run dominates another in {_SURE:.0%} of resamples or more."


def frontier_data(runs: Sequence[LoadedRun]) -> dict[str, object] | None:
    found = frontier(runs)
    if found is None:
        return None
    return {
        "cases": len(found.cases),
        "runs": [
            {
                "run": name,
                "headline": offer.quality.to_data(),
                "cost_per_trial_usd": offer.cost.to_data(),
                "cost_per_pass_usd": offer.per_pass.to_data() if offer.per_pass else None,
                "seconds_per_trial": offer.seconds.to_data(),
                "dominated_by": None if offer.dominated_by is None else list(offer.dominated_by),
            }
            for name, offer in found.offers.items()
        ],
        "dominates": [
            {"run": one, "over": other, "probability": chance} for (one, other), chance in found.chances.items()
        ],
        "summary": _sentence(found),
    }
