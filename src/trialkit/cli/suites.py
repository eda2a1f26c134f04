"""`trialkit suites`."""

import click

from .suite_commands import suite_summaries
from .write import list_names


@click.command(epilog="Example: trialkit suites")
def command() -> None:
    """List the suites that are installed."""
    click.echo(list_names(suite_summaries()))
