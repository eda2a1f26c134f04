"""A trial to go on from: its steps, what was tried from them before, and what it will cost."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trialkit.errors import InputError
from trialkit.runfile import RecordedTrial, RunFile, run_files
from trialkit.stats import known_sum

from .decisive import How, Outcomes, most_probes
from .steps import TrialStep, steps_of

#: What is asked of a model; it may be another in an arm.
_ASKED = ("temperature", "reasoning", "max_tokens", "extra", "tools_as")


@dataclass(frozen=True, kw_only=True, slots=True)
class Trunk:
    """What can be branched from."""

    trial: RecordedTrial
    steps: Sequence[TrialStep]  # of those that parties made, all
    created: str
    costs: Sequence[float | None]  # of the replies up to the trial's end, in their order

    def step(self, number: int) -> TrialStep:
        """The one of this number, or the next that a party made."""
        found = next((step for step in self.steps if step.number >= number), None)
        if number < 1 or found is None:
            last = self.steps[-1].number
            raise InputError(f"--at {number}: the trial has steps 1 to {last}, as `trialkit show` counts them")
        return found

    def moves(self, subject: str) -> list[TrialStep]:
        """The steps of whoever is on trial."""
        return [step for step in self.steps if step.call is not None and step.call.role == subject]

    def cost_from(self, step: TrialStep) -> float | None:
        """Of what came after, as it was then. None: nobody knows."""
        return known_sum(self.costs[step.replies :])


def trunk_of(run: RunFile, wanted: str) -> Trunk:
    """`CASE/TRIAL`, or `CASE` of one trial. InputError where there is nothing to go on from."""
    rows = run.trials(answers=False)
    found = [row for row in rows if wanted in {f"{row.case_id}/{row.number}", row.case_id}]
    if len(found) != 1:
        known = ", ".join(f"{row.case_id}/{row.number}" for row in (found or rows)[:6])
        what = "several trials" if found else "no such trial"
        raise InputError(f"--trial {wanted}: {what}; there are {known}{' …' if len(rows) > 6 else ''}")
    trial = run.trial(found[0].id)
    if trial.ended is None:
        raise InputError(f"--trial {wanted}: it has not ended; `trialkit resume {run.path}` finishes the run")
    steps = [step for step in steps_of(run, trial) if step.spoken]
    calls = [call for call in run.calls(trial.id) if call.reply is not None and not call.void and call.phase != "after"]
    if not steps or not calls:
        raise InputError(f"--trial {wanted}: no model's replies are recorded of it, so there is nothing to go on from")
    return Trunk(trial=trial, steps=steps, created=run.info().created, costs=[call.cost for call in calls])


def tried_before(run: RunFile, trunk: Trunk) -> Mapping[int, Outcomes]:
    """By step, what runs in the same folder found that went on from this trial as it was, nothing changed."""
    found: defaultdict[int, Outcomes] = defaultdict(Outcomes)
    mine = _who(run)
    for path in run_files(run.path.parent):
        for step, outcomes in _tried(path, trunk, mine).items():
            found[step] = Outcomes(found[step].passed + outcomes.passed, found[step].n + outcomes.n)
    return found


def _tried(path: Path, trunk: Trunk, mine: object) -> Mapping[int, Outcomes]:
    found: defaultdict[int, Outcomes] = defaultdict(Outcomes)
    try:
        with RunFile(path) as run:
            if run.info().whole or _who(run) != mine:
                return {}
            rows = [row for row in run.trials(answers=False) if _goes_on(row, trunk)]
    except InputError:  # somebody else's file, or one that was killed before it began
        return {}
    for row in rows:
        if row.origin is not None and row.outcome in {"pass", "fail"}:
            passed, n = found[row.origin.step]
            found[row.origin.step] = Outcomes(passed + (row.outcome == "pass"), n + 1)
    return found


def _goes_on(row: RecordedTrial, trunk: Trunk) -> bool:
    origin, trial = row.origin, trunk.trial
    if origin is None or origin.created != trunk.created:
        return False
    return (row.case_id, origin.number) == (trial.case_id, trial.number)


def _who(run: RunFile) -> object:
    """Who was asked, and how."""
    settings = run.info().settings
    return (
        {model.role: model.key for model in run.models()},
        {prompt.role: prompt.hash for prompt in run.prompts()},
        [settings.get(name) for name in _ASKED],
    )


def estimate(trunk: Trunk, moves: Sequence[TrialStep], each: int, how: How) -> tuple[int, float | None]:
    """So many trials a search takes as a rule, and about so many dollars."""
    probes = most_probes(len(moves), how)
    costs = [trunk.cost_from(step) for step in moves]
    whole = known_sum(costs)
    mean = None if whole is None else whole / len(moves)
    if mean is None or costs[0] is None:
        return probes * each, None
    return probes * each, each * (whole if how == "every" and whole is not None else costs[0] + (probes - 1) * mean)
