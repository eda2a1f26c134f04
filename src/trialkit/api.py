"""For notebooks: `trialkit.run(suite)`, `trialkit.open_run(path)` and `trialkit.compare(a, b)`.

Everything is plain data: lists of dataclasses, and tables if pandas is installed.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trialkit.analysis.compare import Comparison, compare_runs
from trialkit.analysis.compare_pages import comparison_page
from trialkit.analysis.loaded import LoadedRun, load_to_compare
from trialkit.analysis.looks import with_looks
from trialkit.analysis.until import open_until
from trialkit.analysis.words import conclusion
from trialkit.engine import Job, Tally, beside, blocking, read_settings, start, write_beside
from trialkit.pages import write_page
from trialkit.runfile import Event, RecordedTrial, RunFile, TrialRecord
from trialkit.suites import Suite, checked_suite, get_suite, remember_suite
from trialkit.vocabulary import Finding, Verdict

__all__ = ["Run", "arun", "compare", "open_run", "run"]

_LOG = logging.getLogger("trialkit")


class Run:
    """A run, read once. A run that is still going on is as it was when it was opened."""

    def __init__(self, path: Path) -> None:
        with RunFile(path) as run:
            self.path = path
            self.info = run.info()
            self.cases = run.cases()
            self.trials = run.trials()

    def __repr__(self) -> str:
        return f"<Run of {self.info.suite} by {self.info.subject}: {len(self.cases)} cases, {len(self.trials)} trials>"

    @property
    def verdicts(self) -> list[tuple[RecordedTrial, Verdict]]:
        """Every judge's newest verdict, with its trial: of the run's own judges, and of those that judged it again."""
        return [(trial, one) for trial in self.trials for one in _newest(trial)]

    def transcript(self, case_id: str, trial: int = 1) -> list[Event]:
        """All that happened in a trial, in order. KeyError: there is no such trial."""
        found = {(row.case_id, row.number): row.id for row in self.trials}
        with RunFile(self.path) as run:
            return run.transcript(found[case_id, trial])

    def to_rows(self) -> list[dict[str, Any]]:
        """A flat row for each trial."""
        groups = {case.id: case for case in self.cases}
        return [
            {
                "case": trial.case_id,
                "title": groups[trial.case_id].title,
                "group": groups[trial.case_id].group,
                "trial": trial.number,
                "outcome": trial.outcome,
                "passed": None if trial.outcome not in {"pass", "fail"} else trial.outcome == "pass",
                "score": trial.decided.score if trial.decided else None,
                "judge": trial.decided.judge if trial.decided else None,
                "critique": trial.decided.critique if trial.decided else None,
                "label": trial.labels[0].outcome if trial.labels else None,
                "label_score": trial.labels[0].score if trial.labels else None,
                "error": trial.error,
                "cost_usd": trial.cost,
                "elapsed_s": trial.elapsed_s,
            }
            for trial in self.trials
        ]

    def to_pandas(self) -> Any:
        """The rows as a DataFrame; ImportError says how to get pandas where it is not installed."""
        try:
            import pandas as pd  # type: ignore[import-untyped]  # noqa: PLC0415 - optional, and slow to import
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install pandas; to_rows gives the same as a list") from None
        return pd.DataFrame(self.to_rows())


def _newest(trial: RecordedTrial) -> list[Verdict]:
    found = {one.judge: one for one in trial.verdicts}
    for remark in trial.remarks:
        if remark.kind == "rejudged":
            found |= {one["judge"]: _verdict(one) for one in remark.data["verdicts"]}
    return list(found.values())


def _verdict(data: Mapping[str, Any]) -> Verdict:
    return Verdict(**{**data, "findings": tuple(Finding(**finding) for finding in data["findings"])})


class _Printed(Comparison):
    """A comparison that a notebook shows as the terminal does."""

    __slots__ = ()

    def __repr__(self) -> str:
        return write_page(comparison_page(self), "console")

    @property
    def summary(self) -> str:
        return conclusion(self)


class _Silent:
    """A run is not shown as it goes; what is to be known of it is logged."""

    def opened(self, path: Path, tally: Tally, notices: Sequence[str]) -> None:  # noqa: ARG002 - only told
        for notice in notices:
            self.say(notice)

    def ended(self, job: Job, record: TrialRecord, tally: Tally) -> None:
        pass

    def say(self, line: str) -> None:
        _LOG.warning(line)

    def interrupted(self, tally: Tally, reason: str) -> None:
        pass

    def closed(self) -> None:
        pass


def run(suite: str | Suite[Any], **settings: object) -> Run:
    """Runs a suite, by its name or itself, and opens the run. The settings are the flags of `trialkit run SUITE`.

    A run that was stopped is opened too: its `info` says so. In an event loop, as of a notebook: `await arun(…)`.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return blocking(arun(suite, **settings))
    raise RuntimeError("an event loop is running, as in a notebook: write `await trialkit.arun(…)` for trialkit.run(…)")


async def arun(suite: str | Suite[Any], **settings: object) -> Run:
    """`run`, inside of an event loop."""
    if isinstance(suite, str):
        found = get_suite(suite)
    else:
        found = checked_suite(suite, f"{suite!r:.60}")
        remember_suite(found)
    wanted = read_settings(found, found.name, settings)
    finished = await start(found, wanted, lambda _verbose: _Silent(), open_until=open_until)
    with RunFile(finished.path) as run_file:
        contents = beside(run_file)
    write_beside(finished.path, contents)
    return Run(finished.path)


def open_run(path: str | Path) -> Run:
    """A run file, read whole."""
    return Run(Path(path))


def compare(a: str | Path | Run, b: str | Path | Run, judge: str | None = None) -> _Printed:
    """B held against A: run files, results CSVs, or opened runs. Its repr is what `trialkit compare` prints.

    `judge`: whose verdicts count in both; by default those that decided.
    """
    found = with_looks(compare_runs(_loaded(a, judge), _loaded(b, judge)))
    return _Printed(**{name: getattr(found, name) for name in Comparison.__slots__})


def _loaded(run: str | Path | Run, judge: str | None) -> LoadedRun:
    return load_to_compare(run.path if isinstance(run, Run) else Path(run), judge)
