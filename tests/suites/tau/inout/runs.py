"""From a results file to a run file and back, as the commands do it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trialkit.engine import record_run
from trialkit.runfile import RecordedTrial, RunFile, create_run
from trialkit.suites.tau.exporting.tau2 import tau2_report
from trialkit.suites.tau.exporting.tau_bench import tau_bench_report
from trialkit.suites.tau.importing import Rescored, Rescorer, imported, read_file
from trialkit.vocabulary import Case, Verdict


def write_run(path: Path, suite: str) -> Path:
    """The run file alone, without the exports beside it."""
    results = read_file(path, suite)
    run = imported(results, path, subject=results.subject, split="test", scored={}, reasons={})
    file = path.with_suffix(f".{len(list(path.parent.iterdir()))}.trial")
    create_run(file, run.header, run.cases, run.trials)
    return file


def import_file(path: Path, suite: str | None = None, scored: Mapping[tuple[str, int], Verdict] | None = None) -> Path:
    """The run file."""
    results = read_file(path, suite)
    split = "base" if results.suite.startswith("tau2/") else "test"
    run = imported(results, path, subject=results.subject, split=split, scored=scored or {}, reasons={})
    return record_run(run.header, run.cases, run.trials, path.parent / "runs")


def rescore(path: Path, data_dir: Path) -> tuple[Rescorer, list[Rescored]]:
    results = read_file(path)
    rescorer = Rescorer(results, "base" if results.suite.startswith("tau2/") else "test", data_dir)
    return rescorer, [rescorer.score(entry) for entry in results.entries]


def verdicts_of(rescored: list[Rescored]) -> dict[tuple[str, int], Verdict]:
    return {(one.entry.task_id, one.entry.number): one.verdict for one in rescored if one.verdict is not None}


def export(path: Path) -> str:
    with RunFile(path) as run:
        return tau2_report(run) if run.info().suite.startswith("tau2/") else tau_bench_report(run)


def content(path: Path) -> tuple[list[Case], list[dict[str, Any]]]:
    """What of a run file does not depend on when it was written."""
    with RunFile(path) as run:
        return run.cases(), [_told(row) for row in run.trials()]


def trials(path: Path) -> list[RecordedTrial]:
    with RunFile(path) as run:
        return run.trials()


def _told(row: RecordedTrial) -> dict[str, Any]:
    names = ("case_id", "number", "output", "error_kind", "error", "decided", "verdicts")
    return {name: getattr(row, name) for name in names}
