"""Agents outside of trialkit: a program that is talked to over its stdin and stdout, or an address, over HTTP."""

from trialkit.agents.registry import PREFIXES

from .agent import OutsideAgent
from .kinds import OutsideKind, open_outside, outside_kind
from .party import Host, Party, Seat
from .pool import Pool
from .protocol import VERSION, Answer, Spent, read_answer
from .survey import survey

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
