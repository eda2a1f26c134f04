"""Before spending: what a run will take, and what its size can show."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trialkit.errors import InputError
from trialkit.models import ModelSpec, Usage, price_of
from trialkit.runfile import RecordedTrial, RunFile, Spending
from trialkit.settings import RunSettings
from trialkit.stats import Design, Figure, cases_needed, detectable, mean_by_case, pass_rate, trials_needed, unknown
from trialkit.suites import Suite, Usual

#: Older runs tell of other prompts and models.
_MOST_PAST_RUNS = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class RoleForecast:
    role: str
    model: str
    calls: float
    input_tokens: float
    output_tokens: float
    cost: float | None  # None: the price is unknown


@dataclass(frozen=True, kw_only=True, slots=True)
class Past:
    """What runs of the same suite tell."""

    runs: int
    trials: int
    roles: Mapping[str, Usual]
    cost_per_trial: Figure  # with the models of now; unknown where another model was used
    seconds_per_trial: Figure
    rate: Figure
    alike: float | None  # how much of the variance between trials is between cases; None: one trial each tells nothing


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    suite: str
    subject: str
    cases: int
    trials_each: int
    trials: int  # to run; what the data bring along is not counted
    concurrency: int
    basis: str
    roles: tuple[RoleForecast, ...]
    cost: float | None
    cost_interval: tuple[float, float] | None
    wall_s: float | None
    design: Design
    detectable: float | None
    wanted: float | None  # --detect
    trials_needed: int | None  # of each case
    cases_needed: int | None


def plan_run(suite: Suite, settings: RunSettings, past_dir: Path, wanted: float | None = None) -> Plan:
    """Nothing is asked of any model."""
    if past_dir != settings.output_dir and not past_dir.is_dir():
        raise InputError(f"{past_dir}: no such folder; --past names the one with the past runs")
    content = suite.content(settings)
    left = sum(trial.ended is None for trial in content.trials)
    played = suite.roles(settings, {prompt.role: prompt for prompt in suite.prompts(settings)})
    models = {name: role.spec for name, role in played.items() if role.spec is not None}
    past = past_runs(suite.name, past_dir, models, content.subject)
    usual = past.roles or suite.usual(settings)
    taken = {role: one for role, one in usual.items() if role in played}
    roles = tuple(_forecast(role, one, left, models.get(role)) for role, one in taken.items())
    each = max(1, round(len(content.trials) / len(content.cases))) if content.cases else settings.trials
    rate = past.rate.value
    design = Design(
        cases=len(content.cases),
        trials=each,
        rate=0.5 if rate is None else min(0.95, max(0.05, rate)),
        alike=past.alike or 0.0,
    )
    cost, interval = _cost(past, roles, left) if taken or not played else (None, None)
    return Plan(
        suite=suite.name,
        subject=content.subject,
        cases=len(content.cases),
        trials_each=each,
        trials=left,
        concurrency=settings.max_concurrency,
        basis=_basis(past, suite.usual(settings)) if played else "no model is asked",
        roles=roles,
        cost=cost,
        cost_interval=interval,
        wall_s=_wall_s(past, taken, left, settings.max_concurrency),
        design=design,
        detectable=detectable(design),
        wanted=wanted,
        trials_needed=None if wanted is None else trials_needed(design, wanted),
        cases_needed=None if wanted is None else cases_needed(design, wanted),
    )


def past_runs(suite: str, folder: Path, models: Mapping[str, ModelSpec], subject: str) -> Past:
    """The newest finished runs of the suite in a folder; those that cannot be read are passed over.

    All of them tell what a call takes, those of the same subject what its pass rate is.
    """
    found: list[tuple[list[RecordedTrial], str, str]] = []
    for path in sorted(folder.glob("*.trial"), reverse=True) if folder.is_dir() else ():
        try:
            with RunFile(path) as run:
                info = run.info()
                if info.suite == suite and info.state == "done":
                    found.append((run.trials(), path.name, info.subject))
        except InputError:
            continue
        if len(found) == _MOST_PAST_RUNS:
            break
    ended = [[row for row in trials if row.ended is not None and row.elapsed_s] for trials, *_ in found]
    rows = [row for trials in ended for row in trials]
    verdicts = _by_case_and_run([(rows, name) for rows, name, who in found if who == subject])
    return Past(
        runs=len(found),
        trials=len(rows),
        roles=_usual(ended),
        cost_per_trial=_cost_per_trial(rows, models),
        seconds_per_trial=mean_by_case([[row.elapsed_s] for row in rows if row.elapsed_s]),
        rate=pass_rate(verdicts),
        alike=_alike(verdicts),
    )


def _usual(runs: Sequence[Sequence[RecordedTrial]]) -> dict[str, Usual]:
    """A run in which no model played the role tells nothing of how often one is asked."""
    parts: defaultdict[str, list[Spending]] = defaultdict(list)
    trials: defaultdict[str, int] = defaultdict(int)
    for rows in runs:
        spent = [part for row in rows for part in row.spending]
        for part in spent:
            parts[part.role].append(part)
        for role in {part.role for part in spent}:
            trials[role] += len(rows)
    return {role: one for role, found in sorted(parts.items()) if (one := _mean_call(found, trials[role])) is not None}


def _mean_call(parts: Sequence[Spending], trials: int) -> Usual | None:
    calls = sum(part.calls for part in parts)
    told = [part for part in parts if part.input_tokens is not None and part.output_tokens is not None]
    counted = sum(part.calls for part in told)
    live = [part for part in parts if part.source == "live"]
    if not counted:
        return None
    return Usual(
        calls=calls / trials,
        input_tokens=sum(part.input_tokens or 0 for part in told) / counted,
        output_tokens=sum(part.output_tokens or 0 for part in told) / counted,
        seconds=sum(part.latency_s for part in live) / max(1, sum(part.calls for part in live)),
    )


def _cost_per_trial(rows: Sequence[RecordedTrial], models: Mapping[str, ModelSpec]) -> Figure:
    """Of trials whose every call was made by the model that will make it now."""
    costs: defaultdict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.cost is not None and row.spending and all(_same(part, models) for part in row.spending):
            costs[row.case_id].append(row.cost)
    return mean_by_case(list(costs.values())) if costs else unknown(0)


def _same(part: Spending, models: Mapping[str, ModelSpec]) -> bool:
    now = models[part.role].name if part.role in models else part.model  # an agent's own answers tell their own cost
    return part.model.rpartition("/")[2] == now.rpartition("/")[2]


def _by_case_and_run(found: Sequence[tuple[Sequence[RecordedTrial], str]]) -> list[list[bool]]:
    verdicts: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    for rows, name in found:
        for row in rows:
            if row.outcome in {"pass", "fail"}:
                verdicts[row.case_id, name].append(row.outcome == "pass")
    return list(verdicts.values())


def _alike(verdicts: Sequence[Sequence[bool]]) -> float | None:
    several = [trials for trials in verdicts if len(trials) > 1]
    if len(several) < 2:
        return None
    rates = [sum(trials) / len(trials) for trials in several]
    rate = sum(rates) / len(rates)
    if rate in {0.0, 1.0}:
        return None
    within = sum(r * (1 - r) * len(t) / (len(t) - 1) for r, t in zip(rates, several, strict=True)) / len(several)
    return min(0.95, max(0.0, 1 - within / (rate * (1 - rate))))


def _forecast(role: str, one: Usual, trials: int, model: ModelSpec | None) -> RoleForecast:
    price = None
    if model is not None:
        provider, slash, name = model.name.partition("/")
        price = price_of(provider, name) if slash else price_of(model.provider, model.name)
    usage = Usage(input_tokens=round(one.input_tokens), output_tokens=round(one.output_tokens))
    calls = one.calls * trials
    return RoleForecast(
        role=role,
        model=model.name if model else "no model",
        calls=calls,
        input_tokens=calls * one.input_tokens,
        output_tokens=calls * one.output_tokens,
        cost=None if price is None else calls * price.cost(usage),
    )


def _cost(past: Past, roles: Sequence[RoleForecast], trials: int) -> tuple[float | None, tuple[float, float] | None]:
    """What past trials cost, where the same models made them; else what the tokens cost by the price list."""
    each = past.cost_per_trial
    if each.value is not None and roles:
        interval = None if each.low is None or each.high is None else (each.low * trials, each.high * trials)
        return each.value * trials, interval
    costs = [one.cost for one in roles]
    return (None, None) if None in costs else (sum(cost for cost in costs if cost is not None), None)


def _wall_s(past: Past, usual: Mapping[str, Usual], trials: int, concurrency: int) -> float | None:
    """Trials one after the other in as many lanes; without model calls, as long as past trials took."""
    each = sum(one.calls * one.seconds for one in usual.values()) or past.seconds_per_trial.value
    return -(-trials // concurrency) * each if each else None


def _basis(past: Past, usual: Mapping[str, Usual]) -> str:
    if past.roles or (past.trials and not usual):
        return (
            f"{past.runs} past runs ({past.trials} trials)" if past.runs > 1 else f"a past run of {past.trials} trials"
        )
    return "the suite's own figures (no past run tells)" if usual else "nothing: no past run of this suite"
