"""Is it better, or is it noise? Runs against each other, judges against people, sizes against what they can show.

A command needs few of these modules, so each is loaded by itself. What the formats of other packages need is here.
"""

from .summary import summarize

__all__ = ["summarize"]
