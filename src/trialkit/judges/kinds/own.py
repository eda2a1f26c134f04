"""The judge that is a Python function of the user's own."""

import asyncio
import inspect
import math
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationInfo, field_validator, model_validator

from trialkit.code import load_object
from trialkit.errors import InputError
from trialkit.judges.model_judge import Asker
from trialkit.text.short import shortened, shown
from trialkit.text.whole import clean
from trialkit.vocabulary import Finding, Measure, Verdict

from .attempt import Attempt
from .kind import JudgeKind, KindSettings, beside, decided

#: What a function may ask for by the names of its parameters.
GIVEN: Mapping[str, Callable[[Attempt], object]] = {
    "answer": lambda attempt: attempt.text,
    "case": lambda attempt: dict(attempt.case),
    "value": lambda attempt: attempt.value,
    "calls": lambda attempt: list(attempt.calls),
    "messages": lambda attempt: list(attempt.messages),
    "state": lambda attempt: attempt.state,
    "seconds": lambda attempt: attempt.seconds,
    "cost": lambda attempt: attempt.cost,
}
_Finite = Annotated[float, Field(allow_inf_nan=False)]


class PythonSettings(KindSettings):
    function: str = Field(description="FILE.py:FUNCTION, from the suite's folder, or MODULE:FUNCTION")
    range: tuple[_Finite, _Finite] | None = Field(None, description="of the numbers that it gives: [lowest, highest]")
    higher_is_better: bool = Field(True, description="whether of two numbers the higher is the better one")
    passes: tuple[str, ...] = Field(("pass",), description="of the texts that it gives, those that pass")
    fails: tuple[str, ...] = Field(("fail",), description="of the texts that it gives, those that fail")

    @property
    def short(self) -> str:
        return Path(self.function).name

    @field_validator("function")
    @classmethod
    def _beside_the_suite(cls, function: str, info: ValidationInfo) -> str:
        return str(beside(function, info)) if function.rpartition(":")[0].endswith(".py") else function

    @model_validator(mode="after")
    def _from_low_to_high(self) -> "PythonSettings":
        if self.range is not None and self.range[0] >= self.range[1]:
            raise ValueError(f"the range {list(self.range)} must be written [lowest, highest]")
        return self


class OwnKind(JudgeKind[PythonSettings]):
    name = "python"
    summary = "A Python function says true or false, a number, a text, or several of these."
    settings = PythonSettings
    main = "function"

    def measure(self, settings: PythonSettings, name: str) -> Measure:
        if settings.range is None:
            return super().measure(settings, name)
        low, high = settings.range
        return Measure(name=name, low=low, high=high, higher_is_better=settings.higher_is_better)

    def prepared(self, settings: PythonSettings, cases: Sequence[Mapping[str, Any]]) -> PythonSettings:  # noqa: ARG002
        """What is wrong with the function is told before anything is paid."""
        _parameters(settings, load_object(settings.function, "judge"))
        return settings

    def explain(self, settings: PythonSettings, case: Mapping[str, Any]) -> str:  # noqa: ARG002 - the same for all
        wanted = ", ".join(_parameters(settings, load_object(settings.function, "judge")))
        what = "scores what" if settings.range else "passes if"
        return f"{what} {settings.short}({wanted}) says{'' if settings.range else ' so'}"

    async def judge(self, settings: PythonSettings, trial: Asker, attempt: Attempt) -> Verdict:  # noqa: ARG002
        function = load_object(settings.function, "judge")
        given = {name: GIVEN[name](attempt) for name in _parameters(settings, function)}
        try:
            said = await _called(function, given)
        except (Exception, SystemExit) as error:  # somebody else's code may fail in any way
            last = traceback.extract_tb(error.__traceback__)[-1]
            told = f"{settings.short}: {type(error).__name__}: {shortened(str(error), 200)}"
            raise InputError(f"{told} ({Path(last.filename).name}:{last.lineno})") from error
        return _verdict(settings, said)


def _parameters(settings: PythonSettings, function: Any) -> list[str]:
    if not callable(function):
        raise InputError(f"{settings.short} is no function but {shown(function)}")
    wanted = [
        name
        for name, one in inspect.signature(function).parameters.items()
        if one.kind not in {one.VAR_POSITIONAL, one.VAR_KEYWORD} and (name in GIVEN or one.default is one.empty)
    ]
    unknown = [name for name in wanted if name not in GIVEN]
    if unknown:
        raise InputError(f"{settings.short} asks for {', '.join(unknown)}; a judge can ask for {', '.join(GIVEN)}")
    return wanted


async def _called(function: Callable[..., Any], given: Mapping[str, object]) -> Any:
    """Off the event loop, but for one that is made for it."""
    if inspect.iscoroutinefunction(function):
        return await function(**given)
    said = await asyncio.to_thread(function, **given)
    return await said if isinstance(said, Awaitable) else said


def _verdict(settings: PythonSettings, said: Any) -> Verdict:
    """A pair is what it says and why; several by name are findings, figures and words."""
    if isinstance(said, Verdict):
        return said
    if isinstance(said, tuple) and len(said) == 2 and isinstance(said[1], str):
        return _one(settings, said[0], clean(said[1]))
    if isinstance(said, Mapping):
        return _several(settings, {str(name): _plain(value) for name, value in said.items()})
    return _one(settings, said, "")


def _one(settings: PythonSettings, said: Any, why: str, **more: Any) -> Verdict:
    value = _plain(said)
    if settings.range is not None and isinstance(value, int | float) and not isinstance(value, bool):
        if not settings.range[0] <= value <= settings.range[1]:  # no NaN is either
            raise InputError(f"{settings.short} says {value}, which is not from {list(settings.range)}")
        return Verdict(outcome="scored", score=float(value), critique=why, **more)
    if settings.range is None and isinstance(value, bool):
        return decided(value, why, **more)
    if settings.range is None and isinstance(value, str) and value in {*settings.passes, *settings.fails}:
        return decided(value in settings.passes, why or value, **more)
    wanted = "a number" if settings.range is not None else "true, false, or a text that `passes` or `fails` lists"
    hint = "; give a `range` to score by numbers" if isinstance(value, int | float) and settings.range is None else ""
    raise InputError(f"{settings.short} says {shown(value)}, which is not {wanted}{hint}")


def _several(settings: PythonSettings, said: Mapping[str, Any]) -> Verdict:
    """What is called `pass` or `score` decides; without one, all that is true or false has to be true."""
    findings = tuple(
        Finding(check=name, met=value, evidence="")
        for name, value in said.items()
        if isinstance(value, bool) and name != "pass"
    )
    figures = {
        name: value
        for name, value in said.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and name != "score"
    }
    words = {name: clean(value) for name, value in said.items() if isinstance(value, str)}
    decides = next((said[name] for name in ("score", "pass") if name in said), None)
    if decides is None and findings and settings.range is None:
        decides = all(one.met for one in findings)
    why = "; ".join(
        [f"not so: {one.check}" for one in findings if not one.met]
        + [f"{name}: {value}" for name, value in words.items()]
    )
    return _one(settings, decides, why, findings=findings, details={"figures": figures, "words": words})


def _plain(value: Any) -> Any:
    """Of numpy and its kin what they are in Python."""
    item = getattr(value, "item", None)
    try:
        return item() if callable(item) else value
    except (TypeError, ValueError):  # an array of several, for one
        return value
