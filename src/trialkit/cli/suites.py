"""`trialkit suites`."""

import click

from trialkit.suites import get_suite, suite_names

from ._write import list_names


@click.command()
def command() -> None:
    """List the suites that are installed."""
    click.echo(list_names({name: get_suite(name).summary for name in suite_names()}))
