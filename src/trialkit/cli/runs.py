"""`trialkit runs [DIR]`."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import click

from trialkit.analysis import headline_data
from trialkit.errors import InputError
from trialkit.pages import measured
from trialkit.pages.old_cells import under_each_other
from trialkit.reports import Brief, brief
from trialkit.runfile import RunFile, is_going_on
from trialkit.text.shown import counted, dollars, one_line
from trialkit.vocabulary import Measure


@dataclass(frozen=True, slots=True)
class _Run:
    path: Path
    summary: Brief
    state: str

    @property
    def measure(self) -> Measure:
        return self.summary.info.measures[0]


@click.command()
@click.argument("folder", metavar="[DIR]", default="eval_results")
@click.option("--suite", help="Only runs of this suite.")
@click.option("--subject", help="Only runs whose subject contains this.")
@click.option("--state", type=click.Choice(["done", "stopped", "running", "killed"]), help="Only runs in this state.")
@click.option("--format", "form", type=click.Choice(["console", "json"]), default="console", help="Default: console.")
def command(folder: str, suite: str | None, subject: str | None, state: str | None, form: str) -> None:
    """List the runs in a folder (eval_results), the newest first."""
    found, faults = _read(Path(folder))
    chosen = [
        run
        for run in found
        if suite in {None, run.summary.info.suite}
        and (subject or "").lower() in run.summary.info.subject.lower()
        and state in {None, run.state}
    ]
    if form == "json":
        click.echo(json.dumps([_data(run) for run in chosen], ensure_ascii=False, indent=2))
    else:
        _print(chosen)
        hidden = len(found) - len(chosen)
        click.echo(counted(len(chosen), "run") + (f", {hidden} more filtered out" if hidden else ""))
    for fault in faults:
        click.echo(fault, err=True)


def _read(folder: Path) -> tuple[list[_Run], list[str]]:
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; runs are written to --output-dir, by default eval_results")
    found, faults = [], []
    for path in sorted(folder.glob("*.trial"), reverse=True):
        try:
            with RunFile(path) as run:
                summary = brief(run)
        except InputError as error:
            faults.append(str(error))
        else:
            found.append(_Run(path, summary, _state(path, summary)))
    return found, faults


def _print(runs: Sequence[_Run]) -> None:
    """Two lines each, since the name of a run file, which other commands want, takes one of its own."""
    rates = under_each_other([str(measured(run.summary.headline, run.measure, short=True)) for run in runs])
    names = {run.measure.mean_name for run in runs}
    if len(names) > 1:
        rates = [f"{rate} {run.measure.name}" for rate, run in zip(rates, runs, strict=True)]
    column = names.pop().capitalize() if len(names) == 1 else "Result"
    rows = [("State", "Trials", column, "Cost", "Suite", "Subject")]
    for run, rate in zip(runs, rates, strict=True):
        summary, info = run.summary, run.summary.info
        cost = dollars(summary.cost.value)
        rows.append((run.state, f"{summary.done}/{summary.total}", rate, cost, info.suite, one_line(info.subject)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    if sys.stdout.isatty():  # the file's name, below, has all of the subject
        width = get_terminal_size().columns
        lines = [line if len(line) <= width else f"{line[: width - 1]}…" for line in lines]
    if runs:
        click.echo(lines[0])
    for line, run in zip(lines[1:], runs, strict=True):
        click.echo(f"{line}\n  {run.path}")


def _state(path: Path, summary: Brief) -> str:
    """A run that says it is running although no process has it open was killed."""
    state = summary.info.state
    return "killed" if state == "running" and not is_going_on(path) else state


def _data(run: _Run) -> dict[str, Any]:
    summary = run.summary
    return {
        "file": str(run.path),
        "suite": summary.info.suite,
        "subject": summary.info.subject,
        "created": summary.info.created,
        "state": run.state,
        "trials": summary.total,
        "open": summary.open,
        "errors": summary.errors,
        **headline_data(summary.headline, run.measure),
        "cost_usd": summary.cost.to_data(),
    }
