"""Agents: whoever deals with the user and the tools in a conversation.

A package adds one by an entry point in the group `trialkit.agents` that names an `AgentKind`; so do we.
"""

from .kind import PREFIXES, AgentKind, Confines, Need, agent_names, connect_agent, get_agent

__all__ = ["PREFIXES", "AgentKind", "Confines", "Need", "agent_names", "connect_agent", "get_agent"]
