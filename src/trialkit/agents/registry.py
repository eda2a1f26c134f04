"""How an agent is found by its name."""

from trialkit.plugins import load_plugin, plugin_names

from .types import AgentKind

#: Agents outside of trialkit are named by where they are.
PREFIXES = ("stdio:", "http://", "https://")
_GROUP = "trialkit.agents"


def agent_names() -> list[str]:
    return plugin_names(_GROUP)


def get_agent(name: str) -> AgentKind:
    if name.startswith(PREFIXES):
        from .outside import outside_kind  # noqa: PLC0415 - only whoever has one needs it

        return outside_kind(name)
    parts = ("summary", "needs", "open")
    kind: AgentKind = load_plugin(_GROUP, name, "agent", parts, more=("stdio:COMMAND", "http://…"))
    return kind
