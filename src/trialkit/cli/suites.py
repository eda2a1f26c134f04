"""`trialkit suites`."""

import click

from ._suites import suite_summaries
from ._write import list_names


@click.command()
def command() -> None:
    """List the suites that are installed."""
    click.echo(list_names(suite_summaries()))
