"""What earlier runs of a suite tell of a run to come: what a trial takes, and how far what it is worth spreads."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from pathlib import Path

from trialkit.errors import InputError
from trialkit.models import ModelSpec
from trialkit.runfile import RecordedTrial, RunFile, Spending
from trialkit.stats import Figure, deviation_of, known, mean_by_case, mean_score
from trialkit.suites import Usual
from trialkit.vocabulary import Measure

#: Older runs tell of other prompts and models.
_MOST_PAST_RUNS = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Past:
    """What runs of the same suite tell."""

    runs: int
    trials: int
    roles: Mapping[str, Usual]
    cost_per_trial: Figure  # with the models of now; unknown where another model was used
    seconds_per_trial: Figure
    mean: Figure  # of the headline measure, of the same subject
    deviation: float | None  # standard deviation of what a trial is worth; None: no spread is to be seen
    between_cases: float | None  # the share of the variance that lies between cases; None: one trial each tells nothing


def past_runs(
    suite: str, measure: Measure, folder: Path, models: Mapping[str, ModelSpec], subject: str, on_trial: str | None
) -> Past:
    """The newest finished runs of the suite in a folder; those that cannot be read are passed over.

    All of them tell what a call takes, those of the same subject and measure what a trial is worth.
    """
    found: list[tuple[list[RecordedTrial], list[list[float]]]] = []
    for path in sorted(folder.glob("*.trial"), reverse=True) if folder.is_dir() else ():
        try:
            with RunFile(path) as run:
                info = run.info()
                if info.suite == suite and info.state == "done":
                    # An agent tells its name only when it is met; before that it is known by where it is.
                    names = {info.subject, *(model.name for model in run.models() if model.role == on_trial)}
                    same = subject in names and info.measures[0] == measure
                    found.append((run.trials(), known(list(run.worths().values())) if same else []))
        except InputError:
            continue
        if len(found) == _MOST_PAST_RUNS:
            break
    ended = [[row for row in trials if row.ended is not None and row.elapsed_s] for trials, _ in found]
    rows = [row for trials in ended for row in trials]
    values = [case for _, of_run in found for case in of_run]
    deviation, between_cases = _spread(values)
    return Past(
        runs=len(found),
        trials=len(rows),
        roles=usual_of(ended),
        cost_per_trial=_cost_per_trial(rows, models),
        seconds_per_trial=mean_by_case([[row.elapsed_s] for row in rows if row.elapsed_s]),
        mean=mean_score(values, measure.low, measure.high),
        deviation=deviation,
        between_cases=between_cases,
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


def _spread(cases: Sequence[Sequence[float]]) -> tuple[float | None, float | None]:
    """The standard deviation between trials, and how much of the variance lies between cases."""
    if len(cases) < 2:
        return None, None
    total = _variance(cases) * len(cases) / (len(cases) - 1)
    several = [values for values in cases if len(values) > 1]
    whole = _variance(several) if len(several) > 1 else 0.0
    if total <= 1e-24 or whole <= 1e-24:
        return sqrt(total) if total > 1e-24 else None, None
    within = fsum(deviation_of(values) ** 2 for values in several) / len(several)
    return sqrt(total), min(0.95, max(0.0, 1 - within / whole))


def _variance(cases: Sequence[Sequence[float]]) -> float:
    """Of the trials, each case counting the same."""
    centre = fsum(fsum(values) / len(values) for values in cases) / len(cases)
    return fsum(fsum((value - centre) ** 2 for value in values) / len(values) for values in cases) / len(cases)
