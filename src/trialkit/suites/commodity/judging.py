"""The LLM judge's pure part: what it is asked, the tool it answers with, and the verdict in its reply."""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trialkit.errors import JudgeError
from trialkit.judges import FINDINGS, ModelJudge, SaidFinding, check_each_once, quoted, read_findings, read_words
from trialkit.models import Tool
from trialkit.text.json import object_schema
from trialkit.text.short import shown
from trialkit.text.whole import clean
from trialkit.vocabulary import Finding, Verdict

from .alerts import Analysis
from .scenarios import Scenario, StrictTruth

RECORD_VERDICT = Tool(
    name="record_verdict",
    description="Records the verdict on the analyst's answer: one finding for each check, a critique and the outcome.",
    parameters=object_schema(
        findings=FINDINGS,
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

    findings: list[SaidFinding]
    critique: str
    passed: bool


def _decided(said: Opinion) -> object:
    """What a verdict says, without its words."""
    return said.passed, sorted((number, met) for number, met, _ in said.findings)


def _read(data: Mapping[str, object]) -> Opinion:
    findings, critique = read_findings(data), read_words(data, "critique")
    outcome = data["outcome"]
    word = outcome.strip(" .!\n").casefold() if isinstance(outcome, str) else ""
    if word not in {"pass", "passed", "fail", "failed"}:
        raise ValueError(f'"outcome" must be pass or fail, not {shown(outcome)}')
    return Opinion(findings, critique, word.startswith("pass"))


def check_covers(said: Opinion, checks: Sequence[str]) -> None:
    """A verdict must cover each check exactly once, and agree with its own outcome."""
    check_each_once(said.findings, len(checks))
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
