"""`trialkit resume RUN`."""

from functools import partial
from pathlib import Path

import click

from trialkit.analysis.until import open_until
from trialkit.engine import resume_run
from trialkit.settings import PerSession, RunSettings

from .finish import session
from .groups import Sectioned
from .options import changes_of, marked_options
from .places import RUN


@click.command(
    cls=Sectioned,
    epilog="Example: trialkit resume latest --errors",
    params=[
        click.Argument(["path"], metavar="RUN", type=RUN),
        click.Option(["--errors"], is_flag=True, help="Try the trials again that ended in error."),
        *marked_options(RunSettings, PerSession),
        click.Argument(["rest"], nargs=-1, type=click.UNPROCESSED, metavar=""),
    ],
    context_settings={"ignore_unknown_options": True},
)
@click.pass_context
def command(ctx: click.Context, /, path: str, errors: bool, **_: object) -> None:
    """Finish an interrupted run. What was recorded is not asked again.

    A suite's own options that are never stored (such as hidden headers) are given again here.
    """
    changes = changes_of(ctx, Path(path), PerSession)
    ctx.exit(session(partial(resume_run, Path(path), changes, open_until=open_until, errors_too=errors)))
