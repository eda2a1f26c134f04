"""What reports say of an agent on trial, in any suite."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from trialkit.pages import Count, Money, Table
from trialkit.runfile import RunFile
from trialkit.stats import Figure, exact, known_sum

from .content import Details

#: The role that it plays, whoever it is.
ROLE = "agent"
#: In a transcript: what an answer of the agent's took, by its own roles.
USAGE = "agent usage"
#: Likewise, that an agent outside of trialkit began the conversation: an exchange that is no turn.
BEGUN = "agent"
_CELLS = {"input_tokens": Count, "output_tokens": Count, "cost_usd": Money}


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
