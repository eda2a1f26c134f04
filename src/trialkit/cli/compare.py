"""`trialkit compare A B [C …]`."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import click

from trialkit.analysis.all_pairs_pages import all_pairs_csv, all_pairs_json, all_pairs_page
from trialkit.analysis.compare import compare_all, compare_runs
from trialkit.analysis.compare_pages import comparison_csv, comparison_json, comparison_page
from trialkit.analysis.loaded import load_to_compare
from trialkit.errors import InputError
from trialkit.pages import WRITERS, Page, write_page

from .finish import GATE_NOT_MET
from .write import hurry, write

F = TypeVar("F")


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
        write(_written(one, form, {"json": comparison_json, "csv": comparison_csv}, comparison_page), output)
        worse, comparable = one.regression, bool(one.paired)
    else:
        several = compare_all(runs)
        write(_written(several, form, {"json": all_pairs_json, "csv": all_pairs_csv}, all_pairs_page), output)
        worse, comparable = bool(several.regressions), all(one.paired for one in several.pairs)
    if gate:
        ctx.exit(_gate(worse=worse, comparable=comparable))


def _written(found: F, form: str, own: Mapping[str, Callable[[F], str]], page: Callable[[F], Page]) -> str:
    return own[form](found) if form in own else write_page(page(found), form)


def _gate(*, worse: bool, comparable: bool) -> int:
    why = "there is nothing to compare" if not comparable else "a significant regression" if worse else ""
    click.echo(f"gate not met: {why}" if why else "gate met: no significant regression", err=True)
    return GATE_NOT_MET if why else 0
