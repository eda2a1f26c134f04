"""A suite with its settings and prompts in place: what every trial of a run shares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self, TypeVar

from trialkit.models import Options, endings
from trialkit.runfile import Prompt
from trialkit.settings import RunSettings
from trialkit.suites import Role, Runner, Suite
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
        judges = suite.judges(settings, by_role)
        return cls(
            suite=suite, settings=settings, prompts=by_role, runner=suite.runner(settings, by_role), judges=judges
        )

    def roles(self) -> Mapping[str, Role]:
        return self.suite.roles(self.settings, self.prompts)

    def endings(self) -> Sequence[str]:
        """Of each model that is not there much longer, a line."""
        return list(endings((role.spec for role in self.roles().values() if role.spec), datetime.now(UTC).date()))

    def options(self) -> Mapping[str, Options]:
        """By role, what is asked of the model that plays it."""
        return {name: role.spec.options for name, role in self.roles().items() if role.spec}

    def versions_on_trial(self) -> list[str]:
        """Of the prompts of whoever is on trial, the first of the roles."""
        first = next(iter(self.roles().values()), Role())
        asked = [self.prompts[role].version for role in first.prompts if role in self.prompts]
        return [] if first.phase == "judge" else list(dict.fromkeys(asked))
