"""`trialkit init [DIR]`."""

import shlex
from functools import partial
from pathlib import Path

import click

from trialkit.errors import InputError
from trialkit.suites import Starter, every_suite


@click.command()
@click.argument("folder", metavar="[DIR]", default=".")
@click.option("--suite", help="Whose files [default: the first suite that has any].")
def command(folder: str, suite: str | None) -> None:
    """Write a starter folder: the golden CSV and both prompts, to be changed. No file is overwritten."""
    starter = _starter(suite)
    files = {Path(folder) / name: text for name, text in starter.files.items()}
    there = [str(path) for path in files if path.exists()]
    if there:
        raise InputError(f"{', '.join(there)}: there already; nothing was written. Choose an empty folder")
    for path, text in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
        click.echo(f"wrote {path}")
    click.echo(f"next: cd {shlex.quote(folder)} && {starter.command}")


def _starter(suite: str | None) -> Starter:
    told = every_suite(lambda one: one.starter(), tell=partial(click.echo, err=True))
    found = {name: starter for name, starter in told.items() if starter is not None}
    if suite is None and found:
        return next(iter(found.values()))
    if suite not in found:
        raise InputError(f"--suite {suite}: it has no files to begin with; these have: {', '.join(found)}")
    return found[suite]
