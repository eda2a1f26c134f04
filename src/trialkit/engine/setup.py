"""A suite with its settings and prompts in place: what every trial of a run shares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from trialkit.runfile import Prompt
from trialkit.settings import RunSettings
from trialkit.suites import Runner, Suite
from trialkit.vocabulary import JudgeInUse

S = TypeVar("S", bound=RunSettings)


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup:
    suite: Suite[Any]
    settings: RunSettings
    prompts: Mapping[str, Prompt]  # by role
    runner: Runner
    judges: Sequence[JudgeInUse]  # the first decides

    @classmethod
    def of(cls, suite: Suite[S], settings: S, prompts: Sequence[Prompt]) -> Self:
        by_role = {prompt.role: prompt for prompt in prompts}
        return cls(
            suite=suite,
            settings=settings,
            prompts=by_role,
            runner=suite.runner(settings, by_role),
            judges=suite.judges(settings, by_role),
        )
