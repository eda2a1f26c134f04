"""A plan as a page and as JSON."""

from dataclasses import asdict

from trialkit.pages import Cell, Code, Count, Facts, Line, Money, Note, Page, Rate, Seconds, Table
from trialkit.stats import POWER, SIGNIFICANT, Design, Figure
from trialkit.text.json import pretty
from trialkit.text.shown import counted

from .plan import Plan
from .words import amount

FORMAT = "trialkit-plan/1"


def plan_page(plan: Plan) -> Page:
    size = f"{counted(plan.cases, 'case')} × {counted(plan.trials_each, 'trial')}"  # noqa: RUF001 - a times sign
    facts: list[tuple[str, Cell | str]] = [
        ("size", f"{size}; {counted(plan.trials, 'trial')} to run"),
        ("model calls", _calls(plan)),
        ("cost", _cost(plan)),
        ("time", _time(plan)),
        ("based on", plan.basis),
    ]
    parts: list[Facts | Table | Note] = [Facts(rows=tuple(facts))]
    if plan.roles:
        rows = tuple(
            (
                one.role,
                Code(one.model),
                Count(round(one.calls)),
                Count(round(one.input_tokens)),
                Count(round(one.output_tokens)),
                Money(one.cost),
            )
            for one in plan.roles
        )
        columns = ("Role", "Model", "Calls", "Tokens in", "Tokens out", "By price list")
        parts.append(Table(title="Who is asked", columns=columns, rows=rows))
    parts.append(Note(text=what_it_shows(plan), strong=True))
    if plan.wanted is not None:
        parts.append(Note(text=what_is_needed(plan), strong=True))
    if plan.design is not None:
        parts.append(Note(text=_assumptions(plan, plan.design)))
    return Page(title=f"Plan: {plan.suite}, {plan.subject}", parts=tuple(parts))


def _calls(plan: Plan) -> Cell | str:
    if not plan.roles:
        return "none" if plan.cost == 0 else "unknown"
    return Line(("about ", Count(round(sum(one.calls for one in plan.roles)))))


def _cost(plan: Plan) -> Cell | str:
    if plan.cost is None:
        return "unknown (a price is not known, or how many calls there will be)"
    return Line(("about ", Money(_forecast(plan)))) if plan.cost else "nothing"


def _forecast(plan: Plan) -> Figure:
    low, high = plan.cost_interval or (None, None)
    return Figure(value=plan.cost, low=low, high=high, n=plan.trials)


def _time(plan: Plan) -> Cell | str:
    if not plan.wall_s:
        return "unknown"
    return Line(("about ", Seconds(plan.wall_s), f" at concurrency {plan.concurrency}"))


def what_it_shows(plan: Plan) -> str:
    if plan.design is None:
        return f"What this size can show depends on how far {plan.measure.name} spreads: a first run of it would tell."
    if plan.detectable is None:
        return "Two runs of this size can hardly be told apart: not even the largest difference is likely to show."
    return (
        f"Comparing two runs of this size detects a difference of {amount(plan.detectable, plan.measure)} or more"
        " (80% power, p < 0.05). Smaller ones will mostly look like noise."
    )


def what_is_needed(plan: Plan) -> str:
    wanted, each, cases = amount(plan.wanted or 0.0, plan.measure), plan.trials_needed, plan.cases_needed
    if plan.design is None:
        return f"What it takes to detect {wanted} depends on that, too."
    total = None if each is None else each * plan.cases
    said = f"To detect {wanted}: "
    if total is None:
        said += "more than 1,000 trials of each case"
    else:
        said += f"{each:,} trials of each of these {plan.cases:,} cases ({total:,} trials a run)"
    if cases is not None:
        said += f", or {counted(cases, 'case')} with {counted(plan.trials_each, 'trial')} each"
    return f"{said}."


def _assumptions(plan: Plan, design: Design) -> str:
    alike = (
        f"{Rate(design.between_cases)} of the variance between trials lies between cases"
        if design.between_cases
        else ("trials of one case are no more alike than others (the cautious choice)")
    )
    if design.deviation is None:
        spread = f"a pass rate of {Rate(design.rate)}"
    else:
        spread = f"a standard deviation of {amount(design.deviation, plan.measure)} between trials"
    return f"Assumed: {spread}; {alike}; the difference is the same in every case."


def plan_json(plan: Plan) -> str:
    data: dict[str, object] = {
        "format": FORMAT,
        "suite": plan.suite,
        "subject": plan.subject,
        "cases": plan.cases,
        "trials_per_case": plan.trials_each,
        "trials": plan.trials,
        "max_concurrency": plan.concurrency,
        "basis": plan.basis,
        "roles": {
            one.role: {
                "model": one.model,
                "calls": one.calls,
                "input_tokens": one.input_tokens,
                "output_tokens": one.output_tokens,
                "cost_usd": one.cost,
            }
            for one in plan.roles
        },
        "cost_usd": _forecast(plan).to_data(),
        "wall_s": plan.wall_s,
        "measure": asdict(plan.measure),
        "assumed": _assumed(plan.design),
        "detectable_difference": plan.detectable,
        "detect": plan.wanted,
        "trials_needed_per_case": plan.trials_needed,
        "cases_needed": plan.cases_needed,
    }
    return pretty(data)


def _assumed(design: Design | None) -> dict[str, float | None]:
    return {
        "pass_rate": design.rate if design and design.deviation is None else None,
        "deviation": design.deviation if design else None,
        "alike": design.between_cases if design else None,
        "power": POWER,
        "alpha": SIGNIFICANT,
    }
