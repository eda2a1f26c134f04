"""`trialkit runs [DIR]`."""

from pathlib import Path

import click

from trialkit.analysis.runs import list_runs, runs_data, runs_page
from trialkit.pages import WRITERS, write_page
from trialkit.runfile import clear_leftovers
from trialkit.text.json import pretty
from trialkit.text.shown import counted

from .project import output_dir
from .write import write


@click.command(epilog="Example: trialkit runs --state done --suite SUITE")
@click.argument("folder", metavar="[DIR]", type=click.Path(path_type=Path), default=output_dir)
@click.option("--suite", help="Only runs of this suite.")
@click.option("--subject", help="Only runs with this in their subject, name, prompts or tags.")
@click.option("--state", type=click.Choice(["done", "stopped", "running", "killed"]), help="Only runs in this state.")
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="console", help="Default: console.")
def command(folder: Path, suite: str | None, subject: str | None, state: str | None, form: str) -> None:
    """List the runs in a folder (eval_results), the newest first."""
    cleared = clear_leftovers(folder)
    found, faults = list_runs(folder)
    chosen = [run for run in found if run.is_of(suite, subject) and state in {None, run.state}]
    if form == "json":
        write(pretty(runs_data(chosen)), None)
    else:
        hidden = len(found) - len(chosen)
        size = counted(len(chosen), "run") + (f", {hidden} more filtered out" if hidden else "")
        write(write_page(runs_page(f"{folder}: {size}", chosen), form), None)
    if cleared:
        click.echo(f"{counted(len(cleared), 'file')} removed that killed runs left before they had begun", err=True)
    for fault in faults:
        click.echo(fault, err=True)
