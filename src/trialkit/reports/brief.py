"""What a list of runs says of each: quickly, for there may be many with thousands of trials."""

from collections import defaultdict
from dataclasses import dataclass

from trialkit.runfile import RunFile, RunInfo, cost_of
from trialkit.stats import Figure, exact, mean_score


@dataclass(frozen=True, kw_only=True, slots=True)
class Brief:
    """A few figures of `Summary`, and the same."""

    info: RunInfo
    total: int
    open: int
    errors: int
    headline: Figure  # of the first of the suite's measures
    cost: Figure

    @property
    def done(self) -> int:
        return self.total - self.open


def brief(run: RunFile) -> Brief:
    trials = run.results(all_judges=False)
    ended = [trial for trial in trials if trial.ended]
    info = run.info()
    measure, value_of = info.measures[0], info.measures[0].reader(info.measures)
    values: defaultdict[str, list[float]] = defaultdict(list)
    for trial in ended:
        if trial.decided is not None and (value := value_of(trial.decided)) is not None:
            values[trial.case_id].append(value)
    return Brief(
        info=info,
        total=len(trials),
        open=len(trials) - len(ended),
        errors=sum(trial.outcome == "error" for trial in ended),
        headline=mean_score(list(values.values()), measure.low, measure.high),
        cost=exact(cost_of(run.path), len(ended)),
    )
