"""A suite that is three functions of a Python file: `cases`, `attempt` and `judge`."""

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from trialkit.errors import InputError
from trialkit.judges.kinds import KINDS, Attempt, NamedJudge
from trialkit.models import Reply
from trialkit.runfile import Prompt
from trialkit.settings import RunSettings
from trialkit.suites.base import Suite, Trial
from trialkit.suites.cast import Role
from trialkit.suites.content import Content
from trialkit.text.json import dump
from trialkit.text.short import shown
from trialkit.vocabulary import Case, JudgeInUse, Verdict

from .cases import Naming, cases_of, inline_rows
from .python import FUNCTIONS
from .runner import read_value


class FunctionSuite(Suite[RunSettings]):
    """`attempt` asks for `trial`, which a model can be asked through, or for `case` alone, and then nobody is asked."""

    def __init__(self, module: ModuleType, named: str) -> None:
        found = {name: getattr(module, name, None) for name in FUNCTIONS}
        if lacking := [name for name, one in found.items() if not inspect.isfunction(one)]:
            raise InputError(f"{named}: there is no function {lacking[0]}; write {', '.join(FUNCTIONS)}")
        self.name = Path(named).stem
        self.summary = inspect.cleandoc(module.__doc__ or "").partition("\n")[0]
        self._cases, self._attempt = getattr(module, "cases"), getattr(module, "attempt")  # noqa: B009 - no types there
        self._named = named
        self._wanted = _wanted(self._attempt, named)
        kind = KINDS["python"]
        settings = kind.settings.model_validate({"function": f"{module.__file__}:judge"})
        self._judge = NamedJudge(name="judge", kind=kind, settings=settings).prepared([])

    def cases(self, settings: RunSettings) -> Sequence[Case]:  # noqa: ARG002 - the same for all
        found = self._cases()
        if not isinstance(found, list | tuple) or not found:
            raise InputError(f"{self._named}: cases() gives {shown(found)}, not a list of cases; write [{{…}}, {{…}}]")
        if all(isinstance(one, Case) for one in found):
            return found
        places = [{"": f"{self._named}: case {number}"} for number in range(1, len(found) + 1)]
        return cases_of(inline_rows(found, places), Naming())

    def roles(self, settings: RunSettings, prompts: Mapping[str, Prompt]) -> Mapping[str, Role]:
        return super().roles(settings, prompts) if "trial" in self._wanted else {}

    def judges(self, settings: RunSettings, prompts: Mapping[str, Prompt]) -> Sequence[JudgeInUse]:  # noqa: ARG002
        return (JudgeInUse(name=self._judge.name, kind=self._judge.kind.name),)

    def content(self, settings: RunSettings) -> Content:
        found = super().content(settings)
        return found if "trial" in self._wanted else replace(found, subject=self.name)

    async def attempt(self, trial: Trial[RunSettings]) -> Mapping[str, Any]:
        given = {"trial": trial, "case": dict(trial.case.data)}
        call = partial(self._attempt, **{name: given[name] for name in self._wanted})
        said = await call() if inspect.iscoroutinefunction(self._attempt) else await asyncio.to_thread(call)
        said = said.text if isinstance(said, Reply) else said
        return {"text": said if isinstance(said, str) else dump(said)}

    async def judge(self, trial: Trial[RunSettings], output: Mapping[str, Any]) -> Verdict:
        text = output["text"]
        attempt = Attempt(
            case=trial.case.data, text=text, value=read_value(text), seconds=trial.seconds, cost=trial.cost
        )
        return await self._judge.verdict(trial, attempt)

    def explain(self, settings: RunSettings, case: Case) -> Mapping[str, str]:  # noqa: ARG002 - likewise
        return {"judge": self._judge.explain(case.data)}


def _wanted(function: Callable[..., Any], named: str) -> Sequence[str]:
    wanted = list(inspect.signature(function).parameters)
    if unknown := [name for name in wanted if name not in {"trial", "case"}]:
        raise InputError(f"{named}: attempt asks for {', '.join(unknown)}; it can ask for trial and case")
    return wanted
