"""Which of some classes an answer is in, seen from a reference."""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from trialkit.errors import JudgeError
from trialkit.judges.findings import read_words
from trialkit.judges.kinds.attempt import Attempt
from trialkit.judges.kinds.kind import decided
from trialkit.judges.model_judge import Asker, ModelJudge
from trialkit.models import Tool
from trialkit.text.json import object_schema
from trialkit.text.short import shown
from trialkit.vocabulary import Verdict

from .ruling import Ruling, filled, material, tagged, told_first
from .settings import ModelSettings

_TOOL = Tool(
    name="record_class",
    description="Records which class the answer is in.",
    parameters=object_schema(
        critique={"type": "string", "description": "What the answer shares with the reference, and what not."},
        choice={"type": "string", "description": "The name of the class, as it stands in <classes>."},
    ),
)


class _Choice(NamedTuple):
    choice: str
    critique: str


def _read(data: Mapping[str, object]) -> _Choice:
    said = read_words(data, "choice")
    if not said:
        raise ValueError('"choice" is empty; it must be the name of a class')
    return _Choice(said, read_words(data, "critique"))


def _folded(name: str) -> str:
    return " ".join(name.split()).strip(" .\"'").casefold()


_JUDGE = ModelJudge(tool=_TOOL, keys=("choice",), read=_read, same=lambda said: _folded(said.choice), what="class")


class Choice(Ruling):
    instructions = (
        "Hold what the assistant said against <reference>, and decide which one of the <classes> it is in. What is "
        "said counts, not how it is worded. If several seem to fit, take the one whose meaning fits best. "
        f"Call {_TOOL.name} once."
    )

    def explain(self, settings: ModelSettings, case: Mapping[str, Any]) -> str:
        reference = shown(filled("reference", settings.reference or "", case), 120)
        told = f"of {', '.join(settings.classes)} says {' or '.join(settings.passes)}"
        return f"passes if a model, holding the {settings.sees} against {reference}, {told}"

    async def judge(self, settings: ModelSettings, trial: Asker, attempt: Attempt) -> Verdict:
        classes = tagged(classes=settings.classes)
        return await _JUDGE.verdict(
            trial,
            told_first(settings, self),
            f"{material(settings, attempt)}\n\n{classes}\n\nName one of these {len(settings.classes)} classes.",
            check=partial(_check_known, settings=settings),
            to=partial(_verdict, settings=settings),
        )


def _named(said: _Choice, settings: ModelSettings) -> str | None:
    return {_folded(name): name for name in settings.classes}.get(_folded(said.choice))


def _check_known(said: _Choice, settings: ModelSettings) -> None:
    if _named(said, settings) is None:
        known = ", ".join(settings.classes)
        raise JudgeError(f"the judge's class is {shown(said.choice)}; it must be one of {known}")


def _verdict(said: _Choice, settings: ModelSettings) -> Verdict:
    name = _named(said, settings)
    told = f"{name}: {said.critique}" if said.critique else str(name)
    return decided(name in settings.passes, told, details={"said": name})
