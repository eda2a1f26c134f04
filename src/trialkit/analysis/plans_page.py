"""The plans of several runs that go on at the same time, in one table."""

from collections.abc import Mapping, Sequence

from trialkit.pages import Cell, Count, Facts, Line, Money, Note, Page, Seconds, Table
from trialkit.text.json import pretty

from .plan import Plan
from .plan_pages import FORMAT, plan_data, what_is_needed, what_it_shows

#: A, B, C …, with what tells it from the others, and its plan.
Named = Mapping[str, tuple[str, Plan]]


def plans_page(named: Named) -> Page:
    plans = [plan for _, plan in named.values()]
    first = plans[0]
    table = Table(
        title="Each run",
        columns=("", "Run", "Trials", "Calls", "Cost", "Time"),
        rows=tuple(
            (
                name,
                called,
                Count(plan.trials),
                Count(round(_calls(plan))),
                Money(plan.cost_usd.value),
                Seconds(plan.wall_s) if plan.wall_s else "unknown",
            )
            for name, (called, plan) in named.items()
        ),
        note="about; the time is that of each run alone",
    )
    notes = [what_it_shows(first), *([what_is_needed(first)] if first.detect is not None else [])]
    return Page(
        title=f"Plan: {first.suite}, {len(plans)} runs",
        parts=(
            Facts(
                rows=(("calls in all", _about(Count(round(sum(map(_calls, plans)))))), ("cost in all", _cost(plans)))
            ),
            table,
            *(Note(text=said, strong=True) for said in notes),
        ),
    )


def _calls(plan: Plan) -> float:
    return sum(one.calls for one in plan.roles.values())


def _about(cell: Cell) -> Line:
    return Line(("about ", cell))


def _total(plans: Sequence[Plan]) -> float | None:
    costs = [plan.cost_usd.value for plan in plans]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _cost(plans: Sequence[Plan]) -> Cell | str:
    total = _total(plans)
    return "unknown (the price of a run is not known)" if total is None else _about(Money(total))


def plans_json(named: Named) -> str:
    plans = [{"run": name, "called": called, **plan_data(plan)} for name, (called, plan) in named.items()]
    total = _total([plan for _, plan in named.values()])
    return pretty({"format": FORMAT, "cost_usd": total, "plans": plans})
