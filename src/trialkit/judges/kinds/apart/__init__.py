"""Work on strangers' text that may never end, such as a search for a pattern: in a process that can be ended."""

from .helper import SECONDS, apart

__all__ = ["SECONDS", "apart"]
