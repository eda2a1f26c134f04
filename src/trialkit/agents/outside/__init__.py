"""Agents outside of trialkit: a program that is talked to over its stdin and stdout, or an address, over HTTP."""

from .check import check
from .connection import AgentConnection
from .environment import AgentEnvironment
from .kinds import OutsideKind, outside_kind
from .limits import Limits, read_limits
from .meeting import meet
from .pool import Pool
from .process import AgentProcess, refuse_windows
from .protocol import VERSION, Answer, Spent, read_answer
from .secret import refuse_secrets, refuse_secrets_in_address

__all__ = [
    "VERSION",
    "AgentConnection",
    "AgentEnvironment",
    "AgentProcess",
    "Answer",
    "Limits",
    "OutsideKind",
    "Pool",
    "Spent",
    "check",
    "meet",
    "outside_kind",
    "read_answer",
    "read_limits",
    "refuse_secrets",
    "refuse_secrets_in_address",
    "refuse_windows",
]
