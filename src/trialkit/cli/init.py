"""`trialkit init [DIR]`."""

import shlex
from functools import partial
from pathlib import Path

import click

from trialkit.errors import InputError
from trialkit.suites import starter_names, starter_of


class _Starters(click.Option):
    """The help lists what there is, which takes loading every suite."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        self.help = f"What to begin with: {', '.join(starter_names())} [default: the first suite that brings files]."
        return super().get_help_record(ctx)


@click.command(epilog="Example: trialkit init demo --from classify")
@click.argument("folder", metavar="[DIR]", default=".")
@click.option("--from", "--suite", "name", metavar="NAME", cls=_Starters)
def command(folder: str, name: str | None) -> None:
    """Write a starter folder: a suite with cases and prompts, to be changed. No file is overwritten."""
    starter = starter_of(name, tell=partial(click.echo, err=True))
    files = {Path(folder) / file: text for file, text in starter.files.items()}
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
