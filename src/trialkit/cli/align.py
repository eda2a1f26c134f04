"""`trialkit align RUN|CSV`."""

from pathlib import Path

import click

from trialkit.analysis.align import align_run
from trialkit.analysis.align_pages import alignment_json, alignment_page
from trialkit.analysis.loaded import load_run
from trialkit.pages import WRITERS, write_page

from .places import RUN
from .write import hurry, write


@click.command(epilog="Example: trialkit align latest")
@click.argument("path", metavar="RUN|CSV", type=RUN)
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="console", help="Default: console.")
@click.option("--output", "-o", metavar="FILE", help="Write to this file instead of the terminal.")
def command(path: str, form: str, output: str | None) -> None:
    """Hold each judge against human labels: a run file's, or the Human columns of a results CSV."""
    hurry()
    found = align_run(load_run(Path(path)))
    write(alignment_json(found) if form == "json" else write_page(alignment_page(found), form), output)
