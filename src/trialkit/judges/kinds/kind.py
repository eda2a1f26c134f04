"""What a kind of judge is, and a judge of one with its settings."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo
from typing_extensions import TypeVar

from trialkit.errors import InputError
from trialkit.judges.model_judge import Asker
from trialkit.text.template import columns_in
from trialkit.vocabulary import Measure, Outcome, Verdict

from .attempt import Attempt, NamedCall

_TURNED: Mapping[Outcome, Outcome] = {"pass": "fail", "fail": "pass"}


class KindSettings(BaseModel):
    """What may be said of a judge, whatever its kind."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    turned: bool = Field(False, alias="not", description="pass where it would fail, and fail where it would pass")


class TextSettings(KindSettings):
    sees: Literal["answer", "said", "transcript"] = Field(
        "answer", description="the answer alone, all that the one on trial said, or all that anybody said and called"
    )

    @property
    def looked_at(self) -> str:
        """In words."""
        return {"answer": "the answer", "said": "what it said", "transcript": "the transcript"}[self.sees]

    def seen(self, attempt: Attempt) -> str:
        return {"answer": attempt.text, "said": attempt.said, "transcript": attempt.transcript}[self.sees]


class JudgePrompt(NamedTuple):
    """What a judge that is a model is told before it sees an answer."""

    version: str
    text: str


class Solution(NamedTuple):
    """What is right in a case: calls, each a name with arguments, and what has to be said."""

    calls: Sequence[NamedCall]
    says: Sequence[str]


S = TypeVar("S", bound=KindSettings, default=Any)


class JudgeKind(ABC, Generic[S]):
    name: ClassVar[str]
    summary: ClassVar[str]
    settings: type[S]
    main: ClassVar[str]  # the setting that stands right behind the kind: `equals: yes`

    @abstractmethod
    def explain(self, settings: S, case: Mapping[str, Any]) -> str:
        """In plain words what it would do with this case: `passes if …`."""

    @abstractmethod
    async def judge(self, settings: S, trial: Asker, attempt: Attempt) -> Verdict:
        """A pass or fail, a score, or an `error`; `not` is none of its business. InputError is an `error` too."""

    def truth(self, settings: S, case: Mapping[str, Any]) -> Solution | None:  # noqa: ARG002 - a default
        """For the oracle, which does what is right; None: this judge does not know."""
        return None

    def measure(self, settings: S, name: str) -> Measure:  # noqa: ARG002 - a default
        return Measure(name=name, kind="pass", low=0.0, high=1.0)

    def calls(self, settings: S) -> int:  # noqa: ARG002 - a default
        """Of a model, for one verdict."""
        return 0

    def prompt(self, settings: S) -> JudgePrompt | None:  # noqa: ARG002 - a default
        return None

    def classes(self, settings: S) -> Sequence[str]:  # noqa: ARG002 - a default
        """Those that it tells apart: the details of each verdict name its `truth`, and what was `said` or None."""
        return ()

    def prepared(self, settings: S, cases: Sequence[Mapping[str, Any]]) -> S:  # noqa: ARG002 - a default
        """With what it has to know of all cases. InputError where they do not fit it."""
        return settings

    def check(self, settings: S, case: Mapping[str, Any]) -> None:
        """InputError where no answer to this case could be judged: told before anything is paid."""
        self.explain(settings, case)

    def columns(self, settings: S) -> set[str]:
        """Of the cases, those that it reads."""
        return columns_in(settings.model_dump())


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedJudge:
    """A judge of a suite: a kind with its settings, under a name."""

    name: str
    kind: JudgeKind
    settings: Any

    @property
    def measure(self) -> Measure:
        return self.kind.measure(self.settings, self.name)

    @property
    def calls(self) -> int:
        return self.kind.calls(self.settings)

    @property
    def classes(self) -> Sequence[str]:
        return self.kind.classes(self.settings)

    def prepared(self, cases: Sequence[Mapping[str, Any]]) -> "NamedJudge":
        return replace(self, settings=self.kind.prepared(self.settings, cases))

    def explain(self, case: Mapping[str, Any]) -> str:
        told = self.kind.explain(self.settings, case)
        return f"{told}; a pass is turned into a fail and a fail into a pass" if self.settings.turned else told

    async def verdict(self, trial: Asker, attempt: Attempt) -> Verdict:
        try:
            found = await self.kind.judge(self.settings, trial, attempt)
        except InputError as error:
            found = Verdict(outcome="error", critique=str(error))
        if self.settings.turned:
            found = replace(found, outcome=_TURNED.get(found.outcome, found.outcome))
        return replace(found, judge=self.name)


def beside(file: str, info: ValidationInfo) -> Path:
    """A file that settings name, from the suite's folder."""
    return Path((info.context or {}).get("folder", ""), file)


def decided(passed: bool, critique: str, **more: Any) -> Verdict:
    return Verdict(outcome="pass" if passed else "fail", critique=critique, **more)
