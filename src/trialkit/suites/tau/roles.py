"""Who is asked in a tau run, and who judges."""

from collections.abc import Mapping
from functools import partial

from trialkit.agents import get_agent
from trialkit.errors import InputError
from trialkit.runfile import Prompt
from trialkit.suites import Role
from trialkit.suites.roles import called, judge_in_use, other_spec, subject_spec
from trialkit.suites.tau import outside
from trialkit.vocabulary import JudgeInUse

from .common import verdicts
from .prompting import user_strategy
from .settings import TauSettings

_OFFLINE = "to try trialkit without a model: trialkit run {suite} --agent oracle"


def roles_of(suite: str, settings: TauSettings, prompts: Mapping[str, Prompt]) -> dict[str, Role]:
    needs, roles = get_agent(settings.agent_name).needs, dict[str, Role]()
    hint = _OFFLINE.format(suite=suite)
    other = partial(other_spec, settings, subject_used="model" in needs)
    if "connection" in needs:
        roles["agent"] = Role(open=partial(outside.connect, settings), hint=hint)
    elif settings.agent_env or settings.agent_limit:
        raise InputError(f"--agent-env, --agent-limit: {settings.agent_name} is no program of its own; leave them out")
    elif "model" in needs:
        roles["agent"] = Role(spec=subject_spec(settings), prompts=("agent", "examples"), hint=hint)
    if user_strategy(settings) != "scripted":
        spec = other(settings.user_model, provider=settings.user_provider, api_base=settings.user_api_base)
        given = tuple(role for role in prompts if role.partition(" ")[0] == "user")
        roles["user"] = Role(spec=spec, prompts=given, hint=hint)
    if "judge" in prompts and settings.judge_model is not None:
        spec = other(settings.judge_model, provider=None, api_base=None)
        roles["judge"] = Role(spec=spec, phase="judge", prompts=("judge",), hint=hint)
    return roles


def judge_name(settings: TauSettings) -> str:
    return verdicts.JUDGE + called(settings.judge_asks)


def judges_in_use(settings: TauSettings, prompts: Mapping[str, Prompt]) -> tuple[JudgeInUse, ...]:
    """The environment, with the help of a model where tasks count assertions."""
    prompt = prompts.get("judge")
    name = judge_name(settings)
    return (judge_in_use(name, "environment", (settings.judge_model or "") if prompt else "", prompt),)
