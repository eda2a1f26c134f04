"""Who answers in which role: what the flags for the model on trial mean for the others."""

from dataclasses import fields
from typing import TYPE_CHECKING

from trialkit import models  # whose names are loaded when they are asked for
from trialkit.runfile import Prompt
from trialkit.vocabulary import JudgeInUse

if TYPE_CHECKING:  # pydantic takes longer to load than a short command may
    from trialkit.settings import JudgeSettings, RunSettings

#: What to do where the judge cannot be asked.
OTHER_JUDGE = "name another judge with --judge-model"


def subject_spec(settings: "RunSettings") -> "models.ModelSpec":
    """The model on trial."""
    return _spec(settings, settings.model, settings.provider, settings.api_base, _options(settings))


def other_spec(
    settings: "RunSettings",
    name: str,
    *,
    provider: str | None,
    api_base: str | None,
    subject_used: bool = True,
    flags: str = "",
) -> "models.ModelSpec":
    """A model in another role. What is asked of it say the settings whose names begin with `flags`, such as `judge_`;
    none of them: nothing is. Without a server of its own it is at `--api-base`, if its provider is the subject's.

    Where no model is on trial, `--api-base` can only be meant for the others.
    """
    same = _provider(name, provider) == _provider(settings.model, settings.provider)
    shared = settings.api_base if same or not subject_used else None
    return _spec(settings, name, provider, api_base or shared, _options(settings, flags) if flags else models.Options())


def judge_spec(settings: "JudgeSettings", *, subject_used: bool = True) -> "models.ModelSpec":
    return other_spec(
        settings,
        settings.judge_model,
        provider=None if "/" in settings.judge_model else settings.provider,
        api_base=settings.judge_api_base,
        subject_used=subject_used,
        flags="judge_",
    )


def called(asks: str) -> str:
    """The end of a judge's name: asked check by check it is another judge."""
    return "" if asks == "all" else f"/{asks}"


def judge_in_use(name: str, kind: str, model: str, prompt: Prompt | None) -> JudgeInUse:
    version, prompt_hash = (prompt.version, prompt.hash) if prompt else ("", "")
    return JudgeInUse(name=name, kind=kind, model=model, prompt=version, prompt_hash=prompt_hash)


def _options(settings: "RunSettings", flags: str = "") -> "models.Options":
    return models.Options(**{one.name: getattr(settings, flags + one.name, None) for one in fields(models.Options)})


def _spec(
    settings: "RunSettings", name: str, provider: str | None, api_base: str | None, options: "models.Options"
) -> "models.ModelSpec":
    return models.ModelSpec(
        name=name,
        provider=provider,
        api_base=api_base,
        client=settings.client,
        timeout=settings.timeout,
        timeout_in_all=settings.timeout_in_all,
        retries=settings.retries,
        options=options,
    )


def _provider(name: str, provider: str | None) -> str:
    """As the name will be resolved: a bare one by the price list, and if it is not there, it is a server's own."""
    return provider or (name.partition("/")[0] if "/" in name else models.provider_of(name) or "openai")
