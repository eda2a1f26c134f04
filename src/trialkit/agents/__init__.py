"""Agents: whoever deals with the user and the tools in a conversation.

A package adds one by an entry point in the group `trialkit.agents` that names an `AgentKind`; so do we.
"""

from .arguments import read_arguments
from .registry import agent_names, get_agent
from .types import Agent, AgentKind, Move, Need, Opening, ToolResult, Truth

__all__ = [
    "Agent",
    "AgentKind",
    "Move",
    "Need",
    "Opening",
    "ToolResult",
    "Truth",
    "agent_names",
    "get_agent",
    "read_arguments",
]
