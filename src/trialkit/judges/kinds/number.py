"""The judge of a number in the answer."""

import asyncio
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field

from trialkit.errors import InputError
from trialkit.judges.model_judge import Asker
from trialkit.text.short import shown
from trialkit.text.template import fill_value, written
from trialkit.vocabulary import Verdict

from .attempt import Attempt
from .kind import JudgeKind, TextSettings, decided
from .numbers import Notation, numbers_in

_Tolerance = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class NumberSettings(TextSettings):
    value: Any = Field(description="the number")
    within: _Tolerance = Field(0, description="how far it may be off")
    within_percent: _Tolerance = Field(0, description="the same, in percent of the number; the wider of both counts")
    which: Literal["last", "first", "any"] = Field("last", description="where several numbers stand in the answer")
    notation: Notation = Field("auto", description="1,234.5 (en) or 1.234,5 (de); auto tells by the text")


class NumberKind(JudgeKind[NumberSettings]):
    name = "number"
    summary = "A number stands in the answer, exactly or about."
    settings = NumberSettings
    main = "value"

    def explain(self, settings: NumberSettings, case: Mapping[str, Any]) -> str:
        expected = _expected(settings, case)
        off = _tolerance(settings, expected)
        about = f", give or take {_short(off)}" if off else ""
        which = "a number" if settings.which == "any" else f"the {settings.which} number"
        return f"passes if {which} in {settings.looked_at} is {_short(expected)}{about}"

    async def judge(self, settings: NumberSettings, trial: Asker, attempt: Attempt) -> Verdict:  # noqa: ARG002
        expected = _expected(settings, attempt.case)
        # off the event loop: a text of 5 MB may hold numbers for 10 s
        found = await asyncio.to_thread(numbers_in, settings.seen(attempt), settings.notation)
        if not found:
            return decided(passed=False, critique=f"no number in {shown(settings.seen(attempt))}")
        looked_at = {"last": found[-1:], "first": found[:1], "any": found}[settings.which]
        near = min(looked_at, key=lambda value: abs(value - expected))
        passed = abs(near - expected) <= _tolerance(settings, expected)
        told = f"it says {_short(near)}" + ("" if passed else f", not {_short(expected)}")
        return decided(passed, told)


def _expected(settings: NumberSettings, case: Mapping[str, Any]) -> Decimal:
    value = fill_value(settings.value, case)
    found = numbers_in(written(value).strip(), "en" if isinstance(value, int | float) else settings.notation)
    if len(found) != 1:
        raise InputError(f"{shown(value)} is not one number; write the number that the answer should have")
    return found[0]


def _tolerance(settings: NumberSettings, expected: Decimal) -> Decimal:
    relative = abs(expected) * Decimal(str(settings.within_percent)) / 100
    return max(Decimal(str(settings.within)), relative)


def _short(value: Decimal) -> str:
    return f"{value.normalize():f}" if -9 < value.adjusted() < 18 else f"{value:g}"
