"""The prompts of a tau run: ours, the user's own, and what the benchmark says."""

import json
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from trialkit.agents import get_agent
from trialkit.errors import InputError
from trialkit.runfile import Prompt
from trialkit.suites.prompts import new_prompt, prompt_in, read_prompt

from .common.domain import Domain
from .content import chosen
from .settings import TauSettings
from .users import UserStrategy

#: What else of our prompts a user strategy needs, beside the user's own.
_STRATEGY_PROMPTS = {"react": ("react",), "verify": ("check",), "reflection": ("check", "rewrite")}
_SHIPPED = files("trialkit.suites.tau") / "prompts"


def read_prompts(domain: Domain, settings: TauSettings, user_prompt: str) -> list[Prompt]:
    """`user_prompt` is the version of the user's, unless the settings name another."""
    prompts = [*_prompts(settings, user_prompt), *read_judge_prompts(domain, settings)]
    return prompts + _policy(domain, settings) + _guidelines(domain, prompts)


def read_judge_prompts(domain: Domain, settings: TauSettings) -> list[Prompt]:
    tasks, _ = chosen(domain, settings)
    if settings.judge_model is None or not any(task.counts_assertions for task in tasks):
        return []
    return [read_prompt("judge", "v1", "assertion_prompts", _SHIPPED)]


def _prompts(settings: TauSettings, user_prompt: str) -> list[Prompt]:
    needs = get_agent(settings.agent_name).needs
    prompts = []
    if "prompt" in needs:
        version = settings.agent_prompt or f"{settings.agent_name}-v1"
        prompts.append(_with_places(read_prompt("agent", version, "agent_prompts", _SHIPPED), "{policy}", "{tools}"))
    elif settings.agent_prompt is not None:
        raise InputError(
            f"--agent-prompt {settings.agent_prompt}: the agent {settings.agent_name} is told the policy and nothing of"
            " ours; leave it out, or say --agent act or react"
        )
    if "examples" in needs:
        prompts.append(_file_prompt("examples", settings.few_shot_displays_path, "--few-shot-displays-path"))
        read_examples(prompts[-1])
    strategy = user_strategy(settings)
    if strategy == "scripted":
        if settings.user_script is not None:
            prompts.append(_file_prompt("user script", settings.user_script, "--user-script"))
        return prompts
    version = settings.user_prompt or user_prompt
    prompts.append(_with_places(read_prompt("user", version, "user_prompts", _SHIPPED), "{instruction}"))
    more = _STRATEGY_PROMPTS.get(strategy, ())
    return [*prompts, *(read_prompt(f"user {name}", f"{name}-v1", "user_prompts", _SHIPPED) for name in more)]


def _policy(domain: Domain, settings: TauSettings) -> list[Prompt]:
    """What the agent was told is in the run file, whose export stands by itself. The oracle is told nothing."""
    if "truth" in get_agent(settings.agent_name).needs or not domain.policy:
        return []
    return [new_prompt("policy", domain.name, domain.policy)]


def _guidelines(domain: Domain, prompts: Sequence[Prompt]) -> list[Prompt]:
    """tau2's own rules for the user: without them its prompt would not be all that the user was told."""
    wanted = any("{guidelines}" in prompt.text for prompt in prompts if prompt.role == "user")
    text = domain.user_guidelines if wanted else ""
    return [new_prompt("user guidelines", domain.name, text)] if text else []


def agent_system(domain: Domain, template: str) -> str:
    """What an agent with a prompt of its own is told: policy, tools and form."""
    tools = json.dumps([schema["function"] for schema in domain.tool_schemas], ensure_ascii=False, indent=1)
    return fill(template, policy=domain.policy, tools=tools)


def fill(template: str, **values: str) -> str:
    """The template with each `{name}` replaced, in one go: what is filled in is not looked at again."""
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), template)


def user_strategy(settings: TauSettings) -> UserStrategy:
    if "truth" not in get_agent(settings.agent_name).needs:
        return settings.user_strategy or "llm"
    if settings.user_strategy not in {None, "scripted"}:
        raise InputError(
            f"--user-strategy {settings.user_strategy}: the {settings.agent_name} replays the ground truth and talks "
            "to a scripted user only; leave the option out"
        )
    return "scripted"


def read_examples(prompt: Prompt) -> list[str]:
    """The field `messages_display` of each line."""
    examples = []
    for number, line in enumerate(prompt.text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            display = json.loads(line)["messages_display"]
        except (ValueError, KeyError, TypeError, RecursionError):
            display = None
        if not isinstance(display, str):
            raise InputError(
                f"--few-shot-displays-path {prompt.version}, line {number}: {line[:60]!r} is not a JSON object with "
                'the text "messages_display"'
            )
        examples.append(display)
    return examples


def _with_places(prompt: Prompt, *places: str) -> Prompt:
    missing = [place for place in places if place not in prompt.text]
    if missing:
        raise InputError(
            f"the {prompt.role} prompt {prompt.version} has no {' and no '.join(missing)}; write it where that belongs"
        )
    return prompt


def _file_prompt(role: str, path: Path | None, flag: str) -> Prompt:
    """A file of the user's, kept in the run file so that the run can be resumed and replayed without it."""
    if path is None:
        raise InputError(f"this agent needs {flag} FILE")
    return prompt_in(path, role, path.name, f"{flag} names it")
