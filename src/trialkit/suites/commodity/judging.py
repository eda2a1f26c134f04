"""The LLM judge's pure part: what it is asked, the tool it answers with, and the verdict in its reply."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trialkit.errors import JudgeError
from trialkit.judges import ModelJudge, quoted
from trialkit.models import Tool
from trialkit.text.json import object_schema
from trialkit.text.short import shown
from trialkit.text.whole import clean
from trialkit.vocabulary import Finding, Verdict

from .alerts import Analysis
from .fields import parse_json
from .scenarios import Scenario, StrictTruth

RECORD_VERDICT = Tool(
    name="record_verdict",
    description="Records the verdict on the analyst's answer: one finding for each check, a critique and the outcome.",
    parameters=object_schema(
        findings={
            "type": "array",
            "description": "Exactly one for each numbered check.",
            "items": object_schema(
                check={"type": "integer", "description": "The number of the check."},
                met={"type": "boolean"},
                evidence={
                    "type": "string",
                    "description": "What in the answer shows it, quoted or in figures; or what is lacking.",
                },
            ),
        },
        critique={"type": "string", "description": "Why the answer passes or fails, in a few sentences."},
        outcome={"type": "string", "enum": ["pass", "fail"], "description": "pass if every check is met, else fail."},
    ),
)


def checks_for(scenario: Scenario) -> tuple[str, ...]:
    """What has to hold for a pass; the same for every judge."""
    truth = scenario.truth
    if not isinstance(truth, StrictTruth):
        return truth
    return (
        f"one suggestion is about {truth.commodity_code}",
        f"that same suggestion has the condition {truth.expected_condition}",
        f"that same suggestion has a threshold from {truth.price_min} to {truth.price_max}, both ends included",
    )


def asked_together(scenario: Scenario, asks: str) -> list[tuple[str, ...]]:
    """The checks of each request. Those of a strict scenario speak of the same suggestion, so they stay together."""
    checks = checks_for(scenario)
    return [checks] if asks == "all" or isinstance(scenario.truth, StrictTruth) else [(check,) for check in checks]


def judge_message(scenario: Scenario, analysis: Analysis, asked: Sequence[str]) -> str:
    checks = [f"{number}. {check}" for number, check in enumerate(asked, start=1)]
    return clean(
        f"<situation>\n{json.dumps(scenario.situation, ensure_ascii=False)}\n</situation>\n\n"
        "<checks>\n" + "\n".join(checks) + "\n</checks>\n\n"
        f"<answer>\n{quoted(analysis.to_data())}\n</answer>\n\n"
        f"Judge each of the {len(checks)} checks and call {RECORD_VERDICT.name}."
    )


class Opinion(NamedTuple):
    """What the judge says."""

    findings: list[tuple[int, bool, str]]  # check, met, evidence
    critique: str
    passed: bool


def _decided(said: Opinion) -> object:
    """What a verdict says, without its words."""
    return said.passed, sorted((number, met) for number, met, _ in said.findings)


def _read(data: Mapping[str, object]) -> Opinion:
    findings, critique = data["findings"], _text(data, "critique")
    if isinstance(findings, str):
        # Some models write an array inside a call's arguments as a text.
        try:
            findings = parse_json(findings)
        except ValueError as error:
            raise ValueError(f'"findings" {error}') from None
    if not isinstance(findings, list):
        raise ValueError(f'"findings" must be an array, not {shown(findings)}')  # noqa: TRY004 - data, not a programming error
    outcome = data["outcome"]
    word = outcome.strip(" .!\n").casefold() if isinstance(outcome, str) else ""
    if word not in {"pass", "passed", "fail", "failed"}:
        raise ValueError(f'"outcome" must be pass or fail, not {shown(outcome)}')
    return Opinion([_finding(item) for item in findings], critique, word.startswith("pass"))


def _text(data: Mapping[str, object], name: str) -> str:
    """Words are welcome but decide nothing: a verdict without them is one."""
    value = data.get(name)
    if not isinstance(value, str | None):
        raise ValueError(f'"{name}" must be a text, not {shown(value)}')  # noqa: TRY004 - as above
    return clean((value or "").strip())


def _finding(item: object) -> tuple[int, bool, str]:
    if not isinstance(item, dict):
        raise ValueError(f"a finding must be an object, not {shown(item)}")  # noqa: TRY004 - as above
    check, met = item.get("check"), item.get("met")
    # Some repeat the check's words after its number.
    number = re.fullmatch(r"\s*(\d{1,6})(?:[.:)]\s.*|(?:\.0*)?\s*)", str(check), re.ASCII | re.DOTALL)
    if not number:
        raise ValueError(f'"check" must be the number of a check, not {shown(check)}')
    truth = {"true": True, "false": False}.get(str(met).strip().lower())
    if truth is None or not isinstance(met, bool | str):
        raise ValueError(f'"met" must be true or false, not {shown(met)}')
    return int(number[1]), truth, _text(item, "evidence")


def check_covers(said: Opinion, checks: Sequence[str]) -> None:
    """A verdict must cover each check exactly once, and agree with its own outcome."""
    numbers = sorted(number for number, _, _ in said.findings)
    if numbers != list(range(1, len(checks) + 1)):
        asked = f"1 to {len(checks)}, each once"
        raise JudgeError(f"the judge's findings are for the checks {shown(numbers, 120)}; they must be for {asked}")
    unmet = [number for number, met, _ in said.findings if not met]
    if said.passed == bool(unmet):
        outcome = "pass" if said.passed else "fail"
        found = f"not met: {shown(sorted(unmet))}" if unmet else "every check met"
        raise JudgeError(f"the judge's outcome is {outcome}, but its findings say {found}")


def verdict_of(said: Opinion, checks: Sequence[str]) -> Verdict:
    findings = tuple(
        Finding(check=checks[number - 1], met=met, evidence=evidence) for number, met, evidence in sorted(said.findings)
    )
    return Verdict(outcome="pass" if said.passed else "fail", critique=said.critique, findings=findings)


def composed(parts: Sequence[Verdict]) -> Verdict:
    """One verdict of those on parts of the checks."""
    return Verdict(
        outcome="fail" if any(part.outcome == "fail" for part in parts) else "pass",
        critique=" ".join(part.critique for part in parts),
        findings=tuple(finding for part in parts for finding in part.findings),
    )


JUDGE = ModelJudge(tool=RECORD_VERDICT, keys=("findings", "outcome"), read=_read, same=_decided)
