"""`trialkit show RUN [RUN] [CASE[/TRIAL]]`."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from trialkit.analysis.show import WHERE, Where, pair_page, trials_page
from trialkit.errors import InputError
from trialkit.pages import WRITERS, write_page
from trialkit.runfile import RunFile

from .places import names_a_run, one_run
from .write import write

_LINES = 12  # of a text


@click.command(epilog="Example: trialkit show latest --where failed")
@click.argument("given", metavar="RUN [RUN] [CASE[/TRIAL]]", nargs=-1, required=True)
@click.option("--where", type=click.Choice(list(WHERE)), help="Only trials of this kind; flipped takes two runs.")
@click.option("--full", is_flag=True, help=f"All lines of long texts, not the first {_LINES}.")
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="console", help="Default: console.")
def command(given: Sequence[str], where: Where | None, full: bool, form: str) -> None:
    """Show trials: what was said and done, step by step, and how it was judged.

    Of two runs: the same trial of both side by side, from where they part.
    """
    paths, case = _understood(given)
    lines = None if full else _LINES
    if len(paths) == 1:
        with RunFile(Path(paths[0])) as run:
            page = trials_page(run, case, where, lines)
    else:
        with RunFile(Path(paths[0])) as one, RunFile(Path(paths[1])) as other:
            page = pair_page(one, other, case, where, lines)
    text = write_page(page, form)
    if form == "console" and sys.stdout.isatty():
        click.echo_via_pager(text)
    else:
        write(text, None)


def _understood(given: Sequence[str]) -> tuple[list[str], str | None]:
    """What comes after the runs is a case; the first is always a run."""
    runs = [one_run(given[0])]
    rest = list(given[1:])
    if rest and names_a_run(rest[0]):
        runs.append(one_run(rest.pop(0)))
    if len(rest) > 1:
        raise InputError(f"{rest[0]}: no such run file; show takes one run or two, and then a case")
    return runs, rest[0] if rest else None
