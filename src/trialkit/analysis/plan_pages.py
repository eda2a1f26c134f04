"""A plan as a page and as JSON."""

from dataclasses import asdict

from trialkit.pages import Cell, Code, Count, Facts, Line, Money, Note, Page, Rate, Seconds, Table
from trialkit.stats import POWER, SIGNIFICANT, Design
from trialkit.text.json import pretty
from trialkit.text.shown import counted

from .plan import Plan
from .words import amount

FORMAT = "trialkit-plan/1"


def plan_page(plan: Plan) -> Page:
    size = f"{counted(plan.cases, 'case')} × {counted(plan.trials_per_case, 'trial')}"  # noqa: RUF001 - a times sign
    facts = (
        ("size", f"{size}; {counted(plan.trials, 'trial')} to run"),
        ("model calls", _calls(plan)),
        ("cost", _cost(plan)),
        ("time", _time(plan)),
        ("based on", plan.basis),
    )
    parts: list[Facts | Table | Note] = [Facts(rows=facts)]
    if plan.roles:
        rows = tuple(
            (
                role,
                Code(one.model),
                Count(round(one.calls)),
                Count(round(one.input_tokens)),
                Count(round(one.output_tokens)),
                Money(one.cost_usd),
            )
            for role, one in plan.roles.items()
        )
        columns = ("Role", "Model", "Calls", "Tokens in", "Tokens out", "By price list")
        parts.append(Table(title="Who is asked", columns=columns, rows=rows))
    parts.append(Note(text=what_it_shows(plan), strong=True))
    if plan.detect is not None:
        parts.append(Note(text=what_is_needed(plan), strong=True))
    if plan.assumed is not None:
        parts.append(Note(text=_assumptions(plan, plan.assumed)))
    return Page(title=f"Plan: {plan.suite}, {plan.subject}", parts=tuple(parts))


def _calls(plan: Plan) -> Cell | str:
    if not plan.roles:
        return "none" if plan.cost_usd.value == 0 else "unknown"
    return Line(("about ", Count(round(sum(one.calls for one in plan.roles.values())))))


def _cost(plan: Plan) -> Cell | str:
    if plan.cost_usd.value is None:
        return "unknown (a price is not known, or how many calls there will be)"
    return Line(("about ", Money(plan.cost_usd))) if plan.cost_usd.value else "nothing"


def _time(plan: Plan) -> Cell | str:
    if not plan.wall_s:
        return "unknown"
    return Line(("about ", Seconds(plan.wall_s), f" at concurrency {plan.max_concurrency}"))


def what_it_shows(plan: Plan) -> str:
    if plan.assumed is None:
        return f"What this size can show depends on how far {plan.measure.name} spreads: a first run of it would tell."
    if plan.detectable_difference is None:
        return "Two runs of this size can hardly be told apart: not even the largest difference is likely to show."
    least = amount(plan.detectable_difference, plan.measure)
    return (
        f"Comparing two runs of this size detects a difference of {least} or more (80% power, p < 0.05)."
        " Smaller ones will mostly look like noise."
    )


def what_is_needed(plan: Plan) -> str:
    wanted, each, cases = amount(plan.detect or 0.0, plan.measure), plan.trials_needed_per_case, plan.cases_needed
    if plan.assumed is None:
        return f"What it takes to detect {wanted} depends on that, too."
    said = f"To detect {wanted}: "
    if each is None:
        said += "more than 1,000 trials of each case"
    else:
        said += f"{each:,} trials of each of these {plan.cases:,} cases ({each * plan.cases:,} trials a run)"
    if cases is not None:
        said += f", or {counted(cases, 'case')} with {counted(plan.trials_per_case, 'trial')} each"
    return f"{said}."


def _assumptions(plan: Plan, design: Design) -> str:
    alike = "trials of one case are no more alike than others (the cautious choice)"
    if design.between_cases:
        alike = f"{Rate(design.between_cases)} of the variance between trials lies between cases"
    spread = f"a pass rate of {Rate(design.rate)}"
    if design.deviation is not None:
        spread = f"a standard deviation of {amount(design.deviation, plan.measure)} between trials"
    return f"Assumed: {spread}; {alike}; the difference is the same in every case."


def plan_json(plan: Plan) -> str:
    return pretty({"format": FORMAT, **asdict(plan), "assumed": _assumed(plan.assumed)})


def _assumed(design: Design | None) -> dict[str, float | None]:
    return {
        "pass_rate": design.rate if design and design.deviation is None else None,
        "deviation": design.deviation if design else None,
        "alike": design.between_cases if design else None,
        "power": POWER,
        "alpha": SIGNIFICANT,
    }
