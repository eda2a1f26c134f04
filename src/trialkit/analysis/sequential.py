"""Two runs held against each other while the trials come in: `compare --sequential` and `run --until-decided`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from math import fsum, inf
from typing import NamedTuple

from trialkit.errors import InputError
from trialkit.stats import Difference, Sequential, SequentialOutcome, sequential_test
from trialkit.text.shown import counted
from trialkit.vocabulary import Measure

from .compare_gate import GateOutcome, GateState
from .loaded import LoadedRun
from .words import amount, signed_amount

AS_GOOD: frozenset[SequentialOutcome] = frozenset({"better", "equal", "no worse"})
_STATES: Mapping[SequentialOutcome, GateState] = {"worse": "worse", "undecided": "undecided"}


class Planned(NamedTuple):
    """A trial of B, ended or not. `worth` is None where it is open, or ended in error."""

    case_id: str
    number: int
    ended: bool
    worth: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """B held against A, at any time. `change` is B - A with an interval that holds however often it is looked at."""

    outcome: SequentialOutcome
    change: Difference
    pairs: int  # cases that it took, or that there are
    cases: int  # that both runs could try
    trials: int  # of each case
    margin: float | None
    measure: Measure
    but_for_errors: SequentialOutcome | None  # what it would be if errors hid nothing; None: the same

    @property
    def gate(self) -> GateOutcome:
        why = self.sentence.removeprefix("Undecided: ").removesuffix(".")
        return GateOutcome(state=_STATES.get(self.outcome, "ok"), why=f"{why}, after {self.size}")

    @property
    def size(self) -> str:
        cases = f"{self.pairs} of {counted(self.cases, 'case')}"
        return cases if self.trials == 1 else f"{cases}, each tried {self.trials} times"

    @property
    def sentence(self) -> str:
        between = f"B − A lies between {self._end(self.change.low)} and {self._end(self.change.high)}"  # noqa: RUF001 - a minus sign
        told = {
            "better": f"B is better than A: {between}.",
            "worse": f"B is worse than A: {between}.",
            "equal": f"B is as good as A: they differ by less than {self._margin}.",
            "no worse": f"B is not worse than A by {self._margin} or more; whether it is better is open.",
            "undecided": f"Undecided: {between}." if self.pairs else "Undecided: no case has a verdict in both runs.",
        }[self.outcome]
        if self.but_for_errors is None:
            return told
        would_be = {"better": "better", "equal": "as good"}.get(self.but_for_errors, "no worse")
        return f"Undecided: B would be {would_be}, but it has more errors than A, and they may hide the worst."

    def _end(self, value: float | None) -> str:
        return "—" if value is None else signed_amount(value, self.measure)

    @property
    def _margin(self) -> str:
        return amount(self.margin or 0.0, self.measure)


def decide(
    trials: Sequence[Planned],
    before: Mapping[str, Sequence[float | None]],
    measure: Measure,
    margin: float | None,
    *,
    by_order: bool,
    errors_may_lie: bool = True,
) -> Standing:
    """`trials` are B's in the order that was planned, `before` is what A's trials are worth by case.

    Not the order in which they ended: where fails take longer than passes, B's passes would come first, and be taken
    for better than A. So a trial counts only when all that were to be begun before it have ended.
    """
    check_margin(measure, margin)
    planned = max((trial.number for trial in trials), default=1)
    scale = (1 if measure.higher_is_better else -1) * measure.span
    known = {case_id: [worth for worth in worths if worth is not None] for case_id, worths in before.items()}
    against = {case_id: fsum(worths) / len(worths) for case_id, worths in known.items() if worths}
    share = None if margin is None else margin / measure.span

    def test(lie: float | None) -> Sequential:
        rounds = [[change / scale for change in found] for found in _rounds(trials, against, lie)]
        return sequential_test(rounds, share, planned=planned, by_order=by_order)

    found, but_for_errors = test(None), None
    if found.outcome in AS_GOOD and errors_may_lie and _more_errors(trials, before):
        worst = test(measure.low if measure.higher_is_better else measure.high)
        but_for_errors = None if worst.outcome in AS_GOOD else found.outcome
    low, high = (None if end is None else end * scale for end in (found.low, found.high))
    return Standing(
        outcome="undecided" if but_for_errors else found.outcome,
        change=Difference(
            value=None if found.value is None else found.value * scale,
            low=low if scale > 0 else high,
            high=high if scale > 0 else low,
            n=found.pairs,
            p=None,
            method="bets on the cases' differences",
        ),
        pairs=found.pairs,
        cases=len({trial.case_id for trial in trials} & against.keys()),
        trials=found.trials,
        margin=margin,
        measure=measure,
        but_for_errors=but_for_errors,
    )


def decide_runs(before: LoadedRun, after: LoadedRun, margin: float | None, *, errors_may_lie: bool) -> Standing:
    worths = {case_id: before.worths(case_id) for case_id in before.cases}
    return decide(
        planned_of(after), worths, after.measure, margin, by_order=after.shuffled, errors_may_lie=errors_may_lie
    )


def planned_of(run: LoadedRun) -> list[Planned]:
    """In the order of the plan."""
    value_of = run.measure.reader(run.measures)
    return [
        Planned(trial.case_id, trial.number, trial.ended, value_of(trial.decided) if trial.decided else None)
        for trial in sorted(run.trials, key=lambda trial: trial.id)
    ]


def check_margin(measure: Measure, margin: float | None) -> None:
    if measure.span == inf:
        raise InputError(
            f"the trials are measured by {measure}: a test that may be looked at at any time takes a range with both"
            " ends, which tell how much one case can change; compare without --sequential, once, when the run is done"
        )
    if margin is not None and margin >= measure.span:
        hint = "; 5 points are 0.05" if measure.kind == "pass" else ""
        raise InputError(f"--margin {margin:g}: {measure} leaves room for differences below {measure.span:g}{hint}")


def _rounds(trials: Sequence[Planned], against: Mapping[str, float], lie: float | None) -> Iterable[list[float]]:
    """The changes of all cases tried once, then of all tried twice … `lie` is what an error is taken for."""
    worths: dict[str, list[float]] = {}
    for _, listed in groupby(sorted(trials, key=lambda trial: trial.number), key=lambda trial: trial.number):
        changes, round_ = [], list(listed)
        ended = list(takewhile(lambda trial: trial.ended, round_))
        for trial in ended:
            worth = lie if trial.worth is None else trial.worth
            if worth is not None:
                worths.setdefault(trial.case_id, []).append(worth)
            if trial.case_id in against and trial.case_id in worths:
                mean = fsum(worths[trial.case_id]) / len(worths[trial.case_id])
                changes.append(mean - against[trial.case_id])
        yield changes
        if len(ended) < len(round_):
            return


def _more_errors(trials: Sequence[Planned], before: Mapping[str, Sequence[float | None]]) -> bool:
    after = [trial.worth is None for trial in trials if trial.ended and trial.case_id in before]
    errors = [worth is None for worths in before.values() for worth in worths]
    return sum(after) * len(errors) > sum(errors) * len(after)
