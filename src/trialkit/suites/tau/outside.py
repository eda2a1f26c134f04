"""What a tau run needs for an agent outside of trialkit: meeting it, and skipping what it has no tools for."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trialkit.agents import Confines, connect_agent
from trialkit.dialogue import RESPOND
from trialkit.errors import InputError
from trialkit.models import Tool, Traffic
from trialkit.pages import Count, Money, Table
from trialkit.runfile import RunFile
from trialkit.stats import Figure, exact, known_sum
from trialkit.suites import Details, Peer
from trialkit.vocabulary import Case

from .settings import TauSettings

if TYPE_CHECKING:
    from trialkit.agents.outside import Answer

#: In a transcript: what an answer of the agent's took, by its own roles.
USAGE = "agent usage"
_SHOWN = 8
_CELLS = {"input_tokens": Count, "output_tokens": Count, "cost_usd": Money}


def connect(settings: TauSettings, _traffic: Traffic) -> Peer:
    confines = Confines(environment=settings.agent_env, limits=settings.agent_limit)
    return connect_agent(settings.agent_name, agent_settings(settings), settings.agent_timeout, confines)


def agent_settings(settings: TauSettings) -> dict[str, object]:
    """Of the settings, what an agent may need to ask its model; what is sampled with comes with each conversation."""
    return {
        "model": settings.model,
        "provider": settings.provider,
        "api_base": settings.api_base,
        "timeout": settings.timeout,
        "retries": settings.retries,
    }


async def greeted(settings: TauSettings, peer: Peer, policy: str, tools: tuple[Tool, ...]) -> "Answer":
    """What the agent says of itself."""
    from trialkit.agents.outside import AgentConnection, meet  # noqa: PLC0415 - only whoever has such an agent needs it

    if not isinstance(peer, AgentConnection):
        raise TypeError(f"{peer!r} is no connection to an agent")
    return await meet(settings.agent_name, peer, policy=policy, tools=tools, settings=agent_settings(settings))


def skipped(settings: TauSettings, agent: "Answer", cases: Sequence[Case]) -> Mapping[str, str]:
    """The tasks whose ground truth needs a tool that the agent says it lacks, each with the reason."""
    if agent.tools is None or not settings.skip:
        return {}
    has = {*agent.tools, RESPOND}
    lacking = {case.id: {action["name"] for action in case.data["actions"]} - has for case in cases}
    found = {
        task_id: f"the agent has no tool {', '.join(sorted(missing))}"
        for task_id, missing in lacking.items()
        if missing
    }
    if len(found) == len(cases):
        raise InputError(
            f"--agent {settings.agent_name}: it lacks tools that every chosen task needs, such as "
            f"{next(iter(found.values())).removeprefix('the agent has no tool ')}; --no-skip runs them all the same"
        )
    return found


def name_of(agent: "Answer") -> str:
    return " ".join(part for part in (agent.name, agent.version) if part) or "an agent without a name"


def notices(agent: "Answer", without: Mapping[str, str]) -> list[str]:
    lines = [f"the agent is {name_of(agent)}" + (f", mode {agent.mode}" if agent.mode else "")]
    if without:
        shown = [f"task {task_id}: {why}" for task_id, why in without.items()][:_SHOWN]
        more = [f"and {len(without) - _SHOWN} more"] if len(without) > _SHOWN else []
        lines.append(f"{len(without)} tasks are skipped ({'; '.join([*shown, *more])}); --no-skip runs them")
    return lines


def versions(agent: "Answer") -> dict[str, str]:
    return {"agent": name_of(agent)} | ({"agent mode": agent.mode} if agent.mode else {})


def _parts(run: RunFile) -> Mapping[str, Mapping[str, Figure]]:
    """What each of the agent's own roles took, as the agent tells it. A cost is unknown as soon as one of them is."""
    told: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for event in run.events(USAGE):
        for part in event.data["parts"]:
            told[part["role"]].append(part)
    return {
        role: {name: exact(known_sum(part[name.removesuffix("_usd")] for part in parts), len(parts)) for name in _CELLS}
        for role, parts in told.items()
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
