"""An agent on trial, in any suite: its settings, the role that it plays, meeting it, and what reports say of it."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from trialkit.agents import Confines, Need, connect_agent, get_agent
from trialkit.dialogue import Opening, Record, Rules
from trialkit.errors import InputError
from trialkit.models import Tool, Traffic
from trialkit.pages import Count, Money, Table
from trialkit.runfile import RunFile
from trialkit.settings import RARE, PerSession, RunSettings
from trialkit.stats import Figure, exact, known_sum

from .base import Content, Details, Peer, Role, Trial
from .roles import subject_spec

if TYPE_CHECKING:
    from trialkit.agents.outside import Answer

#: The role that it plays, whoever it is.
ROLE = "agent"
#: In a transcript: what an answer of the agent's took, by its own roles.
USAGE = "agent usage"
#: Likewise, that an agent outside of trialkit began the conversation: an exchange that is no turn.
BEGUN = "agent"
_NEEDED: Mapping[Need, str] = {
    "model": "a model to ask",
    "prompt": "a prompt with the form of its replies",
    "examples": "example conversations",
    "truth": "the ground truth as a list of calls",
    "connection": "a connection",
}
_CELLS = {"input_tokens": Count, "output_tokens": Count, "cost_usd": Money}


class AgentSettings(RunSettings):
    """Of a suite that puts agents on trial."""

    agent: str | None = Field(
        None,
        description="Who acts: a name that `trialkit agents` lists, stdio:COMMAND, http://…, python:FILE:NAME, "
        "mcp:COMMAND, a2a:URL [default: tool-calling].",
    )
    agent_timeout: Annotated[float, PerSession(), RARE] = Field(
        600.0, gt=0, description="Seconds to wait for each answer of an agent outside of trialkit."
    )
    agent_env: Annotated[tuple[str, ...], PerSession(), RARE] = Field(
        (), description="Variables that the agent's process is given beside the usual ones: NAME, or NAME=VALUE."
    )
    agent_limit: Annotated[tuple[str, ...], PerSession(), RARE] = Field(
        (), description="What its process may take in a conversation: memory=2G, cpu=60, files=256, wall=300."
    )

    @property
    def agent_name(self) -> str:
        return self.agent or "tool-calling"


def agent_role(settings: AgentSettings, hint: str = "", prompts: tuple[str, ...] = ()) -> Role | None:
    """None: nobody is asked. `prompts` are those that a model is given."""
    needs = get_agent(settings.agent_name).needs
    if "connection" in needs:
        return Role(open=partial(_connect, settings), hint=hint)
    if settings.agent_env or settings.agent_limit:
        raise InputError(f"--agent-env, --agent-limit: {settings.agent_name} is no program of its own; leave them out")
    return Role(spec=subject_spec(settings), prompts=prompts, hint=hint, converses=True) if "model" in needs else None


def check_needs(settings: AgentSettings, *given: Need) -> None:
    """InputError where the agent needs what no such suite has, such as example conversations."""
    lacking = sorted(get_agent(settings.agent_name).needs - {*given})
    if lacking:
        raise InputError(
            f"--agent {settings.agent_name}: it needs {_NEEDED[lacking[0]]}, which this suite has not; "
            "take another agent: `trialkit agents` lists them"
        )


def agent_subject(settings: AgentSettings) -> str:
    """Who is on trial, until it says so itself."""
    name = settings.agent_name
    if "model" not in get_agent(name).needs:
        return name
    bare = settings.provider is not None and "/" not in settings.model
    return f"{name} {settings.provider}/{settings.model}" if bare else f"{name} {settings.model}"


def agent_opening(
    settings: AgentSettings,
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


def outside_of(settings: AgentSettings, peers: Mapping[str, Peer]) -> Peer | None:
    """The agent outside, where there is one; none in a replay."""
    return peers.get(ROLE) if "connection" in get_agent(settings.agent_name).needs else None


async def greeted(settings: AgentSettings, peer: Peer, policy: str, tools: tuple[Tool, ...]) -> "Answer":
    """What the agent says of itself."""
    from trialkit.agents.outside import AgentConnection, meet  # noqa: PLC0415 - only whoever has such an agent needs it

    if not isinstance(peer, AgentConnection):
        raise TypeError(f"{peer!r} is no connection to an agent")
    return await meet(settings.agent_name, peer, policy=policy, tools=tools, settings=_told(settings))


async def content_with(
    content: Content, settings: AgentSettings, peers: Mapping[str, Peer], policy: str, tools: tuple[Tool, ...]
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


def _parts(run: RunFile) -> Mapping[str, Mapping[str, Figure]]:
    """What each of the agent's own roles took, as the agent tells it. A cost is unknown as soon as one of them is."""
    told: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for event in run.events(USAGE):
        for part in event.data["parts"]:
            if part["role"]:
                told[part["role"]].append(part)
    return {
        role: {name: exact(known_sum(part[name.removesuffix("_usd")] for part in parts), len(parts)) for name in _CELLS}
        for role, parts in told.items()
    }


def told_calls(run: RunFile) -> Mapping[str, Mapping[int, int | None]]:
    """By trial, the calls of models that an agent outside of trialkit tells of."""
    if "agent" not in run.info().versions:
        return {}
    told = run.events_by_trial(USAGE)
    return {
        ROLE: {
            trial: known_sum(
                [part.get("calls") for event in told.get(trial, ()) for part in event.data["parts"]] or [None]
            )
            for trial in run.events_by_trial(BEGUN)
        }
    }


def details(run: RunFile) -> Details:
    """For the reports: who the agent was, and in which mode."""
    versions = run.info().versions
    facts = {label: versions[name] for name, label in (("agent", "agent"), ("agent mode", "mode")) if name in versions}
    if not facts:
        return Details()
    parts = _parts(run)
    roles = Table(
        title="The agent's own roles",
        columns=("Role", "Tokens in", "Tokens out", "Cost"),
        rows=tuple((role, *(cell(part[name].value) for name, cell in _CELLS.items())) for role, part in parts.items()),
    )
    figures = {role: {name: figure.to_data() for name, figure in part.items()} for role, part in parts.items()}
    data = {"roles": figures} if figures else {}
    agent = Table(title="Agent", columns=("What", "Value"), rows=tuple(facts.items()))
    return Details(metrics={"agent": {**facts, **data}}, tables=(agent, roles) if parts else (agent,))


def _connect(settings: AgentSettings, _traffic: Traffic) -> Peer:
    confines = Confines(environment=settings.agent_env, limits=settings.agent_limit)
    return connect_agent(settings.agent_name, _told(settings), settings.agent_timeout, confines)


def _told(settings: AgentSettings) -> dict[str, object]:
    """Of the settings, what an agent may need to ask its model; what is sampled with comes with each conversation."""
    return {
        "model": settings.model,
        "provider": settings.provider,
        "api_base": settings.api_base,
        "timeout": settings.timeout,
        "retries": settings.retries,
        **{name: value for name in ("reasoning", "extra") if (value := getattr(settings, name)) is not None},
    }
