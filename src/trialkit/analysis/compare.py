"""Two runs or more of the same cases, held against each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from trialkit.errors import InputError
from trialkit.runfile import TrialResult
from trialkit.stats import (
    Difference,
    Figure,
    holm,
    mean_by_case,
    paired_amounts,
    paired_difference,
    paired_pass_hat_all,
    pass_hat_all,
    pass_rate,
    unknown,
)

from .loaded import Loaded, LoadedCase
from .settings import Unlike, differing, warnings

Direction = Literal["worse", "better"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Flip:
    """A case whose share of passes changed, with the critique that tells most on each side."""

    case_id: str
    title: str
    direction: Direction
    before: str  # `pass` and `fail`, or `3/4` where there were several trials
    after: str
    change: float
    critique_before: str
    critique_after: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Side:
    """A figure in both runs, and the difference between them over the paired cases."""

    before: Figure
    after: Figure
    difference: Difference


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """`after` held against `before`, over the cases that have a verdict in both."""

    before: Loaded
    after: Loaded
    unlike: tuple[Unlike, ...]
    warnings: tuple[str, ...]
    paired: tuple[str, ...]
    trials: int  # the fewest with a verdict that a paired case has in either run
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    unjudged: tuple[str, ...]  # cases of both without a verdict in one of them
    rate: Side  # pass^1: a case counts the same however many of its trials have a verdict
    pass_hat_k: tuple[Side, ...]
    cost: Side
    seconds: Side
    flips: tuple[Flip, ...]  # the largest changes first

    @property
    def regression(self) -> bool:
        difference = self.rate.difference
        return difference.significant and difference.value is not None and difference.value < 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Contest:
    """Several runs: every pair, with p-values corrected for their number (Holm)."""

    runs: tuple[Loaded, ...]
    rates: tuple[Figure, ...]  # of each run's own verdicts
    pairs: tuple[Comparison, ...]
    corrected: tuple[float | None, ...]

    @property
    def regressions(self) -> tuple[Comparison, ...]:
        """Runs that are significantly worse than the first."""
        found = zip(self.pairs, self.corrected, strict=True)
        return tuple(
            one for one, p in found if one.before is self.runs[0] and one.regression and p is not None and p < 0.05
        )


def compare_runs(before: Loaded, after: Loaded) -> Comparison:
    if before.suite != after.suite:
        raise InputError(
            f"{before.path} is a run of {before.suite}, {after.path} one of {after.suite}:"
            " their cases are not the same, so they cannot be compared"
        )
    shared = [name for name in before.cases if name in after.cases]
    paired = [name for name in shared if before.cases[name].verdicts and after.cases[name].verdicts]
    judged = set(paired)
    pairs = [(before.cases[name], after.cases[name]) for name in paired]
    hats = _pass_hat_k([(one.verdicts, other.verdicts) for one, other in pairs])
    same_amounts = before.from_csv == after.from_csv
    return Comparison(
        before=before,
        after=after,
        unlike=tuple(differing(before, after)),
        warnings=tuple(warnings(before, after)),
        paired=tuple(paired),
        trials=min((len(case.verdicts) for pair in pairs for case in pair), default=0),
        only_before=tuple(name for name in before.cases if name not in after.cases),
        only_after=tuple(name for name in after.cases if name not in before.cases),
        unjudged=tuple(name for name in shared if name not in judged),
        rate=hats[0] if hats else Side(before=unknown(0), after=unknown(0), difference=paired_difference([])),
        pass_hat_k=hats if len(hats) > 1 else (),  # of one trial each it is the pass rate again
        cost=_amounts(pairs if same_amounts else [], "cost"),
        seconds=_amounts(pairs if same_amounts else [], "seconds"),
        flips=_flips(pairs),
    )


def contest(runs: Sequence[Loaded]) -> Contest:
    pairs = tuple(compare_runs(one, other) for one, other in combinations(runs, 2))
    tested = [pair.rate.difference.p for pair in pairs]
    corrected = iter(holm([p for p in tested if p is not None]))
    return Contest(
        runs=tuple(runs),
        rates=tuple(pass_rate([case.verdicts for case in run.cases.values()]) for run in runs),
        pairs=pairs,
        corrected=tuple(None if p is None else next(corrected) for p in tested),
    )


def _pass_hat_k(pairs: Sequence[tuple[Sequence[bool], Sequence[bool]]]) -> tuple[Side, ...]:
    """pass^1, pass^2 … as far as every paired case has verdicts enough on both sides."""
    before, after = pass_hat_all([one for one, _ in pairs]), pass_hat_all([other for _, other in pairs])
    # one run may have more trials of every case than the other
    sides = zip(before, after, paired_pass_hat_all(pairs), strict=False)
    return tuple(Side(before=one, after=other, difference=difference) for one, other, difference in sides)


def _amounts(pairs: Sequence[tuple[LoadedCase, LoadedCase]], name: Literal["cost", "seconds"]) -> Side:
    """Unknown as soon as one trial's is: a part is not the whole."""
    before = [[getattr(trial, name) for trial in one.trials if trial.ended] for one, _ in pairs]
    after = [[getattr(trial, name) for trial in other.trials if trial.ended] for _, other in pairs]
    known = [all(values and None not in values for values in side) for side in (before, after)]
    both = list(zip(before, after, strict=True)) if all(known) else []
    return Side(
        before=mean_by_case(before) if known[0] else unknown(0),
        after=mean_by_case(after) if known[1] else unknown(0),
        difference=paired_amounts([(sum(one) / len(one), sum(other) / len(other)) for one, other in both]),
    )


def _flips(pairs: Sequence[tuple[LoadedCase, LoadedCase]]) -> tuple[Flip, ...]:
    several = any(len(case.verdicts) > 1 for pair in pairs for case in pair)
    found = []
    for before, after in pairs:
        change = _share(after) - _share(before)
        if change:
            worse = change < 0
            found.append(
                Flip(
                    case_id=before.id,
                    title=before.title,
                    direction="worse" if worse else "better",
                    before=_told(before, several=several),
                    after=_told(after, several=several),
                    change=change,
                    critique_before=_critique(before.trials, "pass" if worse else "fail"),
                    critique_after=_critique(after.trials, "fail" if worse else "pass"),
                )
            )
    return tuple(sorted(found, key=lambda flip: -abs(flip.change)))


def _share(case: LoadedCase) -> float:
    return sum(case.verdicts) / len(case.verdicts)


def _told(case: LoadedCase, *, several: bool) -> str:
    passed = sum(case.verdicts)
    return f"{passed}/{len(case.verdicts)}" if several else "pass" if passed else "fail"


def _critique(trials: Sequence[TrialResult], outcome: str) -> str:
    """Of a trial that ended like this; of any with a verdict if none did."""
    said = [trial.decided for trial in trials if trial.decided is not None and trial.outcome != "error"]
    return next((one.critique for one in said if one.outcome == outcome), said[0].critique if said else "")
