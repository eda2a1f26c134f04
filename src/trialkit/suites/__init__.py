"""Suites: what a benchmark must offer, and how one is found.

A package adds a suite by an entry point in the group `trialkit.suites` that names a `Suite` object; so do we.
"""

from .base import API, Content, Details, Peer, Role, Runner, Section, Suite, Trial
from .found import get_suite, suite_names

__all__ = [
    "API",
    "Content",
    "Details",
    "Peer",
    "Role",
    "Runner",
    "Section",
    "Suite",
    "Trial",
    "get_suite",
    "suite_names",
]
