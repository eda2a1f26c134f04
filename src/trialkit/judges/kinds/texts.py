"""Judges that look for words in what was said."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, model_validator

from trialkit.errors import InputError
from trialkit.judges.model_judge import Asker
from trialkit.text.alike import alike
from trialkit.text.short import shown
from trialkit.text.template import fill_value, written
from trialkit.vocabulary import Finding, Verdict

from .attempt import Attempt
from .kind import JudgeKind, TextSettings, decided


class WordSettings(TextSettings):
    case: bool = Field(False, description="whether A is another letter than a")
    spaces: bool = Field(False, description="whether spaces and line breaks count as they stand")

    def plain(self, text: str) -> str:
        """What is compared of a text."""
        text = alike(text)
        text = text if self.spaces else " ".join(text.split())
        return text if self.case else text.casefold()

    @property
    def how(self) -> str:
        loose = [word for word, counts in (("case", self.case), ("spaces", self.spaces)) if not counts]
        return f", whatever its {' and '.join(loose)}" if loose else ""


class EqualsSettings(WordSettings):
    value: Any = Field(description="what the answer has to be")


class OneOfSettings(WordSettings):
    values: Any = Field(description="a list of what the answer may be")


class ContainsSettings(WordSettings):
    all: Any = Field(None, description="a text, or a list of texts that have to stand in it")
    any: Any = Field(None, description="a list of texts of which one has to stand in it")

    @model_validator(mode="after")
    def _says_what(self) -> "ContainsSettings":
        if self.all is None and self.any is None:
            raise ValueError("says neither `all` nor `any`; list the texts that have to stand in the answer")
        return self


class EqualsKind(JudgeKind[EqualsSettings]):
    name = "equals"
    summary = "The answer is this text."
    settings = EqualsSettings
    main = "value"

    def explain(self, settings: EqualsSettings, case: Mapping[str, Any]) -> str:
        return f"passes if {settings.looked_at} is {shown(_text(settings.value, case))}{settings.how}"

    async def judge(self, settings: EqualsSettings, trial: Asker, attempt: Attempt) -> Verdict:  # noqa: ARG002
        expected, seen = _text(settings.value, attempt.case), settings.seen(attempt)
        same = settings.plain(seen) == settings.plain(expected)
        told = f"{settings.looked_at} is {shown(seen)}"
        return decided(same, told if same else f"{told}, not {shown(expected)}")


class OneOfKind(JudgeKind[OneOfSettings]):
    name = "one_of"
    summary = "The answer is one of these texts."
    settings = OneOfSettings
    main = "values"

    def explain(self, settings: OneOfSettings, case: Mapping[str, Any]) -> str:
        return f"passes if {settings.looked_at} is one of {shown(_texts(settings.values, case), 120)}{settings.how}"

    def check(self, settings: OneOfSettings, case: Mapping[str, Any]) -> None:
        if not _texts(settings.values, case):
            raise InputError("the list of what the answer may be is empty; write what it may be")

    async def judge(self, settings: OneOfSettings, trial: Asker, attempt: Attempt) -> Verdict:  # noqa: ARG002
        self.check(settings, attempt.case)
        allowed, seen = _texts(settings.values, attempt.case), settings.seen(attempt)
        same = settings.plain(seen) in set(map(settings.plain, allowed))
        told = f"{settings.looked_at} is {shown(seen)}"
        return decided(same, told if same else f"{told}, none of {shown(allowed, 200)}")


class ContainsKind(JudgeKind[ContainsSettings]):
    name = "contains"
    summary = "These texts stand in the answer, or one of them does."
    settings = ContainsSettings
    main = "all"

    def explain(self, settings: ContainsSettings, case: Mapping[str, Any]) -> str:
        each, some = _texts(settings.all, case), _texts(settings.any, case)
        told = [f"{shown(text)} stands" for text in each]
        told += [f"one of {shown(some, 120)} stands"] if some else []
        return f"passes if {', '.join(told)} in {settings.looked_at}{settings.how}"

    def check(self, settings: ContainsSettings, case: Mapping[str, Any]) -> None:
        texts = [*_texts(settings.all, case), *_texts(settings.any, case)]
        if not texts or not all(map(settings.plain, texts)):
            raise InputError("a text that has to stand in the answer is empty; an empty text stands in any")

    async def judge(self, settings: ContainsSettings, trial: Asker, attempt: Attempt) -> Verdict:  # noqa: ARG002
        seen = settings.plain(settings.seen(attempt))
        self.check(settings, attempt.case)
        each, some = _texts(settings.all, attempt.case), _texts(settings.any, attempt.case)
        findings = [Finding(check=text, met=settings.plain(text) in seen, evidence="") for text in each]
        if some:
            found = [text for text in some if settings.plain(text) in seen]
            findings.append(Finding(check=f"one of {shown(some, 200)}", met=bool(found), evidence=", ".join(found)))
        lacking = [one.check for one in findings if not one.met]
        told = f"it lacks {', '.join(map(shown, lacking))}" if lacking else "all that has to stand in it does"
        return decided(not lacking, told, findings=tuple(findings))


def _text(value: Any, case: Mapping[str, Any]) -> str:
    return written(fill_value(value, case))


def _texts(value: Any, case: Mapping[str, Any]) -> list[str]:
    """Of a list its texts; of anything else the one text that it is, and none of nothing."""
    filled = fill_value(value, case)
    return [written(one) for one in (filled if isinstance(filled, list) else [] if filled is None else [filled])]
