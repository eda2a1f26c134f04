"""The tools of a trial over the Model Context Protocol, for agents that speak it. Needs the extra `mcp`."""

from .kind import mcp_kind
from .offer import Offered, check_installed, offered

__all__ = ["Offered", "check_installed", "mcp_kind", "offered"]
