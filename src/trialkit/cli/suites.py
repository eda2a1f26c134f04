"""`trialkit suites`."""

import click

from trialkit.errors import InputError
from trialkit.suites import get_suite, suite_names

from ._write import list_names


@click.command()
def command() -> None:
    """List the suites that are installed."""
    click.echo(list_names({name: _summary(name) for name in suite_names()}))


def _summary(name: str) -> str:
    try:
        return get_suite(name).summary
    except InputError as error:  # of another package, which must not hide the others
        return str(error)
