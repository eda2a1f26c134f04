"""`trialkit trend [DIR]`."""

from pathlib import Path

import click

from trialkit.analysis.trend import trend_data, trend_of, trend_page
from trialkit.pages import WRITERS, write_page
from trialkit.text.json import pretty

from .project import output_dir
from .write import write


@click.command(epilog="Example: trialkit trend --subject gpt")
@click.argument("folder", metavar="[DIR]", type=click.Path(path_type=Path), default=output_dir)
@click.option("--suite", help="Which suite [default: that of the newest run].")
@click.option("--subject", metavar="TEXT", help="Only runs with this in their subject, name, prompts or tags.")
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="console", help="Default: console.")
def command(folder: Path, suite: str | None, subject: str | None, form: str) -> None:
    """Show one suite's pass rate, or mean score, over time."""
    trend = trend_of(folder, suite, subject)
    if form == "json":
        write(pretty(trend_data(trend)), None)
    else:
        write(write_page(trend_page(trend), form), None)
    for fault in trend.faults:
        click.echo(fault, err=True)
