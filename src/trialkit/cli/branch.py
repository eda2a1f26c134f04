"""`trialkit branch RUN`."""

import shlex
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click

from trialkit.analysis.branch import Trunk, estimate, tried_before, trunk_of
from trialkit.analysis.branch_pages import arms_page, decision_page
from trialkit.analysis.decisive import DecisiveStep, How, ToTry, search
from trialkit.analysis.steps import TrialStep
from trialkit.engine import Rerun, arm, branch_of, go_on
from trialkit.errors import InputError
from trialkit.pages import Money, write_page
from trialkit.runfile import RunFile
from trialkit.settings import PerSession, RunSettings
from trialkit.text.shown import counted

from .finish import BAD_INPUT, INTERRUPTED, WITH_ERRORS
from .groups import Sectioned
from .options import as_recorded, changes_of, given, session_options
from .places import RUN
from .together import finish_each, together
from .write import heard_or_not, tell

#: Of whoever is on trial.
_CHANGES = ("model", "provider", "api_base", "temperature", "reasoning", "max_tokens", "extra", "tools_as")


@click.command(
    cls=Sectioned,
    epilog="Example: trialkit branch latest --trial 12/1 --at 7 --model openai/gpt-5.2",
    params=[
        click.Argument(["path"], metavar="RUN", type=RUN),
        click.Option(["--trial", "wanted"], metavar="CASE/TRIAL", required=True, help="The trial to go on from."),
        click.Option(["--at"], metavar="K", type=int, help="The step to make anew, as `trialkit show` counts them."),
        click.Option(
            ["--find-decisive", "how"],
            type=click.Choice(["bisect", "every"]),
            is_flag=False,
            flag_value="bisect",
            help="Instead: find the step by which a failed trial lost its chance; `every`: try each step [bisect].",
        ),
        click.Option(
            ["--trials", "number"], metavar="N", type=click.IntRange(min=1), default=8, help="Of each arm [8]."
        ),
        click.Option(["--prompt"], metavar="VERSION", help="Another version of what the model on trial is told."),
        *as_recorded(RunSettings, _CHANGES),
        *session_options(),
        click.Argument(["rest"], nargs=-1, type=click.UNPROCESSED, metavar=""),
    ],
    context_settings={"ignore_unknown_options": True},
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    path: str,
    wanted: str,
    at: int | None,
    how: How | None,
    number: int,
    prompt: str | None,
    **_: object,
) -> None:
    """Go on from a step of a recorded trial: the state there is rebuilt exactly, and what comes after is asked anew.

    With --model, --prompt and the like two runs are made, a control arm that goes on as it was, and one that goes on
    so; without, the control alone, which tells the chance to pass from there.
    """
    if (at is None) == (how is None):
        raise InputError("branch takes --at K, or --find-decisive")
    run = Path(path)
    changes = {name: value for name, value in given(ctx, RunSettings).items() if name in _CHANGES}
    session = {name: value for name, value in changes_of(ctx, run, PerSession).items() if name not in _CHANGES}
    with RunFile(run) as opened:
        trunk = trunk_of(opened, wanted)
    branching = _Branching(Rerun.of(run), trunk, number, session)
    if at is not None:
        ctx.exit(branching.at(trunk.step(at), changes, prompt))
    if changes or prompt:
        raise InputError("--find-decisive goes on as it was; leave --model, --prompt and the like out")
    ctx.exit(branching.find(how or "bisect"))


class _Branching:
    def __init__(self, rerun: Rerun, trunk: Trunk, number: int, session: Mapping[str, object]) -> None:
        self._rerun = rerun
        self._trunk = trunk
        self._number = number
        self._session = session

    def at(self, step: TrialStep, changes: Mapping[str, object], prompt: str | None) -> int:
        branch = branch_of(self._rerun, self._trunk.trial.id, step.number, step.replies, self._number)
        arms = [arm(branch, {}, self._session)]
        if changes or prompt:
            arms.append(arm(branch, changes, self._session, prompt))
        done = together(partial(go_on, arms))
        if isinstance(done, int):
            return done
        with ExitStack() as opened, heard_or_not(sys.stdout):
            runs = [opened.enter_context(RunFile(one.path)) for one in done.finished]
            tell(write_page(arms_page(self._trunk, step, runs, self._rerun.subject), "console"))
        return finish_each(done)

    def find(self, how: How) -> int:
        """What was tried is not tried again, so that the same command goes on where it was stopped."""
        trunk, moves = self._trunk, self._trunk.moves(self._rerun.subject)
        if trunk.trial.outcome != "fail":
            raise InputError(f"--find-decisive: the trial did not fail, it is {trunk.trial.outcome or 'not judged'}")
        if not moves:
            raise InputError("--find-decisive: no model on trial made a step of it")
        trials, cost = estimate(trunk, moves, self._number, how)
        about = "at a cost that nobody knows" if cost is None else f"about {Money(cost)} by what the trial took"
        tell(f"{counted(len(moves), 'step')} to look at: about {counted(trials, 'trial')}, {about}", err=True)
        numbers = [step.number for step in moves]
        while True:
            with RunFile(self._rerun.path) as run:
                tried = tried_before(run, trunk)
            found = search(numbers, tried, self._number, how)
            if isinstance(found, DecisiveStep):
                break
            if status := self._probe(found, next(step for step in moves if step.number == found.step)):
                return status
            with RunFile(self._rerun.path) as run:
                if tried_before(run, trunk).get(found.step) == tried.get(found.step):
                    tell(f"step {found.step}: no trial had a verdict; nothing can be said", err=True)
                    return WITH_ERRORS
        with heard_or_not(sys.stdout):
            tell(write_page(decision_page(trunk, moves, tried, found, self._rerun.subject), "console"))
        return 0

    def _probe(self, probe: ToTry, step: TrialStep) -> int:
        """0: done; else the exit status."""
        branch = branch_of(self._rerun, self._trunk.trial.id, step.number, step.replies, probe.trials)
        ended = together(partial(go_on, [arm(branch, {}, self._session)]))
        if isinstance(ended, int):
            return ended
        (done,) = ended.finished
        with RunFile(done.path) as run:
            counts = run.counts()
        tell(f"step {step.number}: {counts.passed} of {counts.passed + counts.failed} passed · {done.path}", err=True)
        if done.reason:
            again = shlex.join(["trialkit", "resume", str(done.path)])
            tell(f"stopped: {done.reason}\nto go on: {again}, and then the same command", err=True)
            return BAD_INPUT if done.setup_fault else INTERRUPTED
        return 0
