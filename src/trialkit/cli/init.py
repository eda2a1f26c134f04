"""`trialkit init [DIR]`."""

import shlex
from pathlib import Path

import click

from trialkit.errors import InputError
from trialkit.suites.commodity.starter import starter_files


@click.command()
@click.argument("folder", metavar="[DIR]", default=".")
def command(folder: str) -> None:
    """Write a starter folder: the golden CSV and both prompts, to be changed. No file is overwritten."""
    files = {Path(folder) / name: text for name, text in starter_files().items()}
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
    click.echo(f"next: cd {shlex.quote(folder)} && trialkit run commodity --model baseline")
