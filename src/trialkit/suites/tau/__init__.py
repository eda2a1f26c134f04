"""tau-bench and tau2: conversations with tools, a database and a simulated user."""

import functools
from pathlib import Path

from trialkit.dialogue import RESPOND, Action
from trialkit.errors import InputError

from .common.domain import Domain, TauEnvironment
from .common.score import RowDifference, Score, Why
from .common.tasks import Malformed, Task
from .v1 import airline, retail
from .v1.domain import TauBenchDomain
from .v1.source import Layout, find

__all__ = [
    "RESPOND",
    "Action",
    "Domain",
    "Malformed",
    "RowDifference",
    "Score",
    "Task",
    "TauEnvironment",
    "Why",
    "load_domain",
]

_DOMAINS = {"tau-bench/retail": (retail, ("order_id",)), "tau-bench/airline": (airline, ("reservation_id",))}


def load_domain(name: str, data_dir: Path | str | None = None) -> Domain:
    """The domain, read once per process and folder and then shared. InputError if it or its content is not there."""
    folder = None if data_dir is None else Path(data_dir)
    if name.startswith("tau2/"):
        # Late: who runs tau-bench does not pay for tau2.
        from . import v2  # noqa: PLC0415

        return v2.load_domain(name, folder)
    if name not in _DOMAINS:
        raise InputError(f"no domain {name!r}; there are {', '.join((*_DOMAINS, 'tau2/retail', 'tau2/airline'))}")
    return _load(name, find(name.removeprefix("tau-bench/"), folder))


@functools.cache
def _load(name: str, layout: Layout) -> TauBenchDomain:
    module, key_arguments = _DOMAINS[name]
    return TauBenchDomain(name, layout, module.TOOLBOX, module.TABLES, key_arguments)
