"""What a run file amounts to: the figures that every report shows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from trialkit.runfile import Counts, ModelInUse, Prompt, RecordedTrial, RunFile, RunInfo, Spending
from trialkit.stats import (
    Figure,
    Variance,
    error_bounds,
    exact,
    known,
    known_sum,
    mean_by_case,
    mean_score,
    pass_hat_all,
    pass_rate,
)
from trialkit.suites import Details, asking, suite_of
from trialkit.text.json import dump, parse
from trialkit.vocabulary import Case, Measure

from .headline import worths_of
from .variance import run_variance


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseSummary:
    case: Case
    trials: tuple[RecordedTrial, ...]

    def count(self, outcome: str | None) -> int:
        return sum(trial.ended is not None and trial.outcome == outcome for trial in self.trials)

    @property
    def verdicts(self) -> list[bool]:
        """Passed or not, of the trials that have a verdict."""
        return [trial.outcome == "pass" for trial in self.trials if trial.outcome in {"pass", "fail"}]

    def worths(self, measure: Measure, measures: Sequence[Measure]) -> list[float | None]:
        """What the trials are worth by one of the suite's measures; None: it ended in error."""
        return worths_of(self.trials, measure.reader(measures))

    def values(self, measure: Measure, measures: Sequence[Measure]) -> list[float]:
        """As far as their verdicts tell."""
        return known([self.worths(measure, measures)])[0]


@dataclass(frozen=True, kw_only=True, slots=True)
class RoleSummary:
    """What the models in one role took. `paid` leaves out what came from stored replies."""

    role: str
    model: str
    calls: int
    stored: int
    input_tokens: int | None
    output_tokens: int | None
    cost: float | None
    paid: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Mean:
    """What trials are worth by one of the suite's measures."""

    measure: Measure
    figure: Figure
    bounds: Figure | None  # what errors could make of it; None: there are none
    groups: Mapping[str, Figure]


@dataclass(frozen=True, kw_only=True, slots=True)
class Summary:
    info: RunInfo
    models: tuple[ModelInUse, ...]
    prompts: tuple[Prompt, ...]
    cases: tuple[CaseSummary, ...]
    skipped: Mapping[str, str]  # cases without trials, and why
    counts: Counts
    kept: int
    means: tuple[Mean, ...]  # the headline's first; of the others those that a verdict tells of
    pass_hat_k: tuple[Figure, ...]  # for k = 1, 2 ... as far as every case that has a verdict has k of them
    agreement: Figure | None  # of two judges; None: there was one
    roles: tuple[RoleSummary, ...]
    cost: Figure
    spent: float  # of what was paid, as far as it is known
    paid: Figure
    cost_per_trial: Figure
    seconds_per_trial: Figure
    failed_calls: int
    variance: Variance | None  # of what trials are worth; None: no case has several
    facts: Mapping[int, Mapping[str, object]]  # by trial id: what the suite tells of each that ended
    details: Details  # what the suite tells of the run

    @property
    def headline(self) -> Mean:
        return self.means[0]


def summarize(run: RunFile) -> Summary:
    """Made once of an open run file, however many reports are written of it."""
    return run.once(_summary)


