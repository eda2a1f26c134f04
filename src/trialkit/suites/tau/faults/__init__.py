"""Whose fault a failed trial is, as a model sees it: recorded as a remark on the trial, never as its verdict."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from trialkit.pages import Table
from trialkit.runfile import Prompt, RecordedTrial, RunFile
from trialkit.suites import Review, Trial
from trialkit.suites.prompts import read_prompt
from trialkit.suites.tau.faults.asking import FAULTS, JUDGE, KIND, ROLE, TYPES, FoundFault, fault_question
from trialkit.text.plain import plain

__all__ = ["FAULTS", "KIND", "REVIEW", "ROLE", "TYPES", "FoundFault", "fault_prompt"]


def fault_prompt(version: str) -> Prompt:
    return read_prompt(ROLE, version, "fault_prompts", files("trialkit.suites.tau.faults") / "prompts")


async def _ask(trial: Trial, row: RecordedTrial, prompt: Prompt) -> Mapping[str, Any]:
    return plain(await JUDGE.ask(trial, prompt.text, fault_question(trial.case, row)))


def _tables(run: RunFile, author: str) -> list[Table]:
    from trialkit.suites.tau.numbers import fault_tables  # noqa: PLC0415 - only to count, which takes numpy

    return fault_tables(run, author)


REVIEW = Review(
    kind=KIND,
    role=ROLE,
    prompt=fault_prompt,
    concerns=lambda row: row.outcome == "fail" and row.output is not None,
    ask=_ask,
    tables=_tables,
)
