"""`trialkit resume RUN`."""

from pathlib import Path

import click

from trialkit.engine import resume_run
from trialkit.runfile import RunFile
from trialkit.settings import PerSession, RunSettings
from trialkit.suites import get_suite

from .finish import finish
from .options import given, marked_options
from .screen import open_screen


@click.pass_context
def _resume(ctx: click.Context, /, path: str, errors: bool, rest: tuple[str, ...], **_: object) -> None:
    """Finish an interrupted run. What was recorded is not asked again.

    A suite's own options that are never stored (such as commodity's --analyzer-header) are given again here.
    """
    with RunFile(Path(path)) as run:
        suite = get_suite(run.info().suite)
    own = click.Command("resume", params=marked_options(suite.settings, PerSession))
    with own.make_context("resume", list(rest), parent=ctx.parent) as suite_ctx:
        changes = {**given(ctx), **given(suite_ctx)}
    for argument in ("path", "errors", "rest"):
        changes.pop(argument, None)
    finished = resume_run(Path(path), changes, open_screen, errors_too=errors)
    ctx.exit(finish(finished))


command = click.Command(
    "resume",
    callback=_resume,
    params=[
        click.Argument(["path"], metavar="RUN"),
        click.Option(["--errors"], is_flag=True, help="Try the trials again that ended in error."),
        *marked_options(RunSettings, PerSession),
        click.Argument(["rest"], nargs=-1, type=click.UNPROCESSED, metavar=""),
    ],
    help=_resume.__doc__,
    context_settings={"ignore_unknown_options": True},
)
