"""`trialkit trend [DIR]`."""

from pathlib import Path

import click

from trialkit.analysis.trend import trend_data, trend_of, trend_page
from trialkit.pages import WRITERS, write_page
from trialkit.text.json import pretty

from .write import write


@click.command()
@click.argument("folder", metavar="[DIR]", default="eval_results")
@click.option("--suite", help="Which suite [default: that of the newest run].")
@click.option("--subject", metavar="TEXT", help="Only runs whose subject has this in its name.")
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="console", help="Default: console.")
def command(folder: str, suite: str | None, subject: str | None, form: str) -> None:
    """Show one suite's pass rate, or mean score, over time."""
    trend = trend_of(Path(folder), suite, subject)
    if form == "json":
        write(pretty(trend_data(trend)), None)
    else:
        write(write_page(trend_page(trend), form), None)
    for fault in trend.faults:
        click.echo(fault, err=True)
