"""Whose fault a failed trial is, as a model sees it: recorded as a remark on the trial, never as its verdict."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from trialkit.errors import InputError, JudgeError, ModelError
from trialkit.runfile import Prompt, RecordedTrial, Remark, RunFile
from trialkit.suites import Trial
from trialkit.suites.prompts import read_prompt
from trialkit.suites.tau.faults.asking import FAULTS, JUDGE, ROLE, TYPES, FoundFault, fault_question
from trialkit.text.plain import plain

__all__ = [
    "FAULTS",
    "KIND",
    "ROLE",
    "TYPES",
    "FaultJudge",
    "FaultPlan",
    "FoundFault",
    "fault_counts",
    "fault_prompt",
    "plan",
]

#: Of the remarks.
KIND = "fault"


@dataclass(frozen=True, kw_only=True, slots=True)
class FaultPlan:
    rows: tuple[RecordedTrial, ...]  # still to be judged
    again: frozenset[int]  # ids of those whose last reply led to nothing
    known: int  # judged by the same author already


def fault_prompt(version: str) -> Prompt:
    return read_prompt(ROLE, version, "fault_prompts", files("trialkit.suites.tau.faults") / "prompts")


def plan(run: RunFile, author: str) -> FaultPlan:
    """The failed trials that this author has not judged. InputError if the run is not of a tau suite."""
    suite = run.info().suite
    if not suite.startswith(("tau-bench/", "tau2/")):
        raise InputError(f"{run.path}: a run of {suite}; faults are found in runs of tau-bench and tau2 only")
    failed = [row for row in run.trials() if row.outcome == "fail" and row.output is not None]
    last = {row.id: _last(row, author) for row in failed}
    rows = tuple(row for row in failed if "fault" not in last[row.id])
    again = frozenset(row.id for row in rows if "error" in last[row.id])
    return FaultPlan(rows=rows, again=again, known=len(failed) - len(rows))


def fault_counts(run: RunFile) -> Mapping[str, Any]:
    """author → `fault` or `type` → name → `count` and `share`, as in the JSON report."""
    from trialkit.suites.tau.numbers import details  # noqa: PLC0415 - only to count, which takes numpy

    counts: Mapping[str, Any] = details(run).metrics["faults"]
    return counts


class FaultJudge:
    """Asks the model about one trial; where no fault can be read, that is recorded."""

    def __init__(self, prompt: Prompt, author: str) -> None:
        self._prompt = prompt
        self._author = author

    async def __call__(self, trial: Trial, row: RecordedTrial) -> Remark:
        try:
            found = plain(await JUDGE.ask(trial, self._prompt.text, fault_question(trial.case, row)))
        except (JudgeError, ModelError) as error:
            found = {"error": str(error)}
        return Remark(kind=KIND, author=self._author, data={**found, "prompt_sha256": self._prompt.hash})


def _last(row: RecordedTrial, author: str) -> Mapping[str, Any]:
    """What this author said last about the trial."""
    said = [remark.data for remark in row.remarks if remark.kind == KIND and remark.author == author]
    return said[-1] if said else {}
