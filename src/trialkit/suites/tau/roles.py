"""Who is asked in a tau run, and who judges."""

from collections.abc import Mapping
from functools import partial

from trialkit.agents import get_agent
from trialkit.runfile import Prompt
from trialkit.suites import Role
from trialkit.suites.agent_figures import ROLE
from trialkit.suites.agents import agent_role
from trialkit.suites.roles import OTHER_JUDGE, called, judge_in_use, other_spec
from trialkit.vocabulary import JudgeInUse

from .common import verdicts
from .prompting import user_strategy
from .settings import TauSettings

_OFFLINE = "to try trialkit without a model: trialkit run {suite} --agent oracle"

#: No other is taken by itself: whoever plays the user is part of what a result means.
_OTHER_USER = "name another user with --user-model, or take lines for one: --user-strategy scripted"


def roles_of(suite: str, settings: TauSettings, prompts: Mapping[str, Prompt]) -> dict[str, Role]:
    needs, roles = get_agent(settings.agent_name).needs, dict[str, Role]()
    hint = _OFFLINE.format(suite=suite)
    other = partial(other_spec, settings, subject_used="model" in needs)
    if agent := agent_role(settings, hint, prompts=("agent", "examples", "policy")):
        roles[ROLE] = agent
    if user_strategy(settings) != "scripted":
        spec = other(
            settings.user_model, provider=settings.user_provider, api_base=settings.user_api_base, flags="user_"
        )
        given = tuple(role for role in prompts if role.partition(" ")[0] == "user")
        roles["user"] = Role(spec=spec, prompts=given, hint=_OTHER_USER, converses=True)
    if "judge" in prompts and settings.judge_model is not None:
        spec = other(settings.judge_model, provider=None, api_base=None, flags="judge_")
        roles["judge"] = Role(spec=spec, phase="judge", prompts=("judge",), hint=OTHER_JUDGE)
    return roles


def judge_name(settings: TauSettings) -> str:
    return verdicts.JUDGE + called(settings.judge_asks)


def judges_in_use(settings: TauSettings, prompts: Mapping[str, Prompt]) -> tuple[JudgeInUse, ...]:
    """The environment, with the help of a model where tasks count assertions."""
    prompt = prompts.get("judge")
    name = judge_name(settings)
    return (judge_in_use(name, "environment", (settings.judge_model or "") if prompt else "", prompt),)
