"""An agent on trial, in any suite: the role that it plays, and meeting it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from trialkit.agents import Confines, Need, connect_agent, get_agent
from trialkit.dialogue import Opening, Record, Rules
from trialkit.errors import InputError
from trialkit.models import Tool, Traffic

from .agent_figures import ROLE
from .base import Trial
from .cast import Peer, Role
from .content import Content
from .roles import subject_spec

if TYPE_CHECKING:
    from trialkit.agents.outside import Answer

    from .agent_settings import AgentSettings

_NEEDED: Mapping[Need, str] = {
    "model": "a model to ask",
    "prompt": "a prompt with the form of its replies",
    "examples": "example conversations",
    "truth": "the ground truth as a list of calls",
    "connection": "a connection",
}


def agent_role(settings: "AgentSettings", hint: str = "", prompts: tuple[str, ...] = ()) -> Role | None:
    """None: nobody is asked. `prompts` are those that a model is given."""
    needs = get_agent(settings.agent_name).needs
    if "connection" in needs:
        return Role(open=partial(_connect, settings), hint=hint)
    if settings.agent_env or settings.agent_limit:
        raise InputError(f"--agent-env, --agent-limit: {settings.agent_name} is no program of its own; leave them out")
    return Role(spec=subject_spec(settings), prompts=prompts, hint=hint, converses=True) if "model" in needs else None


def check_needs(settings: "AgentSettings", *given: Need) -> None:
    """InputError where the agent needs what no such suite has, such as example conversations."""
    lacking = sorted(get_agent(settings.agent_name).needs - {*given})
    if lacking:
        raise InputError(
            f"--agent {settings.agent_name}: it needs {_NEEDED[lacking[0]]}, which this suite has not; "
            "take another agent: `trialkit agents` lists them"
        )


def agent_subject(settings: "AgentSettings") -> str:
    """Who is on trial, until it says so itself."""
    name = settings.agent_name
    if "model" not in get_agent(name).needs:
        return name
    bare = settings.provider is not None and "/" not in settings.model
    return f"{name} {settings.provider}/{settings.model}" if bare else f"{name} {settings.model}"


def agent_opening(
    settings: "AgentSettings",
    trial: Trial,
    record: Record,
    peers: Mapping[str, Peer],
    *,
    policy: str,
    tools: tuple[Tool, ...],
    rules: Rules,
    **more: Any,
) -> Opening:
    """`more` of an `Opening`: what some kinds of agents need."""
    return Opening(
        policy=policy,
        tools=tools,
        ask=partial(trial.ask, ROLE),
        note=record.note,
        rules=rules,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        seed=trial.seed,
        connection=outside_of(settings, peers),
        exchange=partial(trial.exchange, ROLE),
        log=trial.note,
        settings=_told(settings),
        **more,
    )


def outside_of(settings: "AgentSettings", peers: Mapping[str, Peer]) -> Peer | None:
    """The agent outside, where there is one; none in a replay."""
    return peers.get(ROLE) if "connection" in get_agent(settings.agent_name).needs else None


async def greeted(settings: "AgentSettings", peer: Peer, policy: str, tools: tuple[Tool, ...]) -> "Answer":
    """What the agent says of itself."""
    from trialkit.agents.outside import AgentConnection, meet  # noqa: PLC0415 - only whoever has such an agent needs it

    if not isinstance(peer, AgentConnection):
        raise TypeError(f"{peer!r} is no connection to an agent")
    return await meet(settings.agent_name, peer, policy=policy, tools=tools, settings=_told(settings))


async def content_with(
    content: Content, settings: "AgentSettings", peers: Mapping[str, Peer], policy: str, tools: tuple[Tool, ...]
) -> Content:
    """The content of a run, where an agent outside has told of itself: who is on trial, and in which version."""
    peer = outside_of(settings, peers)
    return content if peer is None else introduced(content, await greeted(settings, peer, policy, tools))


def introduced(content: Content, agent: "Answer") -> Content:
    return replace(
        content,
        subject=name_of(agent),
        versions={**content.versions, **versions(agent)},
        notices=[*content.notices, *notices(agent)],
    )


def name_of(agent: "Answer") -> str:
    return " ".join(part for part in (agent.name, agent.version) if part) or "an agent without a name"


def notices(agent: "Answer") -> list[str]:
    return [f"the agent is {name_of(agent)}" + (f", mode {agent.mode}" if agent.mode else "")]


def versions(agent: "Answer") -> dict[str, str]:
    return {"agent": name_of(agent)} | ({"agent mode": agent.mode} if agent.mode else {})


def _connect(settings: "AgentSettings", _traffic: Traffic) -> Peer:
    confines = Confines(environment=settings.agent_env, limits=settings.agent_limit)
    return connect_agent(settings.agent_name, _told(settings), settings.agent_timeout, confines)


def _told(settings: "AgentSettings") -> dict[str, object]:
    """Of the settings, what an agent may need to ask its model; what is sampled with comes with each conversation."""
    return {
        "model": settings.model,
        "provider": settings.provider,
        "api_base": settings.api_base,
        "timeout": settings.timeout,
        "retries": settings.retries,
        **{name: value for name in ("reasoning", "extra") if (value := getattr(settings, name)) is not None},
    }
