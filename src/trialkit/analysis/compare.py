"""Two runs or more of the same cases, held against each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from trialkit.errors import InputError
from trialkit.stats import (
    Difference,
    ErrorRates,
    Figure,
    change_of,
    error_rates,
    holm_of_known,
    mean_by_case,
    mean_score,
    paired_amounts,
    paired_pass_hat_all,
    pass_hat_all,
    score_difference,
)
from trialkit.vocabulary import Measure

from .differences import refuse_unlike_content, setup_differences, warnings
from .loaded import LoadedCase, LoadedRun


@dataclass(frozen=True, kw_only=True, slots=True)
class Flip:
    """A case that is worth more or less than before, with the critique that tells most on each side."""

    case_id: str
    title: str
    direction: Literal["worse", "better"]
    before: str | float  # `pass`, `fail`, or `3/4` where there were several trials; of a score the mean
    after: str | float
    change: float
    critique_before: str
    critique_after: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BothRuns:
    """A figure of both runs, and the difference between them over the paired cases."""

    before: Figure
    after: Figure
    difference: Difference

    def to_data(self) -> dict[str, object]:
        return {"a": self.before.to_data(), "b": self.after.to_data(), "difference": self.difference.to_data()}


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """`after` held against `before`, over the cases that have a verdict in both."""

    before: LoadedRun
    after: LoadedRun
    measure: Measure  # the headline
    differs: tuple[tuple[str, tuple[str, ...]], ...]  # settings, prompts, data, judges: what, and what it is in each
    warnings: tuple[str, ...]
    paired: tuple[str, ...]
    trials: int  # the fewest with a verdict that a paired case has in either run
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    unjudged: tuple[str, ...]  # cases of both without a verdict in one of them
    headline: BothRuns  # a case counts the same however many of its trials have a verdict
    pass_hat_k: tuple[BothRuns, ...]  # pass^1, pass^2 …, where trials pass or fail and each case has several
    further: Mapping[Measure, BothRuns]  # the suite's other measures
    errors: ErrorRates | None  # None: no trial of a case that both have tried ended in error
    cost: BothRuns
    seconds: BothRuns
    flips: tuple[Flip, ...]  # the largest first

    @property
    def rate(self) -> BothRuns:
        """The headline, as it is called where trials pass or fail."""
        return self.headline

    @property
    def regression(self) -> bool:
        return self.is_worse(self.headline.difference)

    @property
    def if_errors_lie(self) -> Difference | None:
        """The difference if errors were as unkind to B as they can be. None: it has none, or there is no telling."""
        if self.errors is None:
            return None
        return self.errors.least if self.measure.higher_is_better else self.errors.most

    @property
    def survives_errors(self) -> bool | None:
        """Whether a significant difference would be one whatever errors hide. None: there is none, or no error."""
        difference = self.headline.difference
        if self.errors is None or not difference.significant:
            return None
        extreme = self.errors.least if (difference.value or 0.0) > 0 else self.errors.most
        return extreme is not None and extreme.significant and (extreme.value or 0.0) * (difference.value or 0.0) > 0

    def is_worse(self, difference: Difference) -> bool:
        return difference.significant and not self.measure.is_gain(difference.value or 0.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class AllPairs:
    """Several runs, each pair of them compared, with p-values corrected for their number (Holm)."""

    runs: tuple[LoadedRun, ...]
    measure: Measure
    figures: tuple[Figure, ...]  # of each run's own verdicts
    pairs: tuple[Comparison, ...]
    corrected: tuple[float | None, ...]
    peeked: tuple[str, ...] = ()  # what makes a p-value that of one look among several

    @property
    def against_first(self) -> dict[str, Comparison]:
        """Each of the other runs, by its letter."""
        return dict(zip(list(named_runs(self.runs))[1:], self.pairs, strict=False))


def named_runs(runs: Sequence[LoadedRun]) -> dict[str, LoadedRun]:
    return {letter(place): run for place, run in enumerate(runs)}


def letter(place: int) -> str:
    """A, B, C …: what a run is called among several."""
    return chr(ord("A") + place) if place < 26 else f"#{place + 1}"


def compare_runs(before: LoadedRun, after: LoadedRun) -> Comparison:
    measure = _same_measure(before, after)
    refuse_unlike_content([before, after])
    shared = [name for name in before.cases if name in after.cases]
    paired = [name for name in shared if before.cases[name].values and after.cases[name].values]
    judged = set(paired)
    pairs = [(before.cases[name], after.cases[name]) for name in paired]
    values = [(one.values, other.values) for one, other in pairs]
    hats = _pass_hat_k(values) if measure.kind == "pass" else ()
    alike = paired if before.with_judging == after.with_judging else []
    return Comparison(
        before=before,
        after=after,
        measure=measure,
        differs=tuple(setup_differences([before, after])),
        warnings=tuple(warnings(before, after)),
        paired=tuple(paired),
        trials=min((len(case.values) for pair in pairs for case in pair), default=0),
        only_before=tuple(name for name in before.cases if name not in after.cases),
        only_after=tuple(name for name in after.cases if name not in before.cases),
        unjudged=tuple(name for name in shared if name not in judged),
        headline=hats[0] if hats else both_runs(measure, values),
        pass_hat_k=hats if len(hats) > 1 else (),  # of one trial each it is the pass rate again
        further={
            other: both_runs(other, [(before.values(case, other), after.values(case, other)) for case in shared])
            for other in after.measures
            if other in before.measures and other != measure
        },
        errors=error_rates([(before.worths(name), after.worths(name)) for name in shared], measure.low, measure.high),
        cost=_amounts(before, after, alike, "cost"),
        seconds=_amounts(before, after, alike, "seconds"),
        flips=_flips(pairs, measure),
    )


def compare_all(runs: Sequence[LoadedRun]) -> AllPairs:
    pairs = tuple(compare_runs(one, other) for one, other in combinations(runs, 2))
    return AllPairs(
        runs=tuple(runs),
        measure=pairs[0].measure,
        figures=tuple(run.figure(run.measure) for run in runs),
        pairs=pairs,
        corrected=tuple(holm_of_known([pair.headline.difference.p for pair in pairs])),
    )


def _same_measure(before: LoadedRun, after: LoadedRun) -> Measure:
    if before.suite != after.suite:
        raise InputError(
            f"{before.path} is a run of {before.suite}, {after.path} one of {after.suite}:"
            " their cases are not the same, so they cannot be compared"
        )
    if before.measure != after.measure:
        raise InputError(
            f"{before.path} is measured by {before.measure}, {after.path} by {after.measure}:"
            " the suite has changed between them, so they cannot be compared"
        )
    return after.measure


def both_runs(measure: Measure, pairs: Sequence[tuple[Sequence[float], Sequence[float]]]) -> BothRuns:
    """Over the cases that have a value on both sides."""
    both = [(before, after) for before, after in pairs if before and after]
    if measure.kind == "pass" and both:
        return _pass_hat_k(both)[0]
    return BothRuns(
        before=mean_score([before for before, _ in both], measure.low, measure.high),
        after=mean_score([after for _, after in both], measure.low, measure.high),
        difference=score_difference(both, measure.low, measure.high),
    )


def _pass_hat_k(pairs: Sequence[tuple[Sequence[float], Sequence[float]]]) -> tuple[BothRuns, ...]:
    """pass^1, pass^2 … as far as every paired case has verdicts enough on both sides."""
    passes = [(list(map(bool, before)), list(map(bool, after))) for before, after in pairs]
    before, after = pass_hat_all([one for one, _ in passes]), pass_hat_all([other for _, other in passes])
    # one run may have more trials of every case than the other
    sides = zip(before, after, paired_pass_hat_all(passes), strict=False)
    return tuple(BothRuns(before=one, after=other, difference=difference) for one, other, difference in sides)


def _amounts(before: LoadedRun, after: LoadedRun, cases: Sequence[str], name: Literal["cost", "seconds"]) -> BothRuns:
    one, other = before.amounts(cases, name), after.amounts(cases, name)
    both = zip(one, other, strict=True) if one and other else ()
    return BothRuns(
        before=mean_by_case(one or []),
        after=mean_by_case(other or []),
        difference=paired_amounts([(sum(a) / len(a), sum(b) / len(b)) for a, b in both if a and b]),
    )


def _flips(pairs: Sequence[tuple[LoadedCase, LoadedCase]], measure: Measure) -> tuple[Flip, ...]:
    several = any(len(case.values) > 1 for pair in pairs for case in pair)
    found = []
    for before, after in pairs:
        change = change_of(before.mean, after.mean)
        if change:
            gain = measure.is_gain(change)
            found.append(
                Flip(
                    case_id=before.id,
                    title=before.title,
                    direction="better" if gain else "worse",
                    before=_worth(before, measure, several=several),
                    after=_worth(after, measure, several=several),
                    change=change,
                    critique_before=_critique(before, highest=change < 0),
                    critique_after=_critique(after, highest=change > 0),
                )
            )
    return tuple(sorted(found, key=lambda one: -round(abs(one.change), 9)))  # what is rounded differently is no larger


def _worth(case: LoadedCase, measure: Measure, *, several: bool) -> str | float:
    if measure.kind != "pass":
        return case.mean
    passed = int(sum(case.values))
    return f"{passed}/{len(case.values)}" if several else "pass" if passed else "fail"


def _critique(case: LoadedCase, *, highest: bool) -> str:
    """Of the trial that is worth most, or least."""
    best = (max if highest else min)(range(len(case.values)), key=case.values.__getitem__)
    return case.verdicts[best].critique
