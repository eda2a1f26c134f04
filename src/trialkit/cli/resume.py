"""`trialkit resume RUN`."""

import shlex
from functools import partial
from pathlib import Path

import click

from trialkit.analysis.until import open_until
from trialkit.engine import resume_run, settled
from trialkit.runfile import Counts
from trialkit.settings import PerSession, RunSettings
from trialkit.text.shown import counted

from .finish import session
from .groups import Sectioned
from .options import changes_of, marked_options
from .places import RUN
from .write import tell


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
    if not (changes or errors) and (counts := settled(Path(path))):
        tell(f"nothing left to run → {path}", err=True)
        tell(f"{_told(counts)}\nto see the run: {shlex.join(['trialkit', 'report', path])}")
        ctx.exit(0)
    ctx.exit(session(partial(resume_run, Path(path), changes, open_until=open_until, errors_too=errors)))


def _told(counts: Counts) -> str:
    found = {
        "passed": counts.passed,
        "failed": counts.failed,
        "scored": counts.scored,
        "not judged": counts.unjudged,
    }
    said = [f"{number:,} {what}" for what, number in found.items() if number]
    return " · ".join([counted(counts.total, "trial"), *said])
