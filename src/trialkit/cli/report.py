"""`trialkit report RUN`."""

from pathlib import Path

import click

from trialkit.reports.render import FORMATS, render
from trialkit.runfile import RunFile

from .write import write


@click.command()
@click.argument("path", metavar="RUN")
@click.option("--format", "form", type=click.Choice(FORMATS), default="console", help="Default: console.")
@click.option("--output", "-o", metavar="FILE", help="Write to this file instead of the terminal.")
def command(path: str, form: str, output: str | None) -> None:
    """Show a run, also while it goes on."""
    with RunFile(Path(path)) as run:
        text = render(run, form)
    write(text, output)
