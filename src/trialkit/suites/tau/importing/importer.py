"""The importer of tau-bench's and tau2's results."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import Field

from trialkit.errors import InputError
from trialkit.suites import ImportedRun, Importer, ImportSettings, get_suite
from trialkit.suites.tau import tau_suites
from trialkit.text.shown import counted

from . import tau2, tau_bench
from .material import imported
from .reading import Results, read_results
from .rescoring import Rescored, Rescorer

_SHOWN_TASKS = 10


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


class TauImportSettings(ImportSettings):
    suite: str | None = Field(None, description="Whose results they are [default: what the file tells].")
    task_split: str | None = Field(None, description="Which tasks were run [default: test; base for tau2].")
    rescore: bool = Field(False, description="Score every trial with our environment too, and list what differs.")
    data_dir: Path | None = Field(None, description="The benchmark's content, for --rescore.")


class TauImporter(Importer):
    """The recorded rewards are the verdicts. Trials that crashed end in error, whatever reward was written for them."""

    name = "tau"
    summary = "Results of tau-bench (a list) or tau2 (an object with simulations)."
    settings = TauImportSettings

    def reads(self, path: Path) -> bool:
        return path.suffix.lower() != ".csv"

    def read(self, path: Path, subject: str | None, settings: TauImportSettings) -> ImportedRun:
        results = read_file(path, settings.suite)
        split = settings.task_split or get_suite(results.suite).settings.model_fields["task_split"].default
        notices: list[str] = []
        rescored: list[Rescored] = []
        if settings.rescore:
            rescorer = Rescorer(results, split, settings.data_dir)
            notices += _changed(rescorer.changed_tasks(), split)
            rescored = [rescorer.score(entry) for entry in results.entries]
        scored = {(one.entry.task_id, one.entry.number): one.verdict for one in rescored if one.verdict is not None}
        run = imported(results, path, subject=subject or results.subject, split=split, scored=scored)
        return replace(run, notices=notices, told=list(_told(rescored)) if rescored else ())


def _changed(tasks: Sequence[str], split: str) -> list[str]:
    if not tasks:
        return []
    shown = ", ".join(tasks[:_SHOWN_TASKS]) + (" …" if len(tasks) > _SHOWN_TASKS else "")
    differ = f"{counted(len(tasks), 'task')} of the file differ from the split {split} of our content ({shown})"
    return [f"{differ}; they are scored as the file has them. Another split: --task-split"]


def _told(rescored: Sequence[Rescored]) -> Iterator[str]:
    compared = [one for one in rescored if one.agrees is not None]
    differing = [one for one in compared if not one.agrees]
    for one in differing:
        ours, why = (one.verdict.score, one.verdict.critique) if one.verdict else (None, "")
        yield f"task {one.entry.task_id} trial {one.entry.number}: recorded {one.entry.reward:g}, ours {ours:g}: {why}"
    observations, other = sum(one.observations for one in rescored), sum(one.differing for one in rescored)
    yield (
        f"re-scored {counted(len(compared), 'trial')}: {len(compared) - len(differing)} agree with the recorded "
        f"reward, {len(differing)} differ; of {observations:,} observations {other:,} differ"
    )
    reasons = Counter(one.why_not for one in rescored if one.why_not is not None)
    yield from (f"not compared, {reason}: {counted(count, 'trial')}" for reason, count in reasons.items())


IMPORTER = TauImporter()
