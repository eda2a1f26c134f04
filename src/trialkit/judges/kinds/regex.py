"""The judge of a pattern in the answer."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic import Field, field_validator

from trialkit.errors import InputError
from trialkit.judges.model_judge import Asker
from trialkit.text.short import shown
from trialkit.text.template import columns_of, fill_value, pieces, value_in, written
from trialkit.vocabulary import Verdict

from .apart import apart
from .attempt import Attempt
from .kind import JudgeKind, TextSettings, decided


class RegexSettings(TextSettings):
    pattern: str = Field(description="a regular expression as Python has them; of a column in it, the value itself")
    case: bool = Field(True, description="whether A is another letter than a")

    @field_validator("pattern")
    @classmethod
    def _can_be_read(cls, pattern: str) -> str:
        if not columns_of(pattern):
            _compile(_pattern(pattern, {}))
        return pattern


class RegexKind(JudgeKind[RegexSettings]):
    name = "regex"
    summary = "A regular expression is found in the answer."
    settings = RegexSettings
    main = "pattern"

    def explain(self, settings: RegexSettings, case: Mapping[str, Any]) -> str:
        how = "" if settings.case else ", whatever its case"
        return f"passes if the pattern {_pattern(settings.pattern, case)} is found in {settings.looked_at}{how}"

    def check(self, settings: RegexSettings, case: Mapping[str, Any]) -> None:
        try:
            _compile(_pattern(settings.pattern, case))
        except ValueError as error:
            raise InputError(f"{shown(_pattern(settings.pattern, case))}: {error}") from None

    async def judge(self, settings: RegexSettings, trial: Asker, attempt: Attempt) -> Verdict:  # noqa: ARG002
        pattern, flags = _pattern(settings.pattern, attempt.case), 0 if settings.case else re.IGNORECASE.value
        found = await apart({"do": "search", "pattern": pattern, "text": settings.seen(attempt), "flags": flags})
        if found is None:
            return decided(passed=False, critique=f"{pattern} is not found in {shown(settings.seen(attempt))}")
        return decided(passed=True, critique=f"it says {shown(found)}")


def _compile(pattern: str) -> None:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"this is no regular expression: {error}") from None


def _pattern(pattern: str, case: Mapping[str, Any]) -> str:
    """A value inside of a pattern stands for itself; one that is all of it is a pattern."""
    read = [piece for piece in pieces(pattern) if piece.text]
    if len(read) == 1 and read[0].is_column:
        return written(fill_value(pattern, case))
    return "".join(re.escape(written(value_in(case, text))) if is_column else text for text, is_column in read)
