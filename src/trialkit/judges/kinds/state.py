"""The judge of a conversation: it left the state that the right calls lead to, and what had to be said was said."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import Field

from trialkit.errors import InputError
from trialkit.judges.model_judge import Asker
from trialkit.text.short import shown
from trialkit.text.template import CaseCells, fill_value, written
from trialkit.vocabulary import Finding, Verdict

from .attempt import Attempt, NamedCall
from .kind import JudgeKind, KindSettings, Solution, decided
from .paths import path_of

_SHOWN = 5


class StateSettings(KindSettings):
    after: Any = Field(description="the calls that are right, as `tool: {argument: value}`, or a column with them")
    says: Any = Field(None, description="texts that the one on trial has to say besides, or a column with them")


class StateKind(JudgeKind[StateSettings]):
    name = "state"
    summary = "The environment is left as the right calls would leave it."
    settings = StateSettings
    main = "after"

    def explain(self, settings: StateSettings, case: CaseCells) -> str:
        calls = [f"{name}({shown(arguments)})" for name, arguments in _calls(settings, case)]
        says = [f"it says {shown(text)}" for text in _texts(settings, case)]
        left = f"{', '.join(calls)} would leave it" if calls else "it was at the start"
        return f"passes if {' and '.join([f'the state at the end is as {left}', *says])}"

    def truth(self, settings: StateSettings, case: CaseCells) -> Solution:
        return Solution(calls=_calls(settings, case), says=_texts(settings, case))

    async def judge(self, settings: StateSettings, trial: Asker, attempt: Attempt) -> Verdict:  # noqa: ARG002
        if attempt.reach is None:
            raise InputError("there is no environment, so there is no state; add `environment:` to the suite")
        right = await attempt.reach(_calls(settings, attempt.case))
        apart = list(differences(attempt.state, right))
        told = "; ".join(apart[:_SHOWN]) + (f"; and {len(apart) - _SHOWN} more" if len(apart) > _SHOWN else "")
        said = " ".join(attempt.said.split()).casefold()
        findings = [Finding(check="the state is as it should be", met=not apart, evidence=told)]
        for text in _texts(settings, attempt.case):
            met = " ".join(text.split()).casefold() in said
            findings.append(Finding(check=f"it says {shown(text)}", met=met, evidence=""))
        unmet = [f"{one.check}: {one.evidence}" if one.evidence else one.check for one in findings if not one.met]
        critique = f"not so: {'; '.join(unmet)}" if unmet else "all is as it should be"
        return decided(not unmet, critique, findings=tuple(findings))


def _calls(settings: StateSettings, case: CaseCells) -> list[NamedCall]:
    filled = fill_value(settings.after, case)
    return [_call(one) for one in ([] if filled is None else filled if isinstance(filled, list) else [filled])]


def _call(one: object) -> NamedCall:
    """Of `name`, `{name: {argument: value}}`, or `{name: …, arguments: …}`."""
    if isinstance(one, str) and one:
        return one, {}
    if isinstance(one, Mapping) and isinstance(one.get("name"), str) and one.keys() <= {"name", "arguments"}:
        name, arguments = one["name"], one.get("arguments")
    elif isinstance(one, Mapping) and len(one) == 1:
        ((name, arguments),) = one.items()
    else:
        raise InputError(f"{shown(one)} is no call; write it as `tool: {{argument: value}}`")
    if not isinstance(arguments, Mapping | None):
        raise InputError(f"the arguments of {name} are {shown(arguments)}; write them as {{argument: value}}")
    return name, arguments or {}


def _texts(settings: StateSettings, case: CaseCells) -> list[str]:
    filled = fill_value(settings.says, case)
    texts = map(written, filled if isinstance(filled, list) else [filled])
    return [text for text in texts if text.strip()]


def differences(found: object, right: object) -> Iterator[str]:
    """Each place where the two are apart, in words."""
    left: list[tuple[tuple[str | int, ...], object, object]] = [((), found, right)]
    while left:
        place, one, other = left.pop()
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            names = list(dict.fromkeys([*other, *one]))
            left += [((*place, name), one.get(name, _NONE), other.get(name, _NONE)) for name in reversed(names)]
        elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            left += [((*place, number), one[number], other[number]) for number in reversed(range(len(one)))]
        elif one != other or isinstance(one, bool) != isinstance(other, bool):
            yield f"{path_of(place)} is {_told(one)}, not {_told(other)}"


def _told(value: object) -> str:
    return "not there" if value is _NONE else shown(value)


_NONE = object()
