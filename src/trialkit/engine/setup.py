"""A suite with its settings and prompts in place: what every trial of a run shares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from trialkit.runfile import Prompt
from trialkit.settings import RunSettings
from trialkit.suites import Runner, Suite, Trial
from trialkit.vocabulary import JudgeInUse, Verdict, checked


@dataclass(frozen=True, kw_only=True, slots=True)
class Setup:
    suite: Suite
    settings: RunSettings
    prompts: Mapping[str, Prompt]  # by role
    runner: Runner
    judges: Sequence[JudgeInUse]  # the first decides

    async def judge(self, trial: Trial, output: Mapping[str, object]) -> list[Verdict]:
        """What the suite's judges say, as far as it fits what the suite measures."""
        return checked(await self.runner.judge(trial, output), self.suite.measures)

    @classmethod
    def of(cls, suite: Suite, settings: RunSettings, prompts: Sequence[Prompt]) -> Self:
        by_role = {prompt.role: prompt for prompt in prompts}
        return cls(
            suite=suite,
            settings=settings,
            prompts=by_role,
            runner=suite.runner(settings, by_role),
            judges=suite.judges(settings, by_role),
        )
