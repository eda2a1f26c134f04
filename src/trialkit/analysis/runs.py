"""The runs in a folder: quickly, for there may be many with thousands of trials."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trialkit.errors import InputError
from trialkit.pages import Code, Money, Name, Page, Table, measured
from trialkit.runfile import Counts, RunFile, RunInfo, is_going_on
from trialkit.stats import Figure, error_bounds, exact, known, mean_score
from trialkit.vocabulary import Measure

from .headline import headline_data


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedRun:
    """A few figures of a run's `Summary`, and the same."""

    path: Path
    info: RunInfo
    state: str  # done, stopped, running; killed: it says it is running, but no process has it open
    counts: Counts
    headline: Figure  # of the first of the suite's measures
    bounds: Figure | None  # what errors could make of it
    cost: Figure

    @property
    def measure(self) -> Measure:
        return self.info.measures[0]

    def is_of(self, suite: str | None, subject: str | None) -> bool:
        """`subject` is a part of its name; None: any."""
        return suite in {None, self.info.suite} and (subject or "").lower() in self.info.subject.lower()


def list_runs(folder: Path) -> tuple[list[ListedRun], list[str]]:
    """The newest first, and what is wrong with files that cannot be read."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; runs are written to --output-dir, by default eval_results")
    found, faults = [], []
    for path in sorted(folder.glob("*.trial"), reverse=True):
        try:
            found.append(_listed(path))
        except InputError as error:
            faults.append(str(error))
    return found, faults


def _listed(path: Path) -> ListedRun:
    with RunFile(path) as run, run.moment():
        info, counts, worths, cost = run.info(), run.counts(), run.worths(), run.cost()
    measure, cases = info.measures[0], list(worths.values())
    return ListedRun(
        path=path,
        info=info,
        state="killed" if info.state == "running" and not is_going_on(path) else info.state,
        counts=counts,
        headline=mean_score(known(cases), measure.low, measure.high),
        bounds=error_bounds(cases, measure.low, measure.high),
        cost=exact(cost, counts.total - counts.open),
    )


def runs_page(title: str, runs: Sequence[ListedRun]) -> Page:
    """Two lines each in a terminal, since the name of a run file, which other commands want, takes one of its own."""
    rows = tuple(
        (
            run.state,
            f"{run.counts.total - run.counts.open}/{run.counts.total}",
            measured(run.headline, run.measure, short=True),
            Money(run.cost),
            Name(run.info.suite),
            Name(run.info.subject, most=60),
            Code(str(run.path)),
        )
        for run in runs
    )
    names = {run.measure.mean_name for run in runs}
    worth = names.pop().capitalize() if len(names) == 1 else "Result"
    columns = ("State", "Trials", worth, "Cost", "Suite", "Subject", "Run file")
    return Page(title=title, parts=(Table(title="", columns=columns, rows=rows, below="Run file"),) if runs else ())


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
        "created": run.info.created,
        **headline_data(run.headline, run.measure, run.bounds),
    }
