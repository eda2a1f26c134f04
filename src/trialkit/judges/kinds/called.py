"""The judge of the tools that were called."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from trialkit.judges.model_judge import Asker
from trialkit.text.short import shown
from trialkit.text.template import fill, fill_value
from trialkit.vocabulary import Finding, Verdict

from .attempt import Attempt, ToolUse
from .kind import JudgeKind, KindSettings, decided
from .same import same


class ExpectedCall(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    arguments: dict[str, Any] = Field({}, description="that have to be like this; further ones may be any")

    @model_validator(mode="before")
    @classmethod
    def _of_a_name(cls, data: Any) -> Any:
        return {"name": data} if isinstance(data, str) else data

    def __str__(self) -> str:
        arguments = ", ".join(f"{name}={shown(value)}" for name, value in self.arguments.items())
        return f"{self.name}({arguments})" if arguments else self.name

    def filled(self, case: Mapping[str, Any]) -> "ExpectedCall":
        filled = {"name": fill(self.name, case), "arguments": fill_value(self.arguments, case)}
        return self.model_copy(update=filled)

    def fits(self, use: ToolUse) -> bool:
        given = use.arguments
        return use.name == self.name and all(
            name in given and same(given[name], value) for name, value in self.arguments.items()
        )


class CallSettings(KindSettings):
    called: tuple[ExpectedCall, ...] = Field((), description="each has to be called: a name, or name and arguments")
    not_called: tuple[ExpectedCall, ...] = Field((), description="none of these may be called")
    in_order: bool = Field(False, description="whether they have to be called in this order; others may come between")
    only: bool = Field(False, description="whether nothing else may be called")

    @field_validator("called", "not_called", mode="before")
    @classmethod
    def _of_one(cls, data: Any) -> Any:
        return data if isinstance(data, list | tuple) else [data]

    @model_validator(mode="after")
    def _says_what(self) -> "CallSettings":
        if not (self.called or self.not_called or self.only):
            raise ValueError("says neither what has to be called nor what must not be; name a tool")
        return self


class ToolCallKind(JudgeKind[CallSettings]):
    name = "tool_call"
    summary = "These tools were called, with these arguments, in this order; or were not."
    settings = CallSettings
    main = "called"

    def explain(self, settings: CallSettings, case: Mapping[str, Any]) -> str:
        called, not_called = (
            [str(one.filled(case)) for one in some] for some in (settings.called, settings.not_called)
        )
        told = [f"it calls {', '.join(called)}{' in this order' * settings.in_order}"] if called else []
        told += [f"it never calls {', '.join(not_called)}"] if not_called else []
        told += ["it calls nothing else"] if settings.only else []
        return f"passes if {' and '.join(told)}"

    async def judge(self, settings: CallSettings, trial: Asker, attempt: Attempt) -> Verdict:  # noqa: ARG002
        expected = [one.filled(attempt.case) for one in settings.called]
        taken = (_in_order if settings.in_order else _in_any_order)(expected, attempt.calls)
        findings = [
            Finding(check=f"calls {one}", met=place is not None, evidence="" if place is None else f"call {place + 1}")
            for one, place in zip(expected, taken, strict=True)
        ]
        for one in (one.filled(attempt.case) for one in settings.not_called):
            places = [f"call {place}" for place, use in enumerate(attempt.calls, start=1) if one.fits(use)]
            findings.append(Finding(check=f"does not call {one}", met=not places, evidence=", ".join(places[:5])))
        if settings.only:
            others = sorted({use.name for place, use in enumerate(attempt.calls) if place not in taken})
            findings.append(Finding(check="calls nothing else", met=not others, evidence=", ".join(others)))
        unmet = [one for one in findings if not one.met]
        names = ", ".join(use.name for use in attempt.calls[:20]) or "nothing"
        told = "; ".join(f"not so: {one.check}" + (f" ({one.evidence})" if one.evidence else "") for one in unmet)
        return decided(
            not unmet, f"{told}; it called {names}" if unmet else f"it called {names}", findings=tuple(findings)
        )


def _in_order(expected: Sequence[ExpectedCall], uses: Sequence[ToolUse]) -> list[int | None]:
    """Of each the place of its call behind the one before; the first that fits is never a worse choice than a later."""
    taken: list[int | None] = []
    after = 0
    for one in expected:
        place = next((place for place in range(after, len(uses)) if one.fits(uses[place])), None)
        taken.append(place)
        after = after if place is None else place + 1
    return taken


def _in_any_order(expected: Sequence[ExpectedCall], uses: Sequence[ToolUse]) -> list[int | None]:
    """Each with a call of its own: as many as can be matched at once."""
    fitting = [[place for place, use in enumerate(uses) if one.fits(use)] for one in expected]
    owner: dict[int, int] = {}

    def take(which: int, tried: set[int]) -> bool:
        for place in fitting[which]:
            if place not in tried:
                tried.add(place)
                if place not in owner or take(owner[place], tried):
                    owner[place] = which
                    return True
        return False

    for which in range(len(expected)):
        take(which, set())
    taken = {which: place for place, which in owner.items()}
    return [taken.get(which) for which in range(len(expected))]
