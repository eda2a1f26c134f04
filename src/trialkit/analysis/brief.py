"""What a list of runs says of each: quickly, for there may be many with thousands of trials."""

from dataclasses import dataclass

from trialkit.runfile import RunFile, RunInfo
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
    with run.moment():
        info, counts, values, cost = run.info(), run.counts(), run.values(), run.cost()
    measure = info.measures[0]
    return Brief(
        info=info,
        total=counts.total,
        open=counts.open,
        errors=counts.errors,
        headline=mean_score(list(values.values()), measure.low, measure.high),
        cost=exact(cost, counts.total - counts.open),
    )
