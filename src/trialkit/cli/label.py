"""`trialkit label RUN`."""

import shlex
from pathlib import Path

import click

from trialkit.analysis.draw import Sampling
from trialkit.analysis.labels import draw_labels
from trialkit.errors import InputError
from trialkit.runfile import RunFile
from trialkit.text.shown import counted

from .places import RUN
from .write import write


@click.command(epilog="Example: trialkit label latest --sample 50 --seed 1")
@click.argument("path", metavar="RUN", type=RUN)
@click.option("--sample", type=click.IntRange(min=1), help="How many trials. [default: 30]")
@click.option(
    "--per-stratum",
    type=click.IntRange(min=1),
    metavar="N",
    help="In place of --sample: so many that the judge passed, and so many that it failed.",
)
@click.option(
    "--where",
    type=click.Choice(["random", "passed", "failed", "disagree"]),
    default="random",
    help="random: from all. passed, failed: from those that the judge passed or failed; align weighs them."
    " disagree hunts for trials that judges dispute, which are in no rate. [default: random]",
)
@click.option("--seed", type=int, help="Makes the draw repeatable.")
@click.option("--output", "-o", metavar="FILE", help="The CSV to write [default: RUN with -labels.csv].")
def command(
    path: str, sample: int | None, per_stratum: int | None, where: Sampling, seed: int | None, output: str | None
) -> None:
    """Draw trials for people to label, into a CSV. The judges' verdicts are left out of it, so as not to lead them."""
    if sample and per_stratum:
        raise InputError("--sample or --per-stratum: give one of them")
    target = Path(output) if output else Path(path).with_suffix("").with_name(f"{Path(path).stem}-labels.csv")
    if target.exists():
        raise InputError(f"{target}: there already, perhaps with labels in it; name another file with --output")
    with RunFile(Path(path)) as run:
        sheet = draw_labels(run, per_stratum or sample or 30, where, seed, per_stratum=bool(per_stratum))
    write(sheet.text, str(target))
    back = shlex.join(["trialkit", "import", str(target), "--run", path])
    click.echo(f"{sheet.drawn} of {counted(sheet.eligible, 'trial')} to draw from → {target}")
    click.echo(f"fill in {sheet.column} ({sheet.measure}), then: {back}")
