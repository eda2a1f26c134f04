"""Recorded results of tau-bench and tau2, made into what a run file holds.

The reward that was recorded is the verdict of the judge `recorded` and decides; scored again by our environment, a
trial has the verdict of `environment` beside it.
"""

from pathlib import Path

from trialkit.errors import InputError
from trialkit.suites.tau import tau_suites
from trialkit.suites.tau.importing.entries import Entry, RecordedTask, Results
from trialkit.suites.tau.importing.material import RECORDED, Imported, imported
from trialkit.suites.tau.importing.reading import read_results
from trialkit.suites.tau.importing.rescoring import Rescored, Rescorer

__all__ = [
    "RECORDED",
    "Entry",
    "Imported",
    "RecordedTask",
    "Rescored",
    "Rescorer",
    "Results",
    "imported",
    "read_file",
]


def read_file(path: Path, suite: str | None = None) -> Results:
    """The results in a file, whose form tells the benchmark; `suite`, if given, tells the domain."""
    known = [one.name for one in tau_suites()]
    if suite is not None and suite not in known:
        raise InputError(f"--suite {suite}: results can be imported for {', '.join(known)}")
    value = read_results(path)
    if isinstance(value, list):
        from trialkit.suites.tau.importing import tau_bench as form  # noqa: PLC0415 - only the one that is needed
    elif isinstance(value, dict) and "simulations" in value:
        from trialkit.suites.tau.importing import tau2 as form  # type: ignore[no-redef]  # noqa: PLC0415 - likewise
    else:
        raise InputError(
            f"{path}: neither a list of results, as tau-bench writes, nor an object with simulations, as tau2 writes"
        )
    benchmark = "tau-bench" if isinstance(value, list) else "tau2"
    if suite is not None and not suite.startswith(f"{benchmark}/"):
        raise InputError(f"{path}: results of {benchmark}, but --suite says {suite}; choose one of {benchmark}'s")
    return _without_doubles(form.read(value, path, suite))


def _without_doubles(results: Results) -> Results:
    seen: dict[tuple[str, int], Entry] = {}
    for entry in results.entries:
        first = seen.setdefault((entry.task_id, entry.number), entry)
        if first is not entry:
            raise InputError(
                f"{entry.where}: task {entry.task_id}, trial {entry.number - 1} was there before ({first.where}); "
                "leave one of them out, or number the trials apart"
            )
    return results
