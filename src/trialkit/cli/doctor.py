"""`trialkit doctor`."""

from pathlib import Path

import click

from trialkit.analysis.caches import clean, remove, scraps
from trialkit.analysis.doctor import doctor_page, examine
from trialkit.pages import WRITERS, write_page
from trialkit.runfile import clear_leftovers
from trialkit.text.shown import counted

from .finish import GATE_NOT_MET
from .project import output_dir
from .write import write

_LEFTOVERS = "leftovers"


@click.command(epilog="Example: trialkit doctor --clean")
@click.option("--output-dir", metavar="DIR", default=output_dir, help="Where the runs are [default: eval_results].")
@click.option(
    "--clean",
    "part",
    is_flag=False,
    flag_value=_LEFTOVERS,
    type=click.Choice([_LEFTOVERS, "replies", "data", "agents"]),
    help="First remove what kills left [leftovers], or a part of the cache.",
)
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="console", help="Default: console.")
@click.pass_context
def command(ctx: click.Context, output_dir: str, part: str | None, form: str) -> None:
    """Look at what trialkit runs on, and say what to do about it. Exit status: 0 usable, 1 something is to be done."""
    folder = Path(output_dir)
    if part is not None:
        gone = [*clear_leftovers(folder), *scraps()] if part == _LEFTOVERS else clean(part)
        for path in gone:
            remove(path)
        click.echo(f"{counted(len(gone), 'thing')} removed", err=True)
    checks = examine(folder)
    write(write_page(doctor_page(checks), form), None)
    ctx.exit(GATE_NOT_MET if any(check.state == "to do" for check in checks) else 0)
