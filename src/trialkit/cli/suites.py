"""`trialkit suites`."""

import click

from trialkit.errors import InputError
from trialkit.suites import get_suite, suite_names


@click.command()
def command() -> None:
    """List the suites that are installed."""
    names = suite_names()
    width = max(map(len, names))
    for name in names:
        click.echo(f"{name:<{width}}  {_summary(name)}")


def _summary(name: str) -> str:
    try:
        return get_suite(name).summary
    except InputError as error:  # of another package, which must not hide the others
        return str(error)
