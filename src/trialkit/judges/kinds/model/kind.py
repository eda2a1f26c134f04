"""The judge that is a model: a table of what it can be asked to decide."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from trialkit.judges.kinds.attempt import Attempt
from trialkit.judges.kinds.kind import JudgeKind, JudgePrompt
from trialkit.judges.model_judge import Asker
from trialkit.text.template import columns_in, written
from trialkit.vocabulary import Measure, Verdict

from .checks import Checks
from .choice import Choice
from .preference import Preference
from .ruling import Ruling, told_first
from .scale import Scale
from .settings import ModelSettings

#: By the setting that asks for it.
_RULINGS: Mapping[str, Ruling] = {"checks": Checks(), "scale": Scale(), "classes": Choice(), "against": Preference()}
#: Those that may name columns.
_TEMPLATES = ("checks", "question", "reference", "against")


class ModelKind(JudgeKind[ModelSettings]):
    name = "model"
    summary = "A model decides: checks, a score, a class, or which of two answers is better."
    settings = ModelSettings
    main = "checks"

    def measure(self, settings: ModelSettings, name: str) -> Measure:
        return _ruling(settings).measure(settings, name)

    def calls(self, settings: ModelSettings) -> int:
        return _ruling(settings).calls

    def prompt(self, settings: ModelSettings) -> JudgePrompt:
        """What it is told first, and what it is asked, columns as they are named."""
        asked = settings.model_dump(include={*_TEMPLATES, "scale", "classes"}, exclude_defaults=True)
        lines = [f"{name}: {written(value)}" for name, value in asked.items()]
        text = "\n".join([told_first(settings, _ruling(settings)), "", *lines])
        return JudgePrompt(version=hashlib.sha256(text.encode()).hexdigest()[:8], text=text)

    def prepared(self, settings: ModelSettings, cases: Sequence[Mapping[str, Any]]) -> ModelSettings:  # noqa: ARG002
        """With its instructions, which a run goes on with, whatever ours are by then."""
        return settings.model_copy(update={"instructions": told_first(settings, _ruling(settings))})

    def columns(self, settings: ModelSettings) -> set[str]:
        return columns_in([getattr(settings, name) for name in _TEMPLATES])

    def explain(self, settings: ModelSettings, case: Mapping[str, Any]) -> str:
        return _ruling(settings).explain(settings, case)

    async def judge(self, settings: ModelSettings, trial: Asker, attempt: Attempt) -> Verdict:
        return await _ruling(settings).judge(settings, trial, attempt)


def _ruling(settings: ModelSettings) -> Ruling:
    return next(ruling for name, ruling in _RULINGS.items() if getattr(settings, name))
