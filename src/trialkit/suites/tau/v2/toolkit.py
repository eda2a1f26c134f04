"""What the tools of every tau2 domain have in common.

Arguments come from a model and may be anything. The tools do with them what the reference's do, so what Python says
about a wrong one (an unhashable key, a string that is not a list) is the observation here too.
"""

from typing import Any

from trialkit.suites.tau.common.calculator import evaluate
from trialkit.suites.tau.common.database import View

from .rows import Rows

#: What a model wrote: anything.
Argument = Any
#: The table with the user's own world, where a domain gives the user one: rows that stand by themselves.
USER = "user"


class Toolkit:
    """The tools of a party: every public method of a subclass, called with a model's arguments as keywords."""

    def __init__(self, view: View, rows: Rows) -> None:
        self._view = view
        self._rows = rows

    def synchronise(self) -> None:
        """After each call, of whichever party: what one's world and the other's have in common is made the same."""


def tool_names(toolkit: type[Toolkit]) -> frozenset[str]:
    return frozenset(name for name in vars(toolkit) if not name.startswith("_") and name not in vars(Toolkit))


def calculated(expression: Argument) -> str:
    if not all(char in "0123456789+-*/(). " for char in expression):
        raise ValueError("Invalid characters in expression")
    if not isinstance(expression, str):
        raise TypeError("eval() arg 1 must be a string, bytes or code object")
    return str(round(float(evaluate(expression)), 2))
