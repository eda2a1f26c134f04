"""What a kind of agent is: what it needs, how one is opened for a trial, and how it is found by its name."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from trialkit.dialogue import Agent, Opening
from trialkit.errors import InputError
from trialkit.plugins import load_plugin, plugin_names

if TYPE_CHECKING:
    from .outside import AgentConnection

#: Agents outside of trialkit are named by where they are.
PREFIXES = ("stdio:", "http://", "https://", "python:", "mcp:", "a2a:")
_GROUP = "trialkit.agents"
#: What a kind of agent must be given: a model to ask, a prompt with the form of its replies, example conversations, the
#: ground truth itself, which is shown to no other, or a connection to a program outside of trialkit.
Need = Literal["model", "prompt", "examples", "truth", "connection"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Confines:
    """What the process of an agent outside of trialkit is given, and may take."""

    environment: tuple[str, ...] = ()  # variables, by NAME or as NAME=VALUE
    limits: tuple[str, ...] = ()  # such as memory=2G


class AgentKind(Protocol):
    """What an entry point in the group `trialkit.agents` names."""

    summary: str
    needs: frozenset[Need]

    async def open(self, opening: Opening) -> Agent: ...


def agent_names() -> list[str]:
    return plugin_names(_GROUP)


@functools.cache
def get_agent(name: str) -> AgentKind:
    if name.startswith("python:"):
        from .served import python_kind  # noqa: PLC0415 - only whoever has one needs it

        return python_kind(name)
    if name.startswith("mcp:"):
        from .mcp import mcp_kind  # noqa: PLC0415 - likewise

        return mcp_kind(name)
    if name.startswith("a2a:"):
        from .a2a import a2a_kind  # noqa: PLC0415 - likewise

        return a2a_kind(name)
    if name.startswith(PREFIXES):
        from .outside import outside_kind  # noqa: PLC0415 - likewise

        return outside_kind(name)
    parts = ("summary", "needs", "open")
    more = ("stdio:COMMAND", "http://…", "python:FILE:NAME", "mcp:COMMAND", "a2a:URL")
    kind: AgentKind = load_plugin(_GROUP, name, "agent", parts, more=more)
    return kind


def connect_agent(name: str, settings: Mapping[str, object], timeout_s: float, confines: Confines) -> "AgentConnection":
    """To an agent outside of trialkit, one that needs a connection. InputError where it cannot be had."""
    from .outside import OutsideKind  # noqa: PLC0415 - likewise

    kind = get_agent(name)
    if not isinstance(kind, OutsideKind):
        raise InputError(
            f"--agent {name}: it needs a connection, but has no connect(settings, timeout_s, confines) to make one"
        )
    return kind.connect(settings, timeout_s, confines)
