"""`trialkit label RUN`."""

import shlex
from pathlib import Path

import click

from trialkit.analysis.labels import Sampling, draw_labels
from trialkit.errors import InputError
from trialkit.runfile import RunFile
from trialkit.text.shown import counted

from .write import write


@click.command()
@click.argument("path", metavar="RUN")
@click.option("--sample", type=click.IntRange(min=1), default=30, help="How many trials. [default: 30]")
@click.option(
    "--where",
    type=click.Choice(["random", "disagree"]),
    default="random",
    help="random keeps the correction valid; disagree hunts for trials that judges dispute. [default: random]",
)
@click.option("--seed", type=int, help="Makes the draw repeatable.")
@click.option("--output", "-o", metavar="FILE", help="The CSV to write [default: RUN with -labels.csv].")
def command(path: str, sample: int, where: Sampling, seed: int | None, output: str | None) -> None:
    """Draw trials for people to label, into a CSV. The judges' verdicts are left out of it, so as not to lead them."""
    target = Path(output) if output else Path(path).with_suffix("").with_name(f"{Path(path).stem}-labels.csv")
    if target.exists():
        raise InputError(f"{target}: there already, perhaps with labels in it; name another file with --output")
    with RunFile(Path(path)) as run:
        sheet = draw_labels(run, sample, where, seed)
    write(sheet.text, str(target))
    back = shlex.join(["trialkit", "import", str(target), "--run", path])
    click.echo(f"{sheet.drawn} of {counted(sheet.eligible, 'trial')} to draw from → {target}")
    click.echo(f"fill in Human Outcome (pass or fail), then: {back}")
