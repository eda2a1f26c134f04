"""What earlier runs of a suite tell of a run to come: what a trial takes, and how far what it is worth varies."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from trialkit.errors import InputError
from trialkit.models import ModelSpec
from trialkit.runfile import RecordedTrial, RunFile, RunInfo, Spending, run_files
from trialkit.stats import Figure, Tried, Variance, mean_by_case, mean_score, variance_of
from trialkit.suites import Suite, Usual
from trialkit.vocabulary import Measure

from .variance import tried_by_case

#: Older runs tell of other prompts and models …
_MOST_PAST_RUNS = 5
#: … but which cases are hard, and how far trials differ, they tell as well.
_MOST_RUNS = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Past:
    """What runs of the same suite tell."""

    runs: int
    trials: int
    roles: Mapping[str, Usual]
    cost_per_trial: Figure  # with the models of now; unknown where another model was used
    seconds_per_trial: Figure
    mean: Figure  # of the headline measure, of the same subject
    deviation: Figure  # between its trials
    variance: Variance  # of all subjects
    subjects: int  # how many these are


@dataclass
class _PastRuns:
    """Of the suite's runs, the newest first."""

    runs: int = 0
    trials: list[list[RecordedTrial]] = field(default_factory=list)
    batched: list[bool] = field(default_factory=list)  # of these runs
    own: set[str] = field(default_factory=set)  # the names of the subject of now
    subjects: dict[str, dict[str, Tried]] = field(default_factory=dict)

    def add(self, run: RunFile, info: RunInfo, suite: Suite, measure: Measure) -> None:
        self.runs += 1
        if len(self.trials) < _MOST_PAST_RUNS:
            self.trials.append(run.trials())
            self.batched.append(info.settings.get("batch") is True)
        if info.measures[0] == measure:
            cases = {case.id: f"{case.id} {case.identity or suite.identity(case)}" for case in run.cases()}
            merged = self.subjects.setdefault(info.subject, {})
            for case_id, tried in tried_by_case(run.results(), info.measures).items():
                before = merged.get(cases[case_id], Tried(values=()))
                merged[cases[case_id]] = Tried(
                    values=[*before.values, *tried.values], judged=[*before.judged, *tried.judged]
                )


def past_runs(
    suite: Suite,
    measure: Measure,
    folder: Path,
    models: Mapping[str, ModelSpec],
    subject: str,
    on_trial: str | None,
    *,
    batch: bool,
) -> Past:
    """The newest finished runs of the suite in a folder; those that cannot be read are passed over.

    All tell how far trials vary, the newest of them what a call takes, those of the same subject what a trial is worth.
    A run in batches tells nothing of the price and the time of one without, nor the other way about.
    """
    found = _PastRuns()
    for path in run_files(folder):
        try:
            with RunFile(path) as run:
                info = run.info()
                if info.suite == suite.name and info.state == "done" and info.whole:
                    found.add(run, info, suite, measure)
                    # An agent tells its name only when it is met; before that it is known by where it is.
                    if subject in {info.subject, *(model.name for model in run.models() if model.role == on_trial)}:
                        found.own.add(info.subject)
        except InputError:
            continue
        if found.runs == _MOST_RUNS:
            break
    ended = [[row for row in trials if row.ended is not None and row.elapsed_s] for trials in found.trials]
    alike = [trials for trials, batched in zip(ended, found.batched, strict=True) if batched == batch]
    rows = [row for trials in alike for row in trials]
    own = [tried for name, tried in found.subjects.items() if name in found.own]
    values = [tried.values for subject in own for tried in subject.values()]
    return Past(
        runs=len(ended),
        trials=sum(map(len, ended)),
        roles=usual_of(alike) or {name: replace(one, seconds=0.0) for name, one in usual_of(ended).items()},
        cost_per_trial=_cost_per_trial(rows, models),
        seconds_per_trial=mean_by_case([[row.elapsed_s] for row in rows if row.elapsed_s]),
        mean=mean_score(values, measure.low, measure.high),
        deviation=variance_of(own).deviation,
        variance=variance_of(list(found.subjects.values()), measure.low, measure.high),
        subjects=len(found.subjects),
    )


def usual_of(runs: Sequence[Sequence[RecordedTrial]]) -> dict[str, Usual]:
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
    return mean_by_case(list(costs.values()))


def _same(part: Spending, models: Mapping[str, ModelSpec]) -> bool:
    now = models[part.role].name if part.role in models else part.model  # an agent's own answers tell their own cost
    return part.model.rpartition("/")[2] == now.rpartition("/")[2]
