"""Agents outside of trialkit: a program that is talked to over its stdin and stdout, or an address, over HTTP."""

from trialkit.agents._registry import PREFIXES

from ._agent import OutsideAgent
from ._kinds import OutsideKind, open_outside, outside_kind
from ._party import Host, Party, Seat
from ._pool import Pool
from ._protocol import VERSION, Answer, Spent, read_answer
from ._survey import survey

__all__ = [
    "PREFIXES",
    "VERSION",
    "Answer",
    "Host",
    "OutsideAgent",
    "OutsideKind",
    "Party",
    "Pool",
    "Seat",
    "Spent",
    "open_outside",
    "outside_kind",
    "read_answer",
    "survey",
]
