"""`trialkit rejudge RUN`."""

import shlex
from pathlib import Path

import click

from trialkit.analysis.judges import judges_page
from trialkit.analysis.loaded import load_run
from trialkit.engine import rejudge_run
from trialkit.pages import write_page
from trialkit.settings import OfJudge
from trialkit.text.shown import counted

from .finish import BAD_INPUT, INTERRUPTED, WITH_ERRORS
from .groups import Sectioned
from .options import changes_of, session_options
from .places import RUN


@click.command(
    cls=Sectioned,
    epilog="Example: trialkit rejudge latest --judge-model openai/gpt-5 --judge-trials 2",
    params=[
        click.Argument(["path"], metavar="RUN", type=RUN),
        click.Option(
            ["--judge-trials"],
            metavar="N",
            type=click.IntRange(min=1),
            default=1,
            help="Verdicts of the judge on each answer; two or more show how often it contradicts itself. [default: 1]",
        ),
        *session_options(),
        click.Argument(["rest"], nargs=-1, type=click.UNPROCESSED, metavar="[JUDGE OPTIONS]..."),
    ],
    context_settings={"ignore_unknown_options": True},
)
@click.pass_context
def command(ctx: click.Context, /, path: str, judge_trials: int, rest: tuple[str, ...], **_: object) -> None:
    """Judge a run's answers again, by another judge, and keep all verdicts. Those that decide stay.

    Which judge is said by the suite's own options, such as --judge-model MODEL or --judge-prompt VERSION: those of
    `trialkit run SUITE`. Without them the same judge is meant.
    """
    found = rejudge_run(Path(path), changes_of(ctx, Path(path), OfJudge), judge_trials)
    for notice in found.notices:
        click.echo(notice, err=True)
    click.echo(write_page(judges_page(load_run(Path(path))), "console"))
    by = ", ".join(found.judges)
    click.echo(f"{counted(found.done.visited, 'trial')} judged by {by}; {found.known} had been judged so already")
    if found.unanswered:
        click.echo(f"{counted(found.unanswered, 'trial')} left out: no answer to judge")
    if found.done.reason:
        again = shlex.join(["trialkit", "rejudge", path, "--judge-trials", str(judge_trials), *rest])
        click.echo(f"stopped: {found.done.reason}\n{found.done.left} trials are left; go on with: {again}", err=True)
        ctx.exit(BAD_INPUT if found.done.setup_fault else INTERRUPTED)
    if found.errors:
        click.echo(f"{counted(found.errors, 'verdict')} could not be had; the same command asks again", err=True)
        ctx.exit(WITH_ERRORS)
