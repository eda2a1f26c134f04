"""What a run file amounts to: the figures that every report shows."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from trialkit.runfile import ModelInUse, Prompt, RunFile, RunInfo, Spending, TrialRow
from trialkit.stats import Figure, exact, mean, pass_rate
from trialkit.vocabulary import Case

T = TypeVar("T", int, float)


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseSummary:
    case: Case
    trials: tuple[TrialRow, ...]

    def count(self, outcome: str | None) -> int:
        return sum(trial.ended is not None and trial.outcome == outcome for trial in self.trials)

    @property
    def verdicts(self) -> list[bool]:
        """Passed or not, of the trials that have a verdict."""
        return [trial.outcome == "pass" for trial in self.trials if trial.outcome in {"pass", "fail"}]


@dataclass(frozen=True, kw_only=True, slots=True)
class RoleSummary:
    """What the model in one role took. `paid` leaves out what came from stored replies."""

    role: str
    model: str
    calls: int
    stored: int
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    paid: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    info: RunInfo
    models: tuple[ModelInUse, ...]
    prompts: tuple[Prompt, ...]
    cases: tuple[CaseSummary, ...]
    total: int
    passed: int
    failed: int
    errors: int
    unjudged: int
    open: int
    kept: int
    pass_rate: Figure
    groups: dict[str, Figure]
    agreement: Figure | None  # of two judges; None: there was one
    roles: tuple[RoleSummary, ...]
    cost: Figure
    paid: Figure
    cost_per_trial: Figure
    seconds_per_trial: Figure
    failed_calls: int

    @property
    def done(self) -> int:
        return self.total - self.open


def summarize(run: RunFile) -> Summary:
    rows = run.trials()
    by_case: defaultdict[str, list[TrialRow]] = defaultdict(list)
    for row in rows:
        by_case[row.case_id].append(row)
    cases = tuple(CaseSummary(case=case, trials=tuple(by_case[case.id])) for case in run.cases())
    ended = [row for row in rows if row.ended is not None]
    ran = [row for row in ended if row.elapsed_s]
    roles = _roles(rows)
    groups = dict.fromkeys(one.case.group for one in cases)
    return Summary(
        info=run.info(),
        models=run.models(),
        prompts=run.prompts(),
        cases=cases,
        total=len(rows),
        passed=sum(row.outcome == "pass" for row in ended),
        failed=sum(row.outcome == "fail" for row in ended),
        errors=sum(row.outcome == "error" for row in ended),
        unjudged=sum(row.outcome is None for row in ended),
        open=len(rows) - len(ended),
        kept=sum(row.given for row in rows),
        pass_rate=pass_rate([one.verdicts for one in cases]),
        groups={group: pass_rate([one.verdicts for one in cases if one.case.group == group]) for group in groups},
        agreement=_agreement(cases),
        roles=roles,
        cost=exact(_sum(role.cost for role in roles), len(ended)),
        paid=exact(_sum(role.paid for role in roles), len(ended)),
        cost_per_trial=_mean([row.cost for row in ended]),
        seconds_per_trial=mean([row.elapsed_s for row in ran if row.elapsed_s]),
        failed_calls=run.failed_calls(),
    )


def judges_disagree(trial: TrialRow) -> bool:
    return _agrees(trial) is False


def _agrees(trial: TrialRow) -> bool | None:
    """Whether the judges of a trial say the same; None where fewer than two gave a verdict."""
    outcomes = [verdict.outcome for verdict in trial.verdicts if verdict.outcome != "error"]
    return len(set(outcomes)) == 1 if len(outcomes) > 1 else None


def _agreement(cases: Sequence[CaseSummary]) -> Figure | None:
    told = [[agrees for trial in one.trials if (agrees := _agrees(trial)) is not None] for one in cases]
    return pass_rate(told) if any(told) else None


def _roles(rows: Sequence[TrialRow]) -> tuple[RoleSummary, ...]:
    parts: defaultdict[tuple[str, str], list[Spending]] = defaultdict(list)
    for row in rows:
        for part in row.spending:
            parts[part.role, part.model].append(part)
    return tuple(_role(role, model, found) for (role, model), found in sorted(parts.items()))


def _role(role: str, model: str, parts: Sequence[Spending]) -> RoleSummary:
    return RoleSummary(
        role=role,
        model=model,
        calls=sum(part.calls for part in parts),
        stored=sum(part.calls for part in parts if part.source == "cache"),
        input_tokens=_sum(part.input_tokens for part in parts),
        output_tokens=_sum(part.output_tokens for part in parts),
        cost=_sum(part.cost for part in parts),
        paid=_sum(part.cost for part in parts if part.source == "live"),
    )


def _sum(values: Iterable[T | None]) -> T | None:
    """None as soon as one is unknown: a part is not the whole."""
    total: Any = 0
    for value in values:
        if value is None:
            return None
        total += value
    return cast("T", total)


def _mean(values: Sequence[float | None]) -> Figure:
    known = [value for value in values if value is not None]
    return mean(known) if len(known) == len(values) else Figure(value=None, low=None, high=None, n=len(values))
