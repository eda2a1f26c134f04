"""The simulated user on trial: how often detectors find it at fault, and what is left without those trials."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from trialkit.dialogue import USER_FAULTS, WEAK_USER_FAULTS, UserFault
from trialkit.pages import Cell, Line, Rate, Table, measured
from trialkit.runfile import RecordedTrial, RunFile
from trialkit.stats import Figure, mean_score, pass_rate
from trialkit.suites import asking, suite_in, user_faults
from trialkit.text.json import JsonObject
from trialkit.vocabulary import Case, Measure

from .steps import steps_of

_SAID = {
    "ended_early": "left before what it agreed to was done",
    "invented": "invented an id, amount or name",
    "withheld": "never gave what it was asked for",
    "spoke_as_agent": "spoke as the agent",
    "repeated": "repeated itself",
    "told_all": "told its whole goal at once",
}
_NOTE = (
    "A detector's view, from the words alone: it tells neither that a trial failed for it, nor that the others are"
    " without fault; see docs/user-faults.md. The last row leaves out trials with such a fault, passed or failed."
)


@dataclass(frozen=True, kw_only=True, slots=True)
class UserOnTrial:
    """Figures of the trials that have a verdict, by case."""

    judged: int
    trials: Mapping[str, Figure]  # by fault, the share of them that has it
    failures: Mapping[str, Figure]  # likewise of those that failed
    at_fault: (
        Figure | None
    )  # of those that failed, the share in which a fault that is not weak was found; None: none failed
    every: Figure  # the headline over all of them
    without: Figure  # the same without those in which such a fault was found, whether they passed or failed

    def to_data(self) -> JsonObject:
        return {
            "failures_at_fault": self.at_fault.to_data() if self.at_fault else None,
            "headline": self.every.to_data(),
            "headline_without": self.without.to_data(),
            "faults": {
                kind: {
                    "weak": kind in WEAK_USER_FAULTS,
                    "trials": self.trials[kind].to_data(),
                    "failures": self.failures[kind].to_data(),
                }
                for kind in self.trials
            },
        }


def faults_of(run: RunFile) -> Mapping[int, tuple[UserFault, ...]]:
    """By trial, of those in which somebody simulated a user."""
    return run.once(_all_faults)


def _all_faults(run: RunFile) -> Mapping[int, tuple[UserFault, ...]]:
    return _found(run, run.once(RunFile.cases), run.once(RunFile.trials))


def faults_in(run: RunFile, case: Case, trial: RecordedTrial) -> list[JsonObject]:
    """Of one trial, as `told_faults` has them."""
    return told_faults(run, trial, _found(run, [case], [trial]).get(trial.id, ()))


def _found(run: RunFile, cases: Sequence[Case], trials: Sequence[RecordedTrial]) -> Mapping[int, tuple[UserFault, ...]]:
    suite = suite_in(run.info())
    with asking(f"suite {suite.name}", "scenario"):
        return user_faults(run, suite, cases, trials)


def is_at_fault(faults: Sequence[UserFault]) -> bool:
    """By a detector that can be trusted so far."""
    return any(fault.kind not in WEAK_USER_FAULTS for fault in faults)


def user_on_trial(
    cases: Sequence[Sequence[RecordedTrial]],
    found: Mapping[int, tuple[UserFault, ...]],
    measure: Measure,
    measures: Sequence[Measure],
) -> UserOnTrial | None:
    """None: nobody simulated a user."""
    if not found:
        return None
    value_of = measure.reader(measures)
    talks = [[row for row in rows if row.id in found and row.decided and row.outcome != "error"] for rows in cases]
    failed = [[row for row in rows if row.outcome == "fail"] for rows in talks]
    kinds = {row.id: {fault.kind for fault in found[row.id]} for rows in talks for row in rows}
    seen = [kind for kind in USER_FAULTS if any(kind in of_trial for of_trial in kinds.values())]

    def share(rows: Sequence[Sequence[RecordedTrial]], kind: str) -> Figure:
        return pass_rate([[kind in kinds[row.id] for row in of_case] for of_case in rows])

    def worth(rows: Sequence[Sequence[RecordedTrial]]) -> Figure:
        told = [[value_of(row.decided) for row in of_case if row.decided] for of_case in rows]
        return mean_score([[one for one in values if one is not None] for values in told], measure.low, measure.high)

    return UserOnTrial(
        judged=sum(map(len, talks)),
        trials={kind: share(talks, kind) for kind in seen},
        failures={kind: share(failed, kind) for kind in seen},
        at_fault=pass_rate([[is_at_fault(found[row.id]) for row in rows] for rows in failed]) if any(failed) else None,
        every=worth(talks),
        without=worth([[row for row in rows if not is_at_fault(found[row.id])] for rows in talks]),
    )


def user_table(user: UserOnTrial, measure: Measure) -> Iterator[Table]:
    """Nothing where no detector found anything: that is no praise of the user."""
    if not user.trials:
        return
    name = measure.mean_name
    rows: list[tuple[Cell | str, ...]] = [
        (_name(kind), _counted(user.trials[kind]), _counted(user.failures[kind])) for kind in user.trials
    ]
    if user.at_fault is not None:
        weak = any(kind in WEAK_USER_FAULTS for kind in user.trials)
        rows.append((Line(("any of these" + " but the weak" * weak,), style="strong"), "", _counted(user.at_fault)))
    rows.append((f"{name} of all {user.judged:,}", measured(user.every, measure, short=True), ""))
    rows.append((f"{name} of the {user.without.n:,} without", _over(user.without, measure), ""))
    columns = ("What the simulated user did", "Of all trials", "Of failures")
    yield Table(title="The simulated user", columns=columns, rows=tuple(rows), note=_NOTE)


def told_faults(run: RunFile, trial: RecordedTrial, faults: Sequence[UserFault]) -> list[JsonObject]:
    """With the steps as `show` counts them."""
    if not faults:
        return []
    steps = [step.number for step in steps_of(run, trial) if step.spoken]
    return [
        {
            "kind": fault.kind,
            "weak": fault.kind in WEAK_USER_FAULTS,
            "step": steps[fault.place] if fault.place < len(steps) else None,
            "why": fault.why,
            "quote": fault.quote,
        }
        for fault in faults
    ]


def fault_line(fault: JsonObject) -> str:
    """`the user at fault (invented, step 4): the user gives the id 90210, which nobody gave it`."""
    weak = ", weak" if fault["weak"] else ""
    step = f", step {fault['step']}" if fault["step"] else ""
    return f"the user at fault ({fault['kind']}{weak}{step}): {fault['why']}"


def _name(kind: str) -> str:
    return f"{_SAID[kind]}{' (weak)' if kind in WEAK_USER_FAULTS else ''}"


def _counted(figure: Figure) -> Cell | str:
    return Rate(figure, short=True) if figure.n else "—"


def _over(figure: Figure, measure: Measure) -> Cell | str:
    return measured(figure, measure, short=True) if figure.n else "—"
