"""Agents that speak A2A 1.0, the Agent2Agent protocol."""

from .kind import a2a_kind

__all__ = ["a2a_kind"]
