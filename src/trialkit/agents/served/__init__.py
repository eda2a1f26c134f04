"""Agents that are Python: classes, functions, and those that call their tools themselves."""

from .kind import Conversations, python_kind
from .program import serve
from .trial import AgentTool, AgentTrial

__all__ = ["AgentTool", "AgentTrial", "Conversations", "python_kind", "serve"]
