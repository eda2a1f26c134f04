"""tau-bench and tau2: conversations with tools, a database and a simulated user."""

import functools
from pathlib import Path
from typing import Any

from trialkit.dialogue import RESPOND, Action
from trialkit.errors import InputError
from trialkit.suites.tau.common.types import (
    Domain,
    Malformed,
    RowDifference,
    Score,
    Session,
    Task,
    Why,
)
from trialkit.suites.tau.v1 import airline, retail
from trialkit.suites.tau.v1.domain import TauDomain, TauSession
from trialkit.suites.tau.v1.source import Layout, find

__all__ = [
    "RESPOND",
    "Action",
    "Domain",
    "Malformed",
    "RowDifference",
    "Score",
    "Session",
    "Task",
    "TauDomain",
    "TauSession",
    "Why",
    "load_domain",
]

_DOMAINS = {"tau-bench/retail": retail, "tau-bench/airline": airline}


def load_domain(name: str, data_dir: Path | str | None = None) -> Domain[Any, Any]:
    """The domain, read once per process and folder and then shared. InputError if it or its content is not there."""
    folder = None if data_dir is None else Path(data_dir)
    if name.startswith("tau2/"):
        # Late: who runs tau-bench does not pay for tau2.
        from trialkit.suites.tau import v2  # noqa: PLC0415

        return v2.load_domain(name, folder)
    if name not in _DOMAINS:
        raise InputError(f"no domain {name!r}; there are {', '.join((*_DOMAINS, 'tau2/retail', 'tau2/airline'))}")
    return _load(name, find(name.removeprefix("tau-bench/"), folder))


@functools.cache
def _load(name: str, layout: Layout) -> TauDomain:
    return TauDomain(name, layout, _DOMAINS[name].TOOLBOX, _DOMAINS[name].TABLES)
