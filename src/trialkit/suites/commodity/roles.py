"""Who is asked in a commodity run, with which prompt, and who judges."""

from collections.abc import Mapping
from functools import partial

from trialkit.runfile import Prompt
from trialkit.suites import Role, Usual
from trialkit.suites.prompts import read_prompt
from trialkit.suites.roles import judge_spec, subject_spec
from trialkit.vocabulary import JudgeInUse

from .content import shipped
from .service import connect_service
from .settings import CommoditySettings

#: The shipped prompts, tools and scenarios, and the baseline's answers; a token is taken for four characters, and a
#: verdict's length is assumed.
USUAL = {
    "analyzer": Usual(calls=1, input_tokens=760, output_tokens=160),
    "judge": Usual(calls=1, input_tokens=960, output_tokens=250),
}
_OFFLINE = "to try trialkit without a model: trialkit run commodity --model baseline"
_NO_JUDGE = "to judge without a model: --judge rules"


def read_prompts(settings: CommoditySettings) -> list[Prompt]:
    subject = []
    if settings.asks_model:
        subject.append(read_prompt("analyzer", settings.analyzer_prompt, "analyzer_prompts", shipped() / "prompts"))
    return subject + read_judge_prompts(settings)


def read_judge_prompts(settings: CommoditySettings) -> list[Prompt]:
    if not settings.asks_judge:
        return []
    return [read_prompt("judge", settings.judge_prompt, "judge_prompts", shipped() / "prompts")]


def roles_of(settings: CommoditySettings) -> dict[str, Role]:
    roles = {}
    hint = _OFFLINE if settings.asks_model else _NO_JUDGE
    if settings.analyzer_url and not settings.skip_analysis:
        roles["analyzer"] = Role(open=partial(connect_service, settings))
    elif settings.asks_model:
        roles["analyzer"] = Role(spec=subject_spec(settings), prompts=("analyzer",), hint=hint)
    if settings.asks_judge:
        spec = judge_spec(settings, subject_used=settings.asks_model)
        roles["judge"] = Role(spec=spec, phase="judge", prompts=("judge",), hint=hint)
    return roles


def judges_in_use(settings: CommoditySettings, prompts: Mapping[str, Prompt]) -> tuple[JudgeInUse, ...]:
    """The first decides."""
    if settings.skip_judge:
        return ()
    rules = JudgeInUse(name="rules", kind="rules")
    prompt = prompts.get("judge")
    llm = JudgeInUse(
        name=f"llm:{settings.judge_model}@{settings.judge_prompt}",
        kind="model",
        model=settings.judge_model,
        prompt=settings.judge_prompt,
        prompt_hash=prompt.hash if prompt else "",
    )
    return {"rules": (rules,), "llm": (llm,), "both": (llm, rules)}[settings.judge_kind]
