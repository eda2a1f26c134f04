"""`trialkit runs [DIR]`."""

import json
from pathlib import Path
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table

from trialkit.errors import InputError
from trialkit.reports import Summary, summarize
from trialkit.runfile import RunFile, is_going_on
from trialkit.text import counted, dollars, rate


@click.command()
@click.argument("folder", metavar="[DIR]", default="eval_results")
@click.option("--format", "form", type=click.Choice(["console", "json"]), default="console", help="Default: console.")
def command(folder: str, form: str) -> None:
    """List the runs in a folder (eval_results), the newest first."""
    found, faults = _read(Path(folder))
    if form == "json":
        click.echo(json.dumps([_data(path, summary) for path, summary in found], ensure_ascii=False, indent=2))
    else:
        _print(found)
    for fault in faults:
        click.echo(fault, err=True)


def _read(folder: Path) -> tuple[list[tuple[Path, Summary]], list[str]]:
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; runs are written to --output-dir, by default eval_results")
    found, faults = [], []
    for path in sorted(folder.glob("*.trial"), reverse=True):
        try:
            with RunFile(path) as run:
                found.append((path, summarize(run)))
        except InputError as error:
            faults.append(str(error))
    return found, faults


def _print(found: list[tuple[Path, Summary]]) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, expand=True)
    for name in ("Run", "State", "Trials", "Pass rate", "Cost"):
        table.add_column(name, overflow="fold", ratio=1 if name == "Run" else None, no_wrap=name != "Run")
    for path, summary in found:
        trials = f"{summary.done}/{summary.total}"
        table.add_row(path.name, _state(path, summary), trials, rate(summary.pass_rate), dollars(summary.cost.value))
    console = Console()
    if found:
        console.print(table)
    console.print(counted(len(found), "run"))


def _state(path: Path, summary: Summary) -> str:
    """A run that says it is running although no process has it open was killed."""
    state = summary.info.state
    return "killed" if state == "running" and not is_going_on(path) else state


def _data(path: Path, summary: Summary) -> dict[str, Any]:
    return {
        "file": str(path),
        "suite": summary.info.suite,
        "subject": summary.info.subject,
        "created": summary.info.created,
        "state": _state(path, summary),
        "trials": summary.total,
        "open": summary.open,
        "errors": summary.errors,
        "pass_rate": summary.pass_rate.to_data(),
        "cost_usd": summary.cost.to_data(),
    }
