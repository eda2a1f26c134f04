"""`trialkit compare A B [C …]`."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, TypedDict, Unpack

import click
from click.core import ParameterSource

from trialkit.analysis.aa import noise_json, noise_of, noise_page
from trialkit.analysis.all_pairs_pages import all_pairs_csv, all_pairs_json, all_pairs_page
from trialkit.analysis.compare import AllPairs, Comparison, compare_all, compare_runs
from trialkit.analysis.compare_csv import comparison_csv
from trialkit.analysis.compare_gate import GateOutcome, GateRule, compare_gate
from trialkit.analysis.compare_html import comparison_html
from trialkit.analysis.compare_pages import comparison_json, comparison_page
from trialkit.analysis.loaded import LoadedRun, load_to_compare
from trialkit.analysis.looks import with_looks, with_looks_of_all
from trialkit.analysis.other_users import refuse_other_users
from trialkit.analysis.sequential import decide_runs
from trialkit.analysis.sequential_pages import sequential_json, sequential_page
from trialkit.errors import InputError
from trialkit.pages import WRITERS, write_page
from trialkit.vocabulary import Measure

from .finish import UNDECIDED, gated
from .groups import GATES, PlacedOption, Sectioned
from .places import RUN, run_named, spread
from .write import hurry, write

_NOISE = "Looks and noise"


class Gating(TypedDict):
    gate: bool
    gate_margin: float | None
    errors_may_lie: Literal["worst", "missing"]
    undecided_exit: int
    sequential: bool
    margin: float | None
    aa: bool


@click.command(cls=Sectioned, epilog="Example: trialkit compare before.trial latest --gate-margin 0.05")
@click.argument("paths", metavar="A B [C]...", nargs=-1, required=True, shell_complete=RUN.shell_complete)
@click.option("--judge", metavar="NAME", help="Whose verdicts count, in all runs [default: those that decided].")
@click.option(
    "--gate",
    cls=PlacedOption,
    section=GATES,
    is_flag=True,
    help="Exit with status 1 if a run is significantly worse than the first.",
)
@click.option(
    "--gate-margin",
    cls=PlacedOption,
    section=GATES,
    metavar="M",
    type=click.FloatRange(min=0, min_open=True),
    help="Exit with status 0 only if a loss of M or more (0.05: 5 points) is excluded, with 1 if a run is worse, and"
    " with 4 if that cannot be decided.",
)
@click.option(
    "--errors-may-lie",
    cls=PlacedOption,
    section=GATES,
    type=click.Choice(["worst", "missing"]),
    default="worst",
    show_default=True,
    help="What a gate makes of a run that has more errors than the first: they hide the worst, or nothing.",
)
@click.option(
    "--undecided-exit",
    cls=PlacedOption,
    section=GATES,
    metavar="N",
    type=click.IntRange(0, 125),
    default=UNDECIDED,
    help="Instead of 4.",
)
@click.option(
    "--sequential",
    cls=PlacedOption,
    section=_NOISE,
    is_flag=True,
    help="A test and an interval that hold however often the runs are looked at.",
)
@click.option(
    "--margin",
    cls=PlacedOption,
    section=_NOISE,
    metavar="M",
    type=click.FloatRange(min=0, min_open=True),
    help="With --sequential: a loss that is smaller than M (0.05: 5 points) is none.",
)
@click.option(
    "--aa",
    cls=PlacedOption,
    section=_NOISE,
    is_flag=True,
    help="What noise alone does: trials of the same settings, dealt at random into A and B.",
)
@click.option("--force", is_flag=True, help="Compare runs, too, whose users were played by different models.")
@click.option("--format", "form", type=click.Choice([*WRITERS, "csv"]), default="console", help="Default: console.")
@click.option("--output", "-o", metavar="FILE", help="Write to this file instead of the terminal.")
@click.pass_context
def command(
    ctx: click.Context,
    paths: Sequence[str],
    judge: str | None,
    form: str,
    output: str | None,
    force: bool,
    **gating: Unpack[Gating],
) -> None:
    """Hold runs against each other, paired by case. A, B …: run files or results CSVs; A is the baseline."""
    paths = [run_named(path) for path in spread(paths)]
    if gating["aa"]:
        _noise(paths, judge, form, output, gating)
        return
    if len(paths) < 2:
        raise InputError("compare takes two runs or more; `trialkit runs` lists those that there are")
    hurry()
    runs = [load_to_compare(Path(path), judge) for path in paths]
    if not force:
        refuse_other_users(runs)
    rule = _rule(gating, runs[0].measure)
    _refuse_idle(ctx, rule, sequential=gating["sequential"])
    if gating["sequential"]:
        text, found = _at_any_time(runs, gating, form)
    elif len(runs) == 2:
        one = with_looks(compare_runs(runs[0], runs[1]))
        found = compare_gate({"B": one}, rule) if rule else None
        text = _two(one, found, form)
    else:
        several = with_looks_of_all(compare_all(runs))
        found = compare_gate(several.against_first, rule) if rule else None
        text = _several(several, found, form)
    write(text, output)
    if found is not None:
        ctx.exit(gated(found, gating["undecided_exit"]))


def _noise(paths: Sequence[str], judge: str | None, form: str, output: str | None, gating: Gating) -> None:
    if gating["gate"] or gating["gate_margin"] or gating["sequential"] or form == "csv":
        raise InputError("--aa shows what noise alone does; it takes no gate, no --sequential, and is no CSV")
    hurry()
    noise = noise_of([load_to_compare(Path(path), judge) for path in paths])
    write(noise_json(noise) if form == "json" else write_page(noise_page(noise), form), output)


def _rule(gating: Gating, measure: Measure) -> GateRule | None:
    """None: no gate was asked for."""
    margin = gating["gate_margin"]
    if gating["margin"] is not None and not gating["sequential"]:
        raise InputError("--margin goes with --sequential; of one look at finished runs it is --gate-margin")
    if gating["sequential"] and margin is not None:
        raise InputError("--gate-margin is of one look at finished runs; with --sequential: --gate --margin M")
    if margin is None and not gating["gate"]:
        return None
    if margin is not None and margin >= measure.span:
        room = f"{measure} leaves room for differences below {measure.span:g}"
        hint = "; 5 points are 0.05" if measure.kind == "pass" else ""
        raise InputError(f"--gate-margin {margin:g}: {room}{hint}")
    return GateRule(margin=margin, errors_may_lie=gating["errors_may_lie"])


def _refuse_idle(ctx: click.Context, rule: GateRule | None, *, sequential: bool) -> None:
    """What was said of a gate that there is not would count for nothing, and look as if it did."""
    idle = [] if rule else ["undecided_exit"] if sequential else ["undecided_exit", "errors_may_lie"]
    for name in idle:
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise InputError(f"--{name.replace('_', '-')} is of a gate: add --gate or --gate-margin M")


def _at_any_time(runs: Sequence[LoadedRun], gating: Gating, form: str) -> tuple[Iterable[str], GateOutcome | None]:
    if len(runs) > 2:
        raise InputError("--sequential takes two runs: A and what is held against it")
    one, gated = compare_runs(runs[0], runs[1]), gating["gate"]
    lie = gating["errors_may_lie"] == "worst"
    found = decide_runs(runs[0], runs[1], gating["margin"], errors_may_lie=lie)
    gate = found.gate if gated else None
    if form == "csv":
        return comparison_csv(one), gate
    if form == "json":
        return sequential_json(one, found, gated=gated), gate
    return write_page(sequential_page(one, found, gated=gated), form), gate


def _two(one: Comparison, gate: GateOutcome | None, form: str) -> Iterable[str]:
    if form == "html":
        return comparison_html(one, gate)
    if form == "csv":
        return comparison_csv(one)
    return comparison_json(one, gate) if form == "json" else write_page(comparison_page(one, gate), form)


def _several(several: AllPairs, gate: GateOutcome | None, form: str) -> Iterable[str]:
    if form == "csv":
        return all_pairs_csv(several)
    return all_pairs_json(several, gate) if form == "json" else write_page(all_pairs_page(several, gate), form)
