"""A score on a scale whose ends have a meaning."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from trialkit.errors import JudgeError
from trialkit.judges.findings import read_words
from trialkit.judges.kinds.attempt import Attempt
from trialkit.judges.model_judge import Asker, ModelJudge
from trialkit.models import Tool
from trialkit.text.json import object_schema
from trialkit.text.short import shown
from trialkit.vocabulary import Measure, Verdict

from .ruling import Ruling, filled, material, tagged, told_first
from .settings import ModelSettings

_TOOL = Tool(
    name="record_score",
    description="Records the score and what speaks for it.",
    parameters=object_schema(
        critique={"type": "string", "description": "What speaks for a higher and what for a lower score."},
        score={"type": "integer", "description": "A whole number of the scale."},
    ),
)


class _Rated(NamedTuple):
    score: int
    critique: str


def _read(data: Mapping[str, object]) -> _Rated:
    said = data["score"]
    # some write 4.0, "4" or "4/5"
    number = re.fullmatch(r"\s*(-?[0-9]{1,6})(?:\.0+)?(?:\s*/\s*[0-9]+)?\s*", str(said), re.ASCII)
    if number is None or isinstance(said, bool):
        raise ValueError(f'"score" must be a whole number, not {shown(said)}')
    return _Rated(int(number[1]), read_words(data, "critique"))


_JUDGE = ModelJudge(tool=_TOOL, keys=("score",), read=_read, same=lambda said: said.score, what="score")


class Scale(Ruling):
    instructions = (
        "Give one score, for what <question> asks about and for nothing else. <scale> says what numbers mean; those "
        "between two of them lie between what they mean. First weigh what speaks for a higher score against what "
        f"speaks for a lower one, then decide. Call {_TOOL.name} once."
    )

    def measure(self, settings: ModelSettings, name: str) -> Measure:
        return Measure(name=name, low=min(settings.scale), high=max(settings.scale))

    def explain(self, settings: ModelSettings, case: Mapping[str, Any]) -> str:
        ends = " to ".join(f"{number} ({settings.scale[number]})" for number in _ends(settings))
        about = shown(filled("question", settings.question or "", case), 120)
        return f"scores what a model says from {ends} of the {settings.sees}: {about}"

    async def judge(self, settings: ModelSettings, trial: Asker, attempt: Attempt) -> Verdict:
        asked = tagged(question=filled("question", settings.question or "", attempt.case), scale=settings.scale)
        low, high = _ends(settings)
        return await _JUDGE.verdict(
            trial,
            told_first(settings, self),
            f"{material(settings, attempt)}\n\n{asked}\n\nGive a score from {low} to {high}.",
            check=partial(_check_range, low=low, high=high),
            to=lambda said: Verdict(outcome="scored", score=float(said.score), critique=said.critique),
        )


def _ends(settings: ModelSettings) -> tuple[int, int]:
    return min(settings.scale), max(settings.scale)


def _check_range(said: _Rated, low: int, high: int) -> None:
    if not low <= said.score <= high:
        raise JudgeError(f"the judge's score is {said.score}; it must be from {low} to {high}")
