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
    return _load(found[name])


def _load(point: EntryPoint) -> AgentKind:
    """A package of someone else's may be broken in any way; that is no fault of the program's."""
    where = f"--agent {point.name}: {point.value}, of the package {point.dist.name if point.dist else '?'},"
    try:
        kind: AgentKind = point.load()
    except Exception as error:
        raise InputError(f"{where} cannot be loaded: {type(error).__name__}: {error}") from error
    lacking = [part for part in ("summary", "needs", "open") if not hasattr(kind, part)]
    if lacking:
        raise InputError(f"{where} is not a kind of agent: it has no {', no '.join(lacking)}; see docs/agents.md")
    return kind


def _found() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group="trialkit.agents")}
