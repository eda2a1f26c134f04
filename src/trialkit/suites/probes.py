"""Answers that need no model: what a sound benchmark fails, or passes, whatever its cases are about."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

#: Tag of a case that passes though nothing is done: it tells nothing of whoever passes it.
FREE = "passes for nothing"


@dataclass(frozen=True, kw_only=True, slots=True)
class Probe:
    """An answer to a case, and the verdict that it should have."""

    name: str  # what is done, the same for all cases: `nothing is done`
    output: Mapping[str, Any]  # as `attempt` would have given it
    right: Literal["pass", "fail", "any"]  # any: it is only counted, as of an answer that is the same for all cases
    what: str = ""  # in this case, such as the call that is left out
