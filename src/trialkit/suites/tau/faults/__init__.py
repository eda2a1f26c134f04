"""Whose fault a failed trial is, as a model sees it: recorded as a remark on the trial, never as its verdict."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from trialkit.pages import Count, Rate, Table
from trialkit.runfile import Prompt, RecordedTrial, RunFile
from trialkit.stats import Figure
from trialkit.suites import Review, Trial
from trialkit.suites.prompts import read_prompt
from trialkit.suites.tau.faults.asking import FAULTS, JUDGE, KIND, ROLE, TYPES, FoundFault, fault_question
from trialkit.text.plain import plain

__all__ = ["FAULTS", "KIND", "REVIEW", "ROLE", "TYPES", "FoundFault", "fault_counts", "fault_prompt"]


def fault_prompt(version: str) -> Prompt:
    return read_prompt(ROLE, version, "fault_prompts", files("trialkit.suites.tau.faults") / "prompts")


def fault_counts(run: RunFile) -> Mapping[str, Any]:
    """author → `fault` or `type` → name → `count` and `share`, as in the JSON report."""
    from trialkit.suites.tau.numbers import details  # noqa: PLC0415 - only to count, which takes numpy

    counts: Mapping[str, Any] = details(run).metrics["faults"]
    return counts


async def _ask(trial: Trial, row: RecordedTrial, prompt: Prompt) -> Mapping[str, Any]:
    return plain(await JUDGE.ask(trial, prompt.text, fault_question(trial.case, row)))


def _tables(run: RunFile, author: str) -> list[Table]:
    counts = fault_counts(run).get(author, {})
    return [
        Table(
            title=title,
            columns=(what, "Trials", "Share"),
            rows=tuple(
                (name, Count(one["count"]["value"]), Rate(Figure(**one["share"]))) for name, one in counts[part].items()
            ),
        )
        for part, title, what in (("fault", "Whose fault", "Fault"), ("type", "What the agent did wrong", "Type"))
        if counts.get(part)
    ]


REVIEW = Review(
    kind=KIND,
    role=ROLE,
    prompt=fault_prompt,
    concerns=lambda row: row.outcome == "fail" and row.output is not None,
    ask=_ask,
    tables=_tables,
)
