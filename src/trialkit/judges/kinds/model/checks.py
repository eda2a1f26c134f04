"""A rubric: checks, each of which is met or not."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from trialkit.judges.findings import FINDINGS, SaidFinding, check_each_once, read_findings, read_words
from trialkit.judges.kinds.attempt import Attempt
from trialkit.judges.kinds.kind import decided
from trialkit.judges.model_judge import Asker, ModelJudge
from trialkit.models import Tool
from trialkit.text.json import object_schema
from trialkit.text.short import shown
from trialkit.vocabulary import Finding, Verdict

from .ruling import Ruling, filled, material, tagged, told_first
from .settings import ModelSettings

_TOOL = Tool(
    name="record_findings",
    description="Records for each check whether it is met, and a critique of the whole.",
    parameters=object_schema(
        findings=FINDINGS,
        critique={"type": "string", "description": "What is right and what is lacking, in a few sentences."},
    ),
)


class _Findings(NamedTuple):
    findings: list[SaidFinding]
    critique: str


def _read(data: Mapping[str, object]) -> _Findings:
    return _Findings(read_findings(data), read_words(data, "critique"))


def _without_words(said: _Findings) -> object:
    return sorted((one.check, one.met) for one in said.findings)


_JUDGE = ModelJudge(tool=_TOOL, keys=("findings",), read=_read, same=_without_words)


class Checks(Ruling):
    instructions = (
        "Take the numbered <checks> one at a time, each on its own. A check is met if what it says is so, and not met "
        "if it is not so, or if nothing shows that it is. Give the words that show it, or say what is lacking. "
        f"Call {_TOOL.name} once, with exactly one finding for each check."
    )

    def explain(self, settings: ModelSettings, case: Mapping[str, Any]) -> str:
        told = "; ".join(shown(check, 120) for check in _checks(settings, case))
        return f"passes if a model finds in the {settings.sees}: {told}"

    async def judge(self, settings: ModelSettings, trial: Asker, attempt: Attempt) -> Verdict:
        checks = _checks(settings, attempt.case)
        numbered = tagged(checks={str(number): check for number, check in enumerate(checks, start=1)})
        return await _JUDGE.verdict(
            trial,
            told_first(settings, self),
            f"{material(settings, attempt)}\n\n{numbered}\n\nJudge each of the {len(checks)} checks.",
            check=lambda said: check_each_once(said.findings, len(checks)),
            to=partial(_verdict, checks=checks),
        )


def _checks(settings: ModelSettings, case: Mapping[str, Any]) -> list[str]:
    return [filled("checks", check, case) for check in settings.checks]


def _verdict(said: _Findings, checks: Sequence[str]) -> Verdict:
    findings = tuple(
        Finding(check=checks[one.check - 1], met=one.met, evidence=one.evidence)
        for one in sorted(said.findings, key=lambda one: one.check)
    )
    unmet = "; ".join(shown(one.check, 120) for one in findings if not one.met)
    return decided(not unmet, said.critique or (f"not so: {unmet}" if unmet else "all is so"), findings=findings)
