"""Judges of what an answer took."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from trialkit.errors import InputError
from trialkit.judges.model_judge import Asker
from trialkit.text.shown import dollars, seconds
from trialkit.vocabulary import Verdict

from .attempt import Attempt
from .kind import JudgeKind, KindSettings, decided


class LimitSettings(KindSettings):
    at_most: Annotated[float, Field(ge=0, allow_inf_nan=False, description="the most that an answer may take")]


class LatencyKind(JudgeKind[LimitSettings]):
    name = "latency"
    summary = "The answer was there within so many seconds."
    settings = LimitSettings
    main = "at_most"
    unknown: ClassVar[str] = "how long it took is not known, so nobody can say whether that was too long"

    def explain(self, settings: LimitSettings, case: Mapping[str, Any]) -> str:  # noqa: ARG002 - the same for all
        return f"passes if the answer takes at most {self._told(settings.at_most)}"

    async def judge(self, settings: LimitSettings, trial: Asker, attempt: Attempt) -> Verdict:  # noqa: ARG002
        taken = self._taken(attempt)
        if taken is None:
            raise InputError(self.unknown)
        told = f"it took {self._told(taken)}"
        within = taken <= settings.at_most
        return decided(within, told if within else f"{told}, more than {self._told(settings.at_most)}")

    def _taken(self, attempt: Attempt) -> float | None:
        return attempt.seconds

    def _told(self, amount: float) -> str:
        return seconds(amount)


class CostKind(LatencyKind):
    name = "cost"
    summary = "The answer cost at most so many dollars."
    unknown = "what it cost is not known; name a price list in TRIALKIT_PRICES"

    def _taken(self, attempt: Attempt) -> float | None:
        return attempt.cost

    def _told(self, amount: float) -> str:
        return dollars(amount)
