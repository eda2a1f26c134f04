"""Whose fault a failed trial is, as a model sees it: recorded as a remark on the trial, never as its verdict."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from trialkit.judges import ModelJudge, quoted
from trialkit.models import Tool
from trialkit.pages import Table
from trialkit.runfile import Prompt, RecordedTrial, RunFile
from trialkit.suites import Review, Trial
from trialkit.suites.prompts import read_prompt
from trialkit.text.json import object_schema
from trialkit.text.plain import plain
from trialkit.text.whole import whole_text
from trialkit.vocabulary import Case

#: Of the remarks, and who is asked.
KIND, ROLE = "fault", "fault judge"
FAULTS = ("agent", "user", "environment")
TYPES = ("called_wrong_tool", "used_wrong_tool_argument", "goal_partially_completed", "other")

RECORD_FAULT = Tool(
    name="record_fault",
    description="Records whose fault the failure of the conversation is, and for the agent's of which type.",
    parameters=object_schema(
        reason={"type": "string", "description": "Why it is theirs, with the place that decides it."},
        fault={"type": "string", "enum": list(FAULTS)},
        type={
            "type": ["string", "null"],
            "enum": [*TYPES, None],
            "description": "Of the agent's fault; null if it is not the agent's.",
        },
        type_reason={
            "type": ["string", "null"],
            "description": "Why it is of that type; null if it is not the agent's.",
        },
    ),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundFault:
    """`type` and `type_reason` are None where it is not the agent's."""

    fault: str
    reason: str
    type: str | None
    type_reason: str | None


def fault_question(case: Case, row: RecordedTrial) -> str:
    parts = {
        "instruction": case.data.get("instruction"),
        "ground_truth": {"actions": case.data.get("actions"), "outputs": case.data.get("outputs")},
        "findings": _findings(row),
        "conversation": (row.output or {}).get("messages"),
    }
    shown = "\n\n".join(f"<{name}>\n{quoted(part)}\n</{name}>" for name, part in parts.items() if part is not None)
    return f"{shown}\n\nThe conversation failed. Say whose fault it was and call {RECORD_FAULT.name}."


def _findings(row: RecordedTrial) -> object:
    """The deterministic breakdown, whichever verdict has it."""
    found = (verdict.details.get("breakdown") for verdict in row.verdicts)
    return next((breakdown for breakdown in found if breakdown), None)


def _read(data: Mapping[str, object]) -> FoundFault:
    fault, reason = _one_of(data, "fault", FAULTS), _text(data, "reason")
    if fault != "agent":
        return FoundFault(fault=fault, reason=reason, type=None, type_reason=None)
    return FoundFault(
        fault=fault, reason=reason, type=_one_of(data, "type", TYPES), type_reason=_text(data, "type_reason")
    )


def _one_of(data: Mapping[str, object], name: str, words: tuple[str, ...]) -> str:
    """A model may write `Called wrong tool.`; nothing beyond such spelling is made out."""
    value = data.get(name)
    word = value.strip(" .!\n").casefold().replace(" ", "_").replace("-", "_") if isinstance(value, str) else ""
    if word not in words:
        raise ValueError(f'"{name}" must be one of {", ".join(words)}, not {value!r:.60}')
    return word


def _text(data: Mapping[str, object], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f'"{name}" must be a text, not {value!r:.60}')
    return whole_text(value.strip())


JUDGE = ModelJudge(
    tool=RECORD_FAULT,
    keys=("fault",),
    read=_read,
    same=lambda found: (found.fault, found.type),
    role=ROLE,
    what="fault",
    again="Judge it again",
    temperature=0.0,
)


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
