"""`trialkit compare A B [C …]`."""

from collections.abc import Sequence
from pathlib import Path

import click

from trialkit.analysis import (
    AllPairs,
    Comparison,
    all_pairs_csv,
    all_pairs_json,
    all_pairs_page,
    compare_all,
    compare_runs,
    comparison_csv,
    comparison_json,
    comparison_page,
    load_to_compare,
)
from trialkit.errors import InputError
from trialkit.pages import WRITERS, write_page

from .finish import GATE_NOT_MET
from .write import hurry, write


@click.command()
@click.argument("paths", metavar="A B [C]...", nargs=-1, required=True)
@click.option("--judge", metavar="NAME", help="Whose verdicts count, in all runs [default: those that decided].")
@click.option("--gate", is_flag=True, help="Exit with status 1 if a run is significantly worse than the first.")
@click.option("--format", "form", type=click.Choice([*WRITERS, "csv"]), default="console", help="Default: console.")
@click.option("--output", "-o", metavar="FILE", help="Write to this file instead of the terminal.")
@click.pass_context
def command(
    ctx: click.Context, paths: Sequence[str], judge: str | None, gate: bool, form: str, output: str | None
) -> None:
    """Hold runs against each other, paired by case. A, B …: run files or results CSVs; A is the baseline."""
    if len(paths) < 2:
        raise InputError("compare takes two runs or more; `trialkit runs` lists those that there are")
    hurry()
    runs = [load_to_compare(Path(path), judge) for path in paths]
    if len(runs) == 2:
        one = compare_runs(runs[0], runs[1])
        write(_two(one, form), output)
        worse, comparable = one.regression, bool(one.paired)
    else:
        several = compare_all(runs)
        write(_several(several, form), output)
        worse, comparable = bool(several.regressions), all(one.paired for one in several.pairs)
    if gate:
        ctx.exit(_gate(worse=worse, comparable=comparable))


def _two(one: Comparison, form: str) -> str:
    if form == "json":
        return comparison_json(one)
    if form == "csv":
        return comparison_csv(one)
    return write_page(comparison_page(one), form)


def _several(several: AllPairs, form: str) -> str:
    if form == "json":
        return all_pairs_json(several)
    if form == "csv":
        return all_pairs_csv(several)
    return write_page(all_pairs_page(several), form)


def _gate(*, worse: bool, comparable: bool) -> int:
    if not comparable:
        click.echo("gate not met: there is nothing to compare", err=True)
        return GATE_NOT_MET
    if worse:
        click.echo("gate not met: a significant regression", err=True)
        return GATE_NOT_MET
    click.echo("gate met: no significant regression", err=True)
    return 0
