"""Where it comes from that a run's trials are not worth the same."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from trialkit.runfile import RecordedTrial, RunFile, TrialResult
from trialkit.stats import Tried, Variance, variance_of
from trialkit.vocabulary import Measure


def tried_by_case(trials: Iterable[TrialResult | RecordedTrial], measures: Sequence[Measure]) -> Mapping[str, Tried]:
    """What trials are worth by the headline measure, and what the judge who decided said, each time it was asked."""
    value_of = measures[0].reader(measures)
    values: defaultdict[str, list[float]] = defaultdict(list)
    judged: defaultdict[str, list[list[float]]] = defaultdict(list)
    for trial in trials:
        if trial.decided is None or (value := value_of(trial.decided)) is None:
            continue
        values[trial.case_id].append(value)
        told = [value_of(verdict) for verdict in trial.verdicts if verdict.judge == trial.decided.judge]
        judged[trial.case_id].append([one for one in told if one is not None])
    return {case_id: Tried(values=values[case_id], judged=judged[case_id]) for case_id in values}


def run_variance(run: RunFile, trials: Sequence[RecordedTrial], measures: Sequence[Measure]) -> Variance:
    """Only where something was asked after a trial's end can an answer have been judged again."""
    told = run.results() if any(trial.later for trial in trials) else trials
    return variance_of([tried_by_case(told, measures)], measures[0].low, measures[0].high)
