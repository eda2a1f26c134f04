"""Which of two answers is better, asked in both orders: models tend to prefer a place."""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from trialkit.judges.findings import read_words
from trialkit.judges.kinds.attempt import Attempt
from trialkit.judges.model_judge import Asker, ModelJudge
from trialkit.models import Tool
from trialkit.text.json import object_schema
from trialkit.text.short import shown
from trialkit.vocabulary import Finding, Measure, Verdict

from .ruling import Ruling, filled, tagged, told_first
from .settings import ModelSettings

_PLACES = ("first", "second", "neither")
_TOOL = Tool(
    name="record_preference",
    description="Records which answer is better.",
    parameters=object_schema(
        critique={"type": "string", "description": "What the answers differ in, and which of that matters."},
        better={"type": "string", "enum": list(_PLACES), "description": "neither: they are as good."},
    ),
)


class _Preference(NamedTuple):
    better: str
    critique: str


def _read(data: Mapping[str, object]) -> _Preference:
    said = read_words(data, "better").strip(" .\"'<>").casefold()
    if said not in _PLACES:
        raise ValueError(f'"better" must be first, second or neither, not {shown(data["better"])}')
    return _Preference(said, read_words(data, "critique"))


_JUDGE = ModelJudge(
    tool=_TOOL,
    keys=("better",),
    read=_read,
    same=lambda said: said.better,
    what="preference",
    again="Compare the same answers again",
)
#: What each says of the answer on trial, which stands in the first place, then in the second.
_WORTH: Mapping[str, tuple[float, float]] = {"first": (1, 0), "second": (0, 1), "neither": (0.5, 0.5)}
_WORDS = {1: "better", 0.5: "as good", 0: "worse"}
_ABOUT = "Which of them serves whoever asked better?"


class Preference(Ruling):
    calls = 2
    instructions = (
        "In place of one answer there are two, <first> and <second>. Decide which is better in what <question> asks "
        "about. Their order means nothing. If neither is better, say so. First say what they differ in, then decide. "
        f"Call {_TOOL.name} once."
    )

    def measure(self, settings: ModelSettings, name: str) -> Measure:  # noqa: ARG002 - the same for all
        return Measure(name=name, low=0, high=1)

    def explain(self, settings: ModelSettings, case: Mapping[str, Any]) -> str:
        other = shown(filled("against", settings.against or "", case), 120)
        return (
            f"scores 1 if a model finds the answer better than {other}, asked in both orders, 0 if worse,"
            " and 0.5 if neither or if the orders disagree"
        )

    async def judge(self, settings: ModelSettings, trial: Asker, attempt: Attempt) -> Verdict:
        other = filled("against", settings.against or "", attempt.case)
        around = {"asked": attempt.asked} if attempt.asked else {}
        if settings.reference is not None:
            around["reference"] = filled("reference", settings.reference, attempt.case)
        around["question"] = filled("question", settings.question or _ABOUT, attempt.case)
        found = list[Verdict]()
        for place, (first, second) in enumerate(((attempt.text, other), (other, attempt.text))):
            said = await _JUDGE.verdict(
                trial,
                told_first(settings, self),
                f"{tagged(**around, first=first, second=second)}\n\nSay which is better: first, second or neither.",
                to=partial(_one, place=place),
            )
            if said.outcome == "error":
                return said
            found.append(said)
        return _both(*found)


def _one(said: _Preference, place: int) -> Verdict:
    worth = _WORTH[said.better][place]
    return Verdict(outcome="scored", score=worth, critique=said.critique or f"it is {_WORDS[worth]}")


def _both(first: Verdict, second: Verdict) -> Verdict:
    """Orders that disagree show that the place decided: nobody is preferred."""
    agree = first.score == second.score
    told = [f"standing first it is {_WORDS[first.score or 0]}, standing second {_WORDS[second.score or 0]}"]
    told += ["; the orders disagree, so neither is preferred" * (not agree)]
    finding = Finding(check="both orders say the same", met=agree, evidence="".join(told))
    critique = f"{''.join(told)}. First: {first.critique} Second: {second.critique}"
    score = first.score if agree else 0.5
    details = {"orders": [first.score, second.score]}
    return Verdict(outcome="scored", score=score, critique=critique, findings=(finding,), details=details)
