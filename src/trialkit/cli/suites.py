"""`trialkit suites`."""

import click

from trialkit.suites import get_suite, suite_names


@click.command()
def command() -> None:
    """List the suites that are installed."""
    names = suite_names()
    width = max(map(len, names))
    for name in names:
        click.echo(f"{name:<{width}}  {get_suite(name).summary}")
