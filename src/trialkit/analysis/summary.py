"""What a run file amounts to: the figures that every report shows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from trialkit.dialogue import UserFault
from trialkit.runfile import Counts, ModelInUse, Prompt, RecordedTrial, ReplyNotes, RunFile, RunInfo, Spending
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
from trialkit.suites import Details, asking, suite_in
from trialkit.text.json import dump, parse
from trialkit.vocabulary import Case, Measure

from .headline import worths_of
from .user_faults import UserOnTrial, faults_of, user_on_trial
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
    calls: int | None  # of models; None: an agent does not tell them, and its turns are counted
    turns: int | None
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
    rivals: bool  # whether the judges decide the same question
    agreement: Figure | None  # of judges that are rivals; None: there was but one
    roles: tuple[RoleSummary, ...]
    cost: Figure
    spent: float  # of what was paid, as far as it is known
    paid: Figure
    cost_per_trial: Figure
    seconds_per_trial: Figure
    failed_calls: int
    retries: int
    stored: int  # trials answered by stored replies of an earlier run alone
    notes: Mapping[str, ReplyNotes]  # by role, what is particular to its replies
    variance: Variance | None  # of what trials are worth; None: no case has several, or nobody asked
    parties: tuple[str, ...]  # the models that made the trials what they are, by role
    facts: Mapping[int, Mapping[str, object]]  # by trial id: what the suite tells of each that ended
    details: Details  # what the suite tells of the run
    user_faults: Mapping[int, tuple[UserFault, ...]]  # by trial id, of those with a simulated user
    told_calls: Mapping[str, Mapping[int, int | None]]  # by role and trial id, where the role is no model

    @property
    def headline(self) -> Mean:
        return self.means[0]

    @property
    def user(self) -> UserOnTrial | None:
        """None: nobody simulated one."""
        return user_on_trial(
            [one.trials for one in self.cases], self.user_faults, self.headline.measure, self.info.measures
        )

    def model_calls(self, trial: RecordedTrial) -> int | None:
        """None: an agent does not tell how many it made."""
        asked = sum(part.calls for part in trial.spending if part.role not in self.told_calls)
        return known_sum([asked, *(found[trial.id] for found in self.told_calls.values() if trial.id in found)])


def summarize(run: RunFile) -> Summary:
    """Made once of an open run file, however many reports are written of it."""
    return run.once(_summary)


def outline(run: RunFile, known: Iterable[RecordedTrial] = (), since: int = 0) -> Summary:
    """The same without what the suite tells, which takes all answers, and the variance. It is small, and quickly made.

    Trials that are known need not be read again, but for those that changed `since`.
    """
    with run.moment():
        rows = {row.id: row for row in (*known, *run.trials(answers=False, since=since))}
        return _of(run, [rows[trial] for trial in sorted(rows)], run.counts(), {}, Details(), {})


def _summary(run: RunFile) -> Summary:
    with run.moment():
        rows, counts = run.once(RunFile.trials), run.counts()
    suite, ended = suite_in(run.info()), [row for row in rows if row.ended is not None]
    with asking(f"suite {suite.name}", "facts"):
        told = {row.id: found for row in ended if (found := suite.facts(row))}
        facts = dict(zip(told, parse(dump(list(map(dict, told.values()))), finite=True), strict=True))
    with asking(f"suite {suite.name}", "details"):
        details = suite.details(run)
        parse(dump(details.metrics), finite=True)  # raises where they are no JSON data
    made = _of(run, rows, counts, facts, details, faults_of(run))
    several = any(len(one.trials) > 1 for one in made.cases)
    return replace(made, variance=run_variance(run, rows, made.info.measures)) if several else made


def _of(
    run: RunFile,
    rows: Sequence[RecordedTrial],
    counts: Counts,
    facts: Mapping[int, Mapping[str, object]],
    details: Details,
    faults: Mapping[int, tuple[UserFault, ...]],
) -> Summary:
    info, every = run.info(), run.once(RunFile.cases)
    by_case: defaultdict[str, list[RecordedTrial]] = defaultdict(list)
    for row in sorted(rows, key=lambda row: row.number):  # they may have been run in any order
        by_case[row.case_id].append(row)
    cases = tuple(CaseSummary(case=case, trials=tuple(by_case[case.id])) for case in every if case.id in by_case)
    ended = [row for row in rows if row.ended is not None]
    suite = suite_in(info)
    told_calls = suite.told_calls(run)
    roles = _roles((part for row in rows for part in row.spending), told_calls)
    elsewhere = bool(ended) and not roles and all(row.given for row in ended)  # what that cost, nobody here knows
    later = _roles((replace(part, role=f"{part.role}, later") for row in rows for part in row.later), told_calls)
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
        rivals=suite.rival_judges,
        agreement=_agreement(cases) if suite.rival_judges else None,
        roles=(*roles, *later),
        cost=exact(None if elsewhere else known_sum(role.cost for role in roles), len(ended)),
        spent=run.spent(),
        paid=exact(None if elsewhere else known_sum(role.paid for role in roles), len(ended)),
        cost_per_trial=mean_by_case([[trial.cost for trial in one.trials if trial.ended is not None] for one in cases]),
        seconds_per_trial=mean_by_case([[trial.elapsed_s for trial in one.trials if trial.elapsed_s] for one in cases]),
        failed_calls=run.failed_calls(),
        retries=run.retries(),
        stored=run.stored(),
        notes=run.reply_notes(),
        variance=None,
        parties=run.parties(),
        facts=facts,
        details=details,
        user_faults=faults,
        told_calls=told_calls,
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


def _roles(spent: Iterable[Spending], told_calls: Mapping[str, Mapping[int, int | None]]) -> tuple[RoleSummary, ...]:
    parts: defaultdict[str, list[Spending]] = defaultdict(list)
    for part in spent:
        parts[part.role].append(part)
    return tuple(_role(role, found, told_calls.get(role)) for role, found in sorted(parts.items()))


def _role(role: str, parts: Sequence[Spending], told: Mapping[int, int | None] | None) -> RoleSummary:
    """An agent that is no model was spoken to once in each trial before its first turn."""
    exchanges = sum(part.calls for part in parts)
    return RoleSummary(
        role=role,
        model=", ".join(sorted({part.model for part in parts})),
        calls=exchanges if told is None else known_sum(told.values()),
        turns=None if told is None else exchanges - len(told),
        stored=sum(part.calls for part in parts if part.source == "cache"),
        input_tokens=known_sum(part.input_tokens for part in parts),
        output_tokens=known_sum(part.output_tokens for part in parts),
        cost=known_sum(part.cost for part in parts),
        paid=known_sum(part.cost for part in parts if part.source == "live"),
    )
