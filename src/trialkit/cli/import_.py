"""`trialkit import FILE…`: each importer's settings are options of it."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from trialkit.analysis.labels import import_labels
from trialkit.analysis.run_page import digest_page
from trialkit.analysis.summary import summarize
from trialkit.engine import record_run
from trialkit.errors import InputError
from trialkit.pages import write_page
from trialkit.runfile import RunFile
from trialkit.suites import ImportedRun, Importer, every_suite
from trialkit.text.shown import counted

from .finish import WITH_ERRORS
from .options import build, given, options_for
from .places import RUN, spread
from .project import output_dir


class _ImportCommand(click.Command):
    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The importers' options, too."""
        known = super().get_params(ctx)
        own = {option.name: option for importer in _importers() for option in options_for(importer.settings)}
        return [known[0], *own.values(), *known[1:]]

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Results"):
            formatter.write_dl([(importer.name, importer.summary) for importer in _importers()])
        super().format_epilog(ctx, formatter)


@click.command(cls=_ImportCommand, epilog="Example: trialkit import results.json --name my-agent")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--output-dir", metavar="DIR", default=output_dir, help="Where run files go [default: eval_results].")
@click.option("--run", "run_path", metavar="RUN", type=RUN, help="A CSV's labels go into this run file.")
@click.option("--annotator", metavar="NAME", default="human", help="Whose labels, where the CSV does not say [human].")
@click.option("--name", metavar="SUBJECT", help="Who was on trial [default: the model in the file, or its name].")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    *,
    files: Sequence[str],
    output_dir: str,
    run_path: str | None,
    annotator: str,
    name: str | None,
    **_: object,
) -> None:
    """Make a run file of each FILE of results that another program wrote.

    The recorded rewards are the verdicts. Trials that crashed end in error, whatever reward was written for them.
    A FILE that is a CSV brings labels back: its Human columns go into the run file that --run names.
    """
    files = spread(files)
    if any(file.lower().endswith(".csv") for file in files) or run_path is not None:
        _import_labels(files, run_path, annotator)
        return
    runs = [_read(ctx, Path(file), name) for file in files]  # all of them, before anything is written
    errors = sum(_record(run, Path(output_dir)) for run in runs)
    if errors:
        click.echo(f"{counted(errors, 'trial')} had crashed and count as errors, not as fails", err=True)
        ctx.exit(WITH_ERRORS)


def _importers() -> list[Importer]:
    told = every_suite(lambda suite: suite.importers(), tell=partial(click.echo, err=True))
    return list({one.name: one for importers in told.values() for one in importers}.values())


def _read(ctx: click.Context, path: Path, subject: str | None) -> ImportedRun:
    importers = _importers()
    importer = next((one for one in importers if one.reads(path)), None)
    if importer is None:
        raise InputError(f"{path}: no importer knows this file; there are {', '.join(one.name for one in importers)}")
    return importer.read(path, subject, build(importer.settings, given(ctx, importer.settings)))


def _record(run: ImportedRun, folder: Path) -> int:
    """How many trials ended in error."""
    for notice in run.notices:
        click.echo(notice, err=True)
    recorded = record_run(run.header, run.cases, run.trials, folder)
    with RunFile(recorded) as file:
        summary = summarize(file)
    click.echo(write_page(digest_page(summary), "console"))
    for line in run.told:
        click.echo(line)
    click.echo(f"run file  {recorded}")
    return summary.counts.errors


def _import_labels(files: Sequence[str], run_path: str | None, annotator: str) -> None:
    if run_path is None:
        raise InputError(f"{files[0]}: labels belong to a run; name its run file: --run RUN")
    found = import_labels([Path(file) for file in files], Path(run_path), annotator)
    changed = f", {found.changed} of them changed" if found.changed else ""
    click.echo(f"{counted(found.labels, 'label')} imported{changed}; {counted(found.unlabelled, 'row')} without one")
