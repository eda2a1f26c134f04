"""`trialkit report RUN`."""

from pathlib import Path

import click

from trialkit.runfile import RunFile
from trialkit.suites import find_format, general_formats, pieces

from .places import RUN
from .write import write


@click.command(epilog="Example: trialkit report latest --format html -o report.html")
@click.argument("path", metavar="RUN", type=RUN)
@click.option(
    "--format",
    "form",
    metavar="NAME",
    default="console",
    help=f"{', '.join(general_formats())}; or one of the suite's own [default: console].",
)
@click.option("--output", "-o", metavar="FILE", help="Write to this file instead of the terminal.")
def command(path: str, form: str, output: str | None) -> None:
    """Show a run, also while it goes on."""
    with RunFile(Path(path)) as run:
        wanted = find_format(run, form)
        write(pieces(run, wanted), output)
        for line in wanted.lacking(run) if wanted.lacking else ():
            click.echo(f"missing: {line}", err=True)
