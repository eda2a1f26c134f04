"""`trialkit cases`: what a suite can make of a seed."""

from pathlib import Path

import click

from trialkit.errors import InputError
from trialkit.suites import get_suite
from trialkit.text.shown import counted

from .groups import Group
from .write import write


@click.group(cls=Group, epilog="Example: trialkit cases generate SUITE --n 300 -o cases.csv")
def command() -> None:
    """Generate cases whose truth is known from how they are made."""


@command.command("generate", epilog="Example: trialkit cases generate SUITE --n 300 --seed 1 -o cases.csv")
@click.argument("suite")
@click.option("--n", "number", type=click.IntRange(1, 100_000), required=True, help="How many cases.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same cases.")
@click.option("--output", "-o", metavar="FILE", help="The file to write [default: the terminal].")
def generate_command(suite: str, number: int, seed: int, output: str | None) -> None:
    """Write a file of cases that `trialkit run SUITE` can take. No file is overwritten."""
    if output is not None and Path(output).exists():
        raise InputError(f"{output}: there already; name another file with --output")
    text = get_suite(suite).generate(number, seed)
    if output is None:
        write(text, None)
        return
    try:
        Path(output).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{output}: cannot be written: {error.strerror}") from None
    write(text, output)
    click.echo(f"wrote {counted(number, 'case')} to {output}")
