"""What a list of runs says of each: quickly, for there may be many with thousands of trials."""

from collections import defaultdict
from dataclasses import dataclass

from trialkit.runfile import RunFile, RunInfo, cost_of
from trialkit.stats import Figure, exact, pass_rate


@dataclass(frozen=True, kw_only=True, slots=True)
class Brief:
    """A few figures of `Summary`, and the same."""

    info: RunInfo
    total: int
    open: int
    errors: int
    pass_rate: Figure
    cost: Figure

    @property
    def done(self) -> int:
        return self.total - self.open


def brief(run: RunFile) -> Brief:
    trials = run.results(all_judges=False)
    ended = [trial for trial in trials if trial.ended]
    verdicts: defaultdict[str, list[bool]] = defaultdict(list)
    for trial in ended:
        if trial.outcome in {"pass", "fail"}:
            verdicts[trial.case_id].append(trial.outcome == "pass")
    return Brief(
        info=run.info(),
        total=len(trials),
        open=len(trials) - len(ended),
        errors=sum(trial.outcome == "error" for trial in ended),
        pass_rate=pass_rate(list(verdicts.values())),
        cost=exact(cost_of(run.path), len(ended)),
    )
