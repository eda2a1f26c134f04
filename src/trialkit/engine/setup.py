"""A suite with its settings and prompts in place: what every trial of a run shares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from trialkit.runfile import Prompt
from trialkit.settings import RunSettings
from trialkit.suites import Role, Runner, Suite, asking, each
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
        whose = f"suite {suite.name}"
        with asking(whose, "judges"):
            judges = each(suite.judges(settings, by_role), JudgeInUse)
        with asking(whose, "runner"):
            runner = suite.runner(settings, by_role)
            if not isinstance(runner, Runner):
                raise TypeError(f"it is {runner!r:.60}, no trialkit.Runner")
        return cls(suite=suite, settings=settings, prompts=by_role, runner=runner, judges=judges)

    def roles(self) -> Mapping[str, Role]:
        with asking(f"suite {self.suite.name}", "roles"):
            roles = dict(self.suite.roles(self.settings, self.prompts))
            each(roles.values(), Role)
            return roles
