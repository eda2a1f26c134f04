"""`trialkit runs [DIR]`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from trialkit.analysis import Brief, brief, headline_data
from trialkit.errors import InputError
from trialkit.pages import WRITERS, Code, Money, Name, Page, Table, measured, write_page
from trialkit.runfile import RunFile, is_going_on
from trialkit.text.shown import counted
from trialkit.vocabulary import Measure

from .write import write


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
@click.option("--format", "form", type=click.Choice(list(WRITERS)), default="console", help="Default: console.")
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
        write(json.dumps([_data(run) for run in chosen], ensure_ascii=False, indent=2) + "\n", None)
    else:
        write(write_page(_page(folder, chosen, len(found) - len(chosen)), form), None)
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


def _page(folder: str, runs: Sequence[_Run], hidden: int) -> Page:
    """Two lines each in a terminal, since the name of a run file, which other commands want, takes one of its own."""
    rows = tuple(
        (
            run.state,
            f"{run.summary.done}/{run.summary.total}",
            measured(run.summary.headline, run.measure, short=True),
            Money(run.summary.cost),
            Name(run.summary.info.suite),
            Name(run.summary.info.subject, most=60),
            Code(str(run.path)),
        )
        for run in runs
    )
    names = {run.measure.mean_name for run in runs}
    worth = names.pop().capitalize() if len(names) == 1 else "Result"
    columns = ("State", "Trials", worth, "Cost", "Suite", "Subject", "Run file")
    size = counted(len(runs), "run") + (f", {hidden} more filtered out" if hidden else "")
    table = Table(title="", columns=columns, rows=rows, below="Run file")
    return Page(title=f"{folder}: {size}", parts=(table,) if runs else ())


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
