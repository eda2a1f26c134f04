"""`trialkit replay RUN`."""

from pathlib import Path

import click

from trialkit.engine import replay_run
from trialkit.text.shown import counted

from .finish import GATE_NOT_MET
from .places import RUN


@click.command(epilog="Example: trialkit replay latest")
@click.argument("path", metavar="RUN", type=RUN)
@click.pass_context
def command(ctx: click.Context, path: str) -> None:
    """Run again offline from the recorded replies. The results must be identical; if not, the exit status is 1."""
    replayed = replay_run(Path(path))
    if not replayed.differences:
        files = "".join(f", and the {suffix} file byte for byte" for suffix in replayed.exports)
        what = f"{counted(replayed.trials, 'trial')}, {counted(replayed.verdicts, 'verdict')}"
        click.echo(f"identical: {what}{files}")
        return
    for difference in replayed.differences:
        click.echo(difference)
    click.echo(f"not identical: {len(replayed.differences)} differences in {replayed.trials} trials", err=True)
    ctx.exit(GATE_NOT_MET)
