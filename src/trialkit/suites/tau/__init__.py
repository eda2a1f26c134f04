"""tau-bench and tau2: conversations with tools, a database and a simulated user."""

from trialkit.dialogue import RESPOND, Action

from .common.domain import Domain, TauEnvironment
from .common.score import RowDifference, Score, Why
from .common.tasks import Task
from .suite import TauSuite, load_domain, tau_suites

__all__ = [
    "RESPOND",
    "Action",
    "Domain",
    "RowDifference",
    "Score",
    "Task",
    "TauEnvironment",
    "TauSuite",
    "Why",
    "load_domain",
    "tau_suites",
]
