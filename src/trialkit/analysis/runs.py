"""The runs in a folder: quickly, for there may be many with thousands of trials."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trialkit.errors import InputError
from trialkit.pages import Code, Money, Name, Page, Table, Words, measured
from trialkit.runfile import Counts, Prompt, RunFile, RunInfo, is_going_on, run_files
from trialkit.stats import Figure, error_bounds, exact, known, mean_score
from trialkit.vocabulary import Measure

from .headline import headline_data

STORED = "Stored: trials answered by stored replies of an earlier run; they are no new evidence"


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedRun:
    """A few figures of a run's `Summary`, and the same."""

    path: Path
    info: RunInfo
    called: str  # name, subject, versions of prompts, tags
    prompts: tuple[Prompt, ...]
    state: str  # done, stopped, running; killed: it says it is running, but no process has it open
    counts: Counts
    headline: Figure  # of the first of the suite's measures
    bounds: Figure | None  # what errors could make of it
    cost: Figure
    stored: int  # trials answered by stored replies of an earlier run alone

    @property
    def measure(self) -> Measure:
        return self.info.measures[0]

    def is_of(self, suite: str | None, subject: str | None) -> bool:
        """`subject` is a part of what the run is called; None: any."""
        return suite in {None, self.info.suite} and (subject or "").lower() in self.called.lower()


def list_runs(folder: Path) -> tuple[list[ListedRun], list[str]]:
    """Those in it and in the folders below, the newest first, and what is wrong with files that cannot be read."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; runs are written to --output-dir, by default eval_results")
    found, faults = [], []
    for path in run_files(folder):
        try:
            found.append(list_run(path))
        except InputError as error:
            faults.append(str(error))
    return sorted(found, key=lambda run: run.info.created, reverse=True), faults


def list_run(path: Path) -> ListedRun:
    with RunFile(path) as run, run.moment():
        info, counts, worths, cost, prompts = run.info(), run.counts(), run.worths(), run.cost(), run.prompts()
        stored = run.stored()
    measure, cases = info.measures[0], list(worths.values())
    return ListedRun(
        path=path,
        info=info,
        called=info.called(prompts),
        prompts=prompts,
        state=state_of(path, info),
        counts=counts,
        headline=mean_score(known(cases), measure.low, measure.high),
        bounds=error_bounds(cases, measure.low, measure.high),
        cost=exact(cost, counts.total - counts.open),
        stored=stored,
    )


def state_of(path: Path, info: RunInfo) -> str:
    """`killed`: it says that it is running, but no process has it open."""
    return "killed" if info.state == "running" and not is_going_on(path) else info.state


def runs_page(title: str, runs: Sequence[ListedRun]) -> Page:
    """Two lines each in a terminal, since the name of a run file, which other commands want, takes one of its own."""
    rows = tuple(
        (
            run.state,
            f"{run.counts.total - run.counts.open}/{run.counts.total}",
            measured(run.headline, run.measure, short=True),
            Money(run.cost),
            Name(run.info.suite),
            Name(run.called, most=100),
            Code(str(run.path)),
        )
        for run in runs
    )
    names = {run.measure.mean_name for run in runs}
    worth = names.pop().capitalize() if len(names) == 1 else "Result"
    columns = ("State", "Trials", worth, "Cost", "Suite", "Subject", "Run file")
    table = with_stored(Table(title="", columns=columns, rows=rows, below="Run file"), runs, after="Trials")
    return Page(title=title, parts=(table,) if runs else ())


def with_stored(table: Table, runs: Sequence[ListedRun], after: str) -> Table:
    """With a column of trials that are no new evidence, where there are any."""
    if not any(run.stored for run in runs):
        return table
    place = table.columns.index(after) + 1
    cells = [(Words(f"{run.stored:,}", style="bad") if run.stored else "") for run in runs]
    rows = tuple((*row[:place], cell, *row[place:]) for row, cell in zip(table.rows, cells, strict=True))
    note = " · ".join(filter(None, (table.note, STORED)))
    return replace(table, columns=(*table.columns[:place], "Stored", *table.columns[place:]), rows=rows, note=note)


def runs_data(runs: Sequence[ListedRun]) -> list[dict[str, object]]:
    return [
        {
            **listed_data(run),
            "state": run.state,
            "trials": run.counts.total,
            "open": run.counts.open,
            "errors": run.counts.errors,
            "cost_usd": run.cost.to_data(),
        }
        for run in runs
    ]


def listed_data(run: ListedRun) -> dict[str, object]:
    """What every list of runs has of each."""
    return {
        "file": str(run.path),
        "suite": run.info.suite,
        "subject": run.info.subject,
        "name": run.info.name,
        "tags": list(run.info.tags),
        "prompts": {prompt.role: prompt.version for prompt in run.prompts},
        "created": run.info.created,
        "stored": run.stored,
        **headline_data(run.headline, run.measure, run.bounds),
    }
