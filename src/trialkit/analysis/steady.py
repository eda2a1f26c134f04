"""Where the variance between a run's trials comes from, and which cases always end the same.

A case that does tells nothing in a comparison until it changes, whatever its trials cost.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trialkit.pages import Cell, Count, Line, Money, Rate, Table
from trialkit.stats import Figure, exact, known_sum

from .summary import CaseSummary, Summary

#: More names than this are no list but a flood: the rest are counted.
_MOST_NAMES = 50
_KINDS = {"sometimes": "pass sometimes", "always_pass": "always pass", "always_fail": "always fail"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Steady:
    """Cases of several trials that end alike."""

    kind: str
    cases: tuple[str, ...]
    share_of_trials: Figure  # of all that ended
    cost: Figure  # of theirs
    share_of_cost: Figure  # of what the run cost


def steady(summary: Summary) -> list[Steady]:
    """Of each kind; empty: no case has two verdicts."""
    told = [one for one in summary.cases if len(one.verdicts) > 1]
    return [_steady(summary, kind, [one for one in told if _kind(one) == kind]) for kind in _KINDS] if told else []


def _steady(summary: Summary, kind: str, cases: Sequence[CaseSummary]) -> Steady:
    whole = summary.cost  # unknown as well where answers were given elsewhere, though nothing was spent here
    costs = [trial.cost for one in cases for trial in one.trials if trial.ended is not None]
    cost = None if whole.value is None else known_sum(costs)
    return Steady(
        kind=kind,
        cases=tuple(one.case.id for one in cases),
        share_of_trials=exact(len(costs) / whole.n, whole.n),
        cost=exact(cost, len(costs)),
        share_of_cost=exact(cost / whole.value if cost is not None and whole.value else None, whole.n),
    )


def variance_tables(summary: Summary) -> Iterator[Table]:
    variance = summary.variance
    if variance is not None and variance.alike.value is not None:
        judged = variance.judge.value is not None
        rows: list[tuple[Cell | str, ...]] = [
            ("between cases", Rate(variance.alike)),
            ("between trials of a case", Rate(variance.rest)),
        ]
        rows += [("the judge, asked again", Rate(variance.judge))] if judged else []
        title, note = "Where the variance comes from", _together(summary.parties)
        yield Table(title=title, columns=("Part", "Share"), rows=tuple(rows), note=note)
    kinds = steady(summary)
    if kinds:
        yield Table(
            title="Which cases always end the same",
            columns=("Cases that", "Number", "Of all trials", "Cost", "Which"),
            rows=tuple(
                (
                    _KINDS[one.kind],
                    Count(len(one.cases)),
                    Rate(one.share_of_trials.value),
                    _cost(one),
                    _names(one.cases),
                )
                for one in kinds
            ),
            note="Those that always end the same tell nothing in a comparison until they change.",
        )


def _together(parties: Sequence[str]) -> str:
    """Why there is no row for each of them."""
    if len(parties) < 2:
        return ""
    told = f"{', '.join(parties[:-1])} and {parties[-1]}"
    return (
        f"Trials of a case differ by what {told} do together: each answers the other, so none has a share of its own."
        " What another user would do to it, a run with one tells: trialkit compare."
    )


def variance_data(summary: Summary) -> dict[str, object]:
    variance = summary.variance
    parts = ("deviation", "alike", "judge", "rest")
    return {
        "variance": {name: getattr(variance, name).to_data() for name in parts} if variance else None,
        "steady": {
            one.kind: {
                "cases": list(one.cases),
                "share_of_trials": one.share_of_trials.to_data(),
                "cost_usd": one.cost.to_data(),
                "share_of_cost": one.share_of_cost.to_data(),
            }
            for one in steady(summary)
        },
    }


def _kind(one: CaseSummary) -> str:
    passed = sum(one.verdicts)
    return "always_pass" if passed == len(one.verdicts) else "sometimes" if passed else "always_fail"


def _cost(one: Steady) -> Cell:
    if one.share_of_cost.value is None:
        return Money(one.cost)
    return Line((Money(one.cost.value), " (", Rate(one.share_of_cost.value), ")"))


def _names(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" … and {more:,} more" if more > 0 else "")