def _summary(run: RunFile) -> Summary:
    with run.moment():
        rows, counts, every, info = run.once(RunFile.trials), run.counts(), run.once(RunFile.cases), run.info()
    by_case: defaultdict[str, list[RecordedTrial]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.number):  # they may have been run in any order
        by_case[row.case_id].append(row)
    cases = tuple(CaseSummary(case=case, trials=tuple(by_case[case.id])) for case in every if case.id in by_case)
    ended = [row for row in rows if row.ended is not None]
    roles = _roles(part for row in rows for part in row.spending)
    elsewhere = bool(ended) and not roles and all(row.given for row in ended)  # what that cost, nobody here knows
    later = _roles(replace(part, role=f"{part.role}, later") for row in rows for part in row.later)
    suite = suite_of(info.suite)
    with asking(f"suite {suite.name}", "facts"):
        told = {row.id: found for row in ended if (found := suite.facts(row))}
        facts = dict(zip(told, parse(dump(list(map(dict, told.values()))), finite=True), strict=True))
    with asking(f"suite {suite.name}", "details"):
        details = suite.details(run)
        parse(dump(details.metrics), finite=True)  # raises where they are no JSON data
    return Summary(
        info=info,
        models=run.models(),
        prompts=run.prompts(),
        cases=cases,
        skipped={case.id: case.skipped for case in every if case.skipped},
        counts=counts,
        kept=sum(row.given and row.outcome != "error" for row in rows),
        means=_means(cases, info.measures),
        pass_hat_k=pass_hat_all([one.verdicts for one in cases]),
        agreement=_agreement(cases),
        roles=(*roles, *later),
        cost=exact(None if elsewhere else known_sum(role.cost for role in roles), len(ended)),
        spent=run.spent(),
        paid=exact(None if elsewhere else known_sum(role.paid for role in roles), len(ended)),
        cost_per_trial=mean_by_case([[trial.cost for trial in one.trials if trial.ended is not None] for one in cases]),
        seconds_per_trial=mean_by_case([[trial.elapsed_s for trial in one.trials if trial.elapsed_s] for one in cases]),
        failed_calls=run.failed_calls(),
        variance=run_variance(run, rows, info.measures) if any(len(one.trials) > 1 for one in cases) else None,
        facts=facts,
        details=details,
    )


def _means(cases: Sequence[CaseSummary], measures: Sequence[Measure]) -> tuple[Mean, ...]:
    headline, *others = (_mean(cases, measure, measures) for measure in measures)
    return (headline, *(mean for mean in others if mean.figure.n))


def _mean(cases: Sequence[CaseSummary], measure: Measure, measures: Sequence[Measure]) -> Mean:
    worths = [one.worths(measure, measures) for one in cases]
    values = known(worths)
    groups: defaultdict[str, list[list[float]]] = defaultdict(list)
    for one, of_case in zip(cases, values, strict=True):
        groups[one.case.group].append(of_case)
    return Mean(
        measure=measure,
        figure=mean_score(values, measure.low, measure.high),
        bounds=error_bounds(worths, measure.low, measure.high),
        groups={name: mean_score(found, measure.low, measure.high) for name, found in groups.items()},
    )


def judges_disagree(trial: RecordedTrial) -> bool:
    return _agrees(trial) is False


def _agrees(trial: RecordedTrial) -> bool | None:
    """Whether the judges of a trial say the same; None where fewer than two passed or failed it."""
    outcomes = [verdict.outcome for verdict in trial.verdicts if verdict.outcome in {"pass", "fail"}]
    return len(set(outcomes)) == 1 if len(outcomes) > 1 else None


def _agreement(cases: Sequence[CaseSummary]) -> Figure | None:
    told = [[agrees for trial in one.trials if (agrees := _agrees(trial)) is not None] for one in cases]
    return pass_rate(told) if any(told) else None


def _roles(spent: Iterable[Spending]) -> tuple[RoleSummary, ...]:
    parts: defaultdict[str, list[Spending]] = defaultdict(list)
    for part in spent:
        parts[part.role].append(part)
    return tuple(_role(role, found) for role, found in sorted(parts.items()))


def _role(role: str, parts: Sequence[Spending]) -> RoleSummary:
    return RoleSummary(
        role=role,
        model=", ".join(sorted({part.model for part in parts})),
        calls=sum(part.calls for part in parts),
        stored=sum(part.calls for part in parts if part.source == "cache"),
        input_tokens=known_sum(part.input_tokens for part in parts),
        output_tokens=known_sum(part.output_tokens for part in parts),
        cost=known_sum(part.cost for part in parts),
        paid=known_sum(part.cost for part in parts if part.source == "live"),
    )
