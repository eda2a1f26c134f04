"""How an agent is found by its name."""

from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points

from trialkit.errors import InputError

from ._types import AgentKind

#: Agents outside of trialkit are named by where they are.
PREFIXES = ("stdio:", "http://", "https://")


def agent_names() -> list[str]:
    return sorted(_found())


def get_agent(name: str) -> AgentKind:
    if name.startswith(PREFIXES):
        from .outside import outside_kind  # noqa: PLC0415 - only whoever has one needs it

        return outside_kind(name)
    found = _found()
    if name not in found:
        near = get_close_matches(name, found, n=1)
        hint = f"; did you mean {near[0]}?" if near else ";"
        known = ", ".join([*agent_names(), "stdio:COMMAND", "http://…"])
        raise InputError(f"--agent: there is no agent {name!r}{hint} Known: {known}")
    kind: AgentKind = found[name].load()
    return kind


def _found() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group="trialkit.agents")}
