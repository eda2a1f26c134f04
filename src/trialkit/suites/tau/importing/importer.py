"""The importer of tau-bench's and tau2's results."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from trialkit.errors import InputError
from trialkit.suites import ImportedRun, Importer, ImportSettings
from trialkit.suites.tau import tau_suites
from trialkit.suites.tau.suite import tau_suite

from . import tau2, tau_bench
from .apart import results_in
from .material import failed, imported
from .reading import Results, read_results
from .rescoring import Rescored, rescorer_of
from .telling import changed_tasks, told_apart, told_of


def read_file(path: Path, suite: str | None = None) -> Results:
    """The results in a file, whose form tells the benchmark; `suite`, if given, tells the domain."""
    known = [one.name for one in tau_suites()]
    if suite is not None and suite not in known:
        raise InputError(f"--suite {suite}: results can be imported for {', '.join(known)}")
    path = results_in(path)
    value = read_results(path)
    benchmark = "tau-bench" if isinstance(value, list) else "tau2"
    if suite is not None and not suite.startswith(f"{benchmark}/"):
        raise InputError(f"{path}: results of {benchmark}, but --suite says {suite}; choose one of {benchmark}'s")
    if isinstance(value, list):
        return _without_doubles(tau_bench.read(value, path, suite))
    if isinstance(value, dict) and ("simulations" in value or "simulation_index" in value or "info" in value):
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


class TauImportSettings(ImportSettings):
    suite: str | None = Field(None, description="Whose results they are [default: what the file tells].")
    task_split: str | None = Field(None, description="Which tasks were run [default: test; base for tau2].")
    rescore: bool = Field(False, description="Score every trial with our environment too, and list what differs.")
    data_dir: Path | None = Field(None, description="The benchmark's content, for --rescore and for why trials failed.")


class TauImporter(Importer):
    """The recorded rewards are the verdicts. Trials that crashed end in error, whatever reward was written for them."""

    name = "tau"
    summary = "Results of tau-bench (a list) or tau2 (an object with simulations, or the folder of a run)."
    settings = TauImportSettings

    def reads(self, path: Path) -> bool:
        return path.suffix.lower() != ".csv"

    def read(self, path: Path, subject: str | None, settings: TauImportSettings) -> ImportedRun:
        results = read_file(path, settings.suite)
        split = settings.task_split or tau_suite(results.suite).usual_split
        again = _scored(results, path, split, settings)
        found = {one.entry.trial: one.verdict for one in again.rescored if one.verdict is not None}
        run = imported(
            results,
            path,
            subject=subject or results.subject,
            split=split,
            scored=found if settings.rescore else {},
            reasons={trial: verdict.details.get("breakdown") for trial, verdict in found.items()},
            free=again.free,
            content=again.content,
        )
        notices = [*told_apart(results), *again.notices]
        return replace(run, notices=notices, told=list(told_of(again.rescored)) if settings.rescore else ())


class _Again(NamedTuple):
    """What our environment says; without --rescore of the failed alone, to know why."""

    rescored: Sequence[Rescored]
    notices: Sequence[str]
    free: Sequence[str] = ()  # tasks that pass though nothing is done
    content: str = ""  # whose tasks they are


def _scored(results: Results, path: Path, split: str, settings: TauImportSettings) -> _Again:
    try:
        rescorer = rescorer_of(results, split, settings.data_dir)
    except InputError as error:
        if settings.rescore or settings.data_dir is not None:
            raise
        return _Again((), [f"why trials failed is left out: {error}"])
    if rescorer.calls_are_lost:  # scored again, they would have missed every write, though only the file has
        told = "no trial holds a call of a tool, yet some were paid for writes: the calls are not in this file"
        if settings.rescore:
            raise InputError(f"{path}: {told}, so nothing can be scored again; leave --rescore out")
        return _Again((), [f"{told}, so why trials failed is not known"], rescorer.free, rescorer.content)
    wanted = results.entries if settings.rescore else [entry for entry in results.entries if failed(entry)]
    changed = changed_tasks(rescorer, split) if settings.rescore else ()
    return _Again([rescorer.score(entry) for entry in wanted], [*changed], rescorer.free, rescorer.content)


IMPORTER = TauImporter()
