"""`trialkit compare A B [C …]`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypedDict, Unpack

import click

from trialkit.analysis.all_pairs_pages import all_pairs_csv, all_pairs_json, all_pairs_page
from trialkit.analysis.compare import AllPairs, Comparison, compare_all, compare_runs
from trialkit.analysis.compare_gate import GateOutcome, GateRule, compare_gate
from trialkit.analysis.compare_pages import comparison_csv, comparison_json, comparison_page
from trialkit.analysis.loaded import load_to_compare
from trialkit.errors import InputError
from trialkit.pages import WRITERS, write_page
from trialkit.vocabulary import Measure

from .finish import GATE_NOT_MET, UNDECIDED
from .write import hurry, write


class Gating(TypedDict):
    gate: bool
    gate_margin: float | None
    errors_may_lie: Literal["worst", "missing"]
    undecided_exit: int


@click.command()
@click.argument("paths", metavar="A B [C]...", nargs=-1, required=True)
@click.option("--judge", metavar="NAME", help="Whose verdicts count, in all runs [default: those that decided].")
@click.option("--gate", is_flag=True, help="Exit with status 1 if a run is significantly worse than the first.")
@click.option(
    "--gate-margin",
    metavar="M",
    type=click.FloatRange(min=0, min_open=True),
    help="Exit with status 0 only if a loss of M or more (0.05: 5 points) is excluded, with 1 if a run is worse, and"
    " with 4 if that cannot be decided.",
)
@click.option(
    "--errors-may-lie",
    type=click.Choice(["worst", "missing"]),
    default="worst",
    show_default=True,
    help="What a gate makes of a run that has more errors than the first: they hide the worst, or nothing.",
)
@click.option("--undecided-exit", metavar="N", type=click.IntRange(0, 125), default=UNDECIDED, help="Instead of 4.")
@click.option("--format", "form", type=click.Choice([*WRITERS, "csv"]), default="console", help="Default: console.")
@click.option("--output", "-o", metavar="FILE", help="Write to this file instead of the terminal.")
@click.pass_context
def command(
    ctx: click.Context,
    paths: Sequence[str],
    judge: str | None,
    form: str,
    output: str | None,
    **gating: Unpack[Gating],
) -> None:
    """Hold runs against each other, paired by case. A, B …: run files or results CSVs; A is the baseline."""
    if len(paths) < 2:
        raise InputError("compare takes two runs or more; `trialkit runs` lists those that there are")
    hurry()
    runs = [load_to_compare(Path(path), judge) for path in paths]
    rule = _rule(gating, runs[0].measure)
    if len(runs) == 2:
        one = compare_runs(runs[0], runs[1])
        found = compare_gate({"B": one}, rule) if rule else None
        write(_two(one, found, form), output)
    else:
        several = compare_all(runs)
        found = compare_gate(several.against_first, rule) if rule else None
        write(_several(several, found, form), output)
    if found is not None:
        ctx.exit(_gated(found, gating["undecided_exit"]))


def _rule(gating: Gating, measure: Measure) -> GateRule | None:
    """None: no gate was asked for."""
    margin = gating["gate_margin"]
    if margin is None and not gating["gate"]:
        return None
    if margin is not None and margin >= measure.span:
        room = f"{measure} leaves room for differences below {measure.span:g}"
        hint = "; 5 points are 0.05" if measure.kind == "pass" else ""
        raise InputError(f"--gate-margin {margin:g}: {room}{hint}")
    return GateRule(margin=margin, errors_may_lie=gating["errors_may_lie"])


def _two(one: Comparison, gate: GateOutcome | None, form: str) -> str:
    if form == "csv":
        return comparison_csv(one)
    return comparison_json(one, gate) if form == "json" else write_page(comparison_page(one, gate), form)


def _several(several: AllPairs, gate: GateOutcome | None, form: str) -> str:
    if form == "csv":
        return all_pairs_csv(several)
    return all_pairs_json(several, gate) if form == "json" else write_page(all_pairs_page(several, gate), form)


def _gated(gate: GateOutcome, undecided: int) -> int:
    told = {"ok": "gate met", "worse": "gate not met", "undecided": "gate undecided"}[gate.state]
    click.echo(f"{told}: {gate.why}", err=True)
    return {"ok": 0, "worse": GATE_NOT_MET, "undecided": undecided}[gate.state]
