"""Before spending: what a run will take, and what its size can show."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import Literal

from trialkit.engine import check_batches, with_judge
from trialkit.errors import InputError
from trialkit.models import ModelSpec, Usage, endings, price_of
from trialkit.settings import RunSettings
from trialkit.stats import (
    ALIKE,
    SHARED,
    Design,
    Figure,
    cases_needed,
    detectable,
    floor,
    known_sum,
    trials_needed,
    unknown,
)
from trialkit.suites import Role, Suite, Usual, content_of
from trialkit.vocabulary import Measure

from .past import Past, past_runs

_ENDLESS = 10**9


@dataclass(frozen=True, kw_only=True, slots=True)
class RoleForecast:
    model: str
    calls: float
    input_tokens: float
    output_tokens: float
    cost_usd: float | None  # None: the price is unknown


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimates:
    """What past runs tell of how trials vary; a `value` of None: they do not."""

    subjects: int  # by whom there are runs
    mean: Figure  # of the same subject
    deviation: Figure  # likewise
    alike: Figure
    shared: Figure
    judge: Figure


@dataclass(frozen=True, kw_only=True, slots=True)
class Purchase:
    """What the run could be for twice its price, and what it would detect."""

    buy: Literal["nothing", "cases", "trials", "judgings"]
    cases: int
    trials_per_case: int
    judgings: int | None  # of each answer; None: without end, for their price is not known
    detectable_difference: float | None  # None: not even the largest, or of judgings that nobody knows


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """Its fields are called as in `plan --format json`."""

    suite: str
    subject: str
    cases: int
    trials_per_case: int
    trials: int  # to run; what the data bring along is not counted
    max_concurrency: int
    basis: str
    roles: Mapping[str, RoleForecast]
    endings: tuple[str, ...]  # of models that are not there much longer
    cost_usd: Figure
    wall_s: float | None
    measure: Measure  # the headline
    assumed: Design | None  # None: nothing is known of how far the scores spread
    estimated: Estimates
    detectable_difference: float | None
    floor: float | None  # the same with endless trials of these cases
    twice_the_price: tuple[Purchase, ...]
    detect: float | None  # what is to be detected
    trials_needed_per_case: int | None
    cases_needed: int | None


def plan_run(suite: Suite, settings: RunSettings, past_dir: Path, wanted: float | None = None) -> Plan:
    """Nothing is asked of any model."""
    settings = with_judge(suite, settings, [])
    if past_dir != settings.output_dir and not past_dir.is_dir():
        raise InputError(f"{past_dir}: no such folder; --past names the one with the past runs")
    content = content_of(suite, settings)
    played = suite.roles(settings, {prompt.role: prompt for prompt in suite.prompts(settings)})
    check_batches(settings, played)
    models = {name: role.spec for name, role in played.items() if role.spec is not None}
    measure = suite.measures[0]
    if wanted is not None and wanted >= measure.span:
        fix = "; 5 points are 0.05" if measure.kind == "pass" else ""
        raise InputError(f"--detect {wanted:g}: two runs cannot be so far apart, measured by {measure}{fix}")
    past = past_runs(suite, measure, past_dir, models, content.subject, next(iter(played), None), batch=settings.batch)
    usual, left = past.roles or suite.usual(settings), sum(trial.ended is None for trial in content.trials)
    taken = {role: one for role, one in usual.items() if role in played}
    batched = {role for role, one in played.items() if settings.batch and one.spec and not one.converses}
    roles = {role: forecast(one, left, models.get(role), in_batch=role in batched) for role, one in taken.items()}
    each = max(1, round(len(content.trials) / len(content.cases))) if content.cases else settings.trials
    design = _design(measure, past, cases=len(content.cases), trials=each)
    return Plan(
        suite=suite.name,
        subject=content.subject,
        cases=len(content.cases),
        trials_per_case=each,
        trials=left,
        max_concurrency=settings.max_concurrency,
        basis=_basis(past, suite.usual(settings), batched) if played else "no model is asked",
        roles=roles,
        endings=tuple(endings(models.values(), datetime.now(UTC).date())),
        cost_usd=_cost(past, roles, left) if taken or not played else unknown(left),
        wall_s=None if batched else _wall_s(past, taken, left, settings.max_concurrency),
        measure=measure,
        assumed=design,
        estimated=Estimates(
            subjects=past.subjects,
            mean=past.mean,
            deviation=past.deviation,
            alike=past.variance.alike,
            shared=past.variance.shared,
            judge=past.variance.judge,
        ),
        detectable_difference=detectable(design) if design else None,
        floor=floor(design) if design else None,
        twice_the_price=tuple(_purchases(design, past, played, roles)) if design and design.cases > 1 else (),
        detect=wanted,
        trials_needed_per_case=trials_needed(design, wanted) if design and wanted else None,
        cases_needed=cases_needed(design, wanted) if design and wanted else None,
    )


def _design(measure: Measure, past: Past, *, cases: int, trials: int) -> Design | None:
    """Where no run tells: half of the trials pass, or half are at either end of the range."""
    alike = _kept(past.variance.alike, ALIKE)
    design = Design(
        cases=cases,
        trials=trials,
        alike=alike,
        shared=_kept(past.variance.shared, SHARED),
        judge=min(1 - alike, past.variance.judge.value or 0.0),
    )
    if measure.kind == "pass":
        mean = past.mean.value
        return replace(design, rate=0.5 if mean is None else min(0.95, max(0.05, mean)))
    deviation = past.deviation.value or measure.span / 2
    return None if deviation == inf else replace(design, deviation=deviation, room=measure.span)


def _kept(figure: Figure, otherwise: float) -> float:
    """Never all of it: then no more trials, or no more cases, would be needed at all."""
    return otherwise if figure.value is None else min(0.95, figure.value)


def _purchases(
    design: Design, past: Past, played: Mapping[str, Role], roles: Mapping[str, RoleForecast]
) -> Iterator[Purchase]:
    """As planned, then each way to spend as much again. Judgings only where a model judges."""
    yield _purchase("nothing", design)
    yield _purchase("cases", replace(design, cases=2 * design.cases))
    yield _purchase("trials", replace(design, trials=2 * design.trials))
    judges = {name for name, role in played.items() if role.phase == "judge"}
    if not judges:
        return
    costs = {name: one.cost_usd for name, one in roles.items()}
    judging = known_sum(cost for name, cost in costs.items() if name in judges)
    whole = known_sum(costs.values())
    times = 1 + int(whole / judging) if whole and judging else None
    bought = _purchase("judgings", replace(design, judgings=times or _ENDLESS))
    told = past.variance.judge.value is not None
    yield replace(bought, judgings=times, detectable_difference=bought.detectable_difference if told else None)


def _purchase(buy: Literal["nothing", "cases", "trials", "judgings"], design: Design) -> Purchase:
    return Purchase(
        buy=buy,
        cases=design.cases,
        trials_per_case=design.trials,
        judgings=design.judgings,
        detectable_difference=detectable(design),
    )


def forecast(one: Usual, trials: int, model: ModelSpec | None, *, in_batch: bool = False) -> RoleForecast:
    price = None
    if model is not None:
        provider, slash, name = model.name.partition("/")
        price = price_of(provider, name) if slash else price_of(model.provider, model.name)
    if price is not None and in_batch:
        price = price.in_batch()
    usage = Usage(input_tokens=round(one.input_tokens), output_tokens=round(one.output_tokens))
    calls = one.calls * trials
    return RoleForecast(
        model=model.name if model else "no model",
        calls=calls,
        input_tokens=calls * one.input_tokens,
        output_tokens=calls * one.output_tokens,
        cost_usd=None if price is None else calls * price.cost(usage),
    )


def _cost(past: Past, roles: Mapping[str, RoleForecast], trials: int) -> Figure:
    """What past trials cost, where the same models made them; else what the tokens cost by the price list."""
    each = past.cost_per_trial
    if each.value is not None and roles:
        value, low, high = (None if one is None else one * trials for one in (each.value, each.low, each.high))
        return Figure(value=value, low=low, high=high, n=trials)
    costs = [one.cost_usd for one in roles.values() if one.cost_usd is not None]
    return Figure(value=sum(costs) if len(costs) == len(roles) else None, low=None, high=None, n=trials)


def _wall_s(past: Past, usual: Mapping[str, Usual], trials: int, concurrency: int) -> float | None:
    """Trials one after the other in as many lanes; without model calls, as long as past trials took."""
    each = sum(one.calls * one.seconds for one in usual.values()) or past.seconds_per_trial.value
    return -(-trials // concurrency) * each if each else None


def _basis(past: Past, usual: Mapping[str, Usual], batched: Collection[str]) -> str:
    half = f"; {' and '.join(sorted(batched))} in batches: half the price, answers within a day" if batched else ""
    return f"{_source(past, usual)}{half}"


def _source(past: Past, usual: Mapping[str, Usual]) -> str:
    if past.roles or (past.trials and not usual):
        return (
            f"{past.runs} past runs ({past.trials} trials)" if past.runs > 1 else f"a past run of {past.trials} trials"
        )
    return "the suite's own figures (no past run tells)" if usual else "nothing: no past run of this suite"
