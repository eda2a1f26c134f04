"""A plan as a page and as JSON."""

from dataclasses import asdict
from typing import Any

from trialkit.pages import Cell, Code, Count, Facts, Line, Money, Note, Page, Rate, Seconds, Table, measured
from trialkit.stats import POWER, SIGNIFICANT, Design, Figure
from trialkit.text.json import pretty
from trialkit.text.shown import counted
from trialkit.vocabulary import PASS, Measure

from .plan import Plan, Purchase
from .words import amount

FORMAT = "trialkit-plan/1"
_BUY = {"nothing": "nothing", "cases": "more cases", "trials": "more trials", "judgings": "more judgings"}


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
    if plan.twice_the_price:
        parts.append(_twice_the_price(plan))
    if plan.assumed is not None:
        parts.append(_assumptions(plan, plan.assumed))
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
        hardly = "Two runs of this size can hardly be told apart: not even the largest difference is likely to show."
        return f"{hardly} {_floor(plan)}".rstrip()
    least = amount(plan.detectable_difference, plan.measure)
    return (
        f"Comparing two runs of this size detects a difference of {least} or more (80% power, p < 0.05)."
        f" Smaller ones will mostly look like noise. {_floor(plan)}".rstrip()
    )


def _floor(plan: Plan) -> str:
    """What no number of trials can beat; empty: nothing, or next to it."""
    if not plan.floor or plan.floor < (plan.detectable_difference or 0.0) / 100:
        return ""
    least = amount(plan.floor, plan.measure)
    return (
        f"However often these {counted(plan.cases, 'case')} are tried, never less than {least}: buy cases, not trials."
    )


def what_is_needed(plan: Plan) -> str:
    wanted, each, cases = amount(plan.detect or 0.0, plan.measure), plan.trials_needed_per_case, plan.cases_needed
    if plan.assumed is None:
        return f"What it takes to detect {wanted} depends on that, too."
    said = f"To detect {wanted}: "
    if each is None and (plan.floor is None or plan.floor >= (plan.detect or 0.0)):
        said += f"no number of trials of these {counted(plan.cases, 'case')} will do"
    elif each is None:
        said += "more than 1,000 trials of each case"
    else:
        said += f"{each:,} trials of each of these {plan.cases:,} cases ({each * plan.cases:,} trials a run)"
    if cases is not None:
        said += f", or {counted(cases, 'case')} with {counted(plan.trials_per_case, 'trial')} each"
    return f"{said}."


def _twice_the_price(plan: Plan) -> Table:
    note, judgings = "", any(one.buy == "judgings" for one in plan.twice_the_price)
    if judgings and plan.estimated.judge.value is None:
        note = "No past answer was judged twice; trialkit rejudge RUN --judge-trials 2 makes that known."
    elif judgings:
        note = "Of an answer that is judged several times the mean counts."
    return Table(
        title="For twice the price",
        columns=("Buy", "Size", "Detects"),
        rows=tuple((_BUY[one.buy], _size(one), _detects(one, plan)) for one in plan.twice_the_price),
        note=note,
    )


def _size(one: Purchase) -> str:
    size = f"{counted(one.cases, 'case')} × {counted(one.trials_per_case, 'trial')}"  # noqa: RUF001 - a times sign
    if one.buy != "judgings":
        return size
    return f"{size}, each judged " + ("without end" if one.judgings is None else f"{one.judgings:,} times")


def _detects(one: Purchase, plan: Plan) -> str:
    if one.detectable_difference is None:
        unknown = one.buy == "judgings" and plan.estimated.judge.value is None
        return "unknown" if unknown else "hardly anything"
    return amount(one.detectable_difference, plan.measure)


def _assumptions(plan: Plan, design: Design) -> Table:
    """Each with what past runs tell of it."""
    told, own = plan.estimated, "past runs of this subject"
    first: tuple[Cell | str, ...]
    if design.deviation is None:
        first = ("pass rate", Rate(design.rate), *_from(told.mean, plan.measure, own))
    else:
        spread = measured(design.deviation, plan.measure)
        first = ("standard deviation between trials", spread, *_from(told.deviation, plan.measure, own))
    by = counted(told.subjects, "subject")
    rows: list[tuple[Cell | str, ...]] = [
        first,
        ("variance between cases", Rate(design.alike), *_from(told.alike, PASS, f"past trials of {by}")),
        ("what is hard is hard for both", Rate(design.shared), *_from(told.shared, PASS, f"past runs of {by}")),
    ]
    if told.judge.value is not None:
        rows.append(("variance by the judge", Rate(design.judge), *_from(told.judge, PASS, "past verdicts")))
    return Table(
        title="What this assumes",
        columns=("", "Assumed", "95% interval", "From"),
        rows=tuple(rows),
        note="The difference is about the same in every case.",
    )


def _from(figure: Figure, measure: Measure, source: str) -> tuple[Cell | str, str]:
    """The interval of an estimate, and what it was had from."""
    if figure.value is None or figure.low is None or figure.high is None:
        return "—", "assumed: no past run tells"
    return Line((measured(figure.low, measure), " to ", measured(figure.high, measure))), source


def plan_json(plan: Plan) -> str:
    return pretty({"format": FORMAT, **plan_data(plan)})


def plan_data(plan: Plan) -> dict[str, Any]:
    return {**asdict(plan), "assumed": _assumed(plan.assumed)}


def _assumed(design: Design | None) -> dict[str, float | None]:
    return {
        "pass_rate": design.rate if design and design.deviation is None else None,
        "deviation": design.deviation if design else None,
        "alike": design.alike if design else None,
        "shared": design.shared if design else None,
        "judge": design.judge if design else None,
        "power": POWER,
        "alpha": SIGNIFICANT,
    }
