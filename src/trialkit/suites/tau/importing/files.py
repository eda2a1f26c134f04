"""Which benchmark's results a file holds."""

from pathlib import Path

from trialkit.errors import InputError
from trialkit.suites.tau import tau_suites

from . import tau2, tau_bench
from .entries import Results
from .reading import read_results


def read_file(path: Path, suite: str | None = None) -> Results:
    """The results in a file, whose form tells the benchmark; `suite`, if given, tells the domain."""
    known = [one.name for one in tau_suites()]
    if suite is not None and suite not in known:
        raise InputError(f"--suite {suite}: results can be imported for {', '.join(known)}")
    value = read_results(path)
    benchmark = "tau-bench" if isinstance(value, list) else "tau2"
    if suite is not None and not suite.startswith(f"{benchmark}/"):
        raise InputError(f"{path}: results of {benchmark}, but --suite says {suite}; choose one of {benchmark}'s")
    if isinstance(value, list):
        return _without_doubles(tau_bench.read(value, path, suite))
    if isinstance(value, dict) and "simulations" in value:
        return _without_doubles(tau2.read(value, path, suite))
    raise InputError(
        f"{path}: neither a list of results, as tau-bench writes, nor an object with simulations, as tau2 writes"
    )


def _without_doubles(results: Results) -> Results:
    seen: dict[tuple[str, int], str] = {}
    for entry in results.entries:
        first = seen.setdefault((entry.task_id, entry.number), entry.where)
        if first != entry.where:
            raise InputError(
                f"{entry.where}: task {entry.task_id}, trial {entry.number - 1} was there before ({first}); "
                "leave one of them out, or number the trials apart"
            )
    return results
