"""tau2's retail and airline: its content, found or fetched; our own tools over it; its evaluation."""

import functools
from pathlib import Path

from trialkit.errors import InputError
from trialkit.suites.tau.v2.airline.rows import ROWS as AIRLINE_ROWS
from trialkit.suites.tau.v2.airline.tools import AirlineTools
from trialkit.suites.tau.v2.domain import Tau2Domain
from trialkit.suites.tau.v2.retail.rows import ROWS as RETAIL_ROWS
from trialkit.suites.tau.v2.retail.tools import RetailTools
from trialkit.suites.tau.v2.scoring import Tau2Score, Tau2Why
from trialkit.suites.tau.v2.session import Observation, Tau2Session
from trialkit.suites.tau.v2.source import Source, find_source, locate_tau2
from trialkit.suites.tau.v2.tasks import Tau2Task

__all__ = [
    "Observation",
    "Tau2Domain",
    "Tau2Score",
    "Tau2Session",
    "Tau2Task",
    "Tau2Why",
    "load_domain",
    "locate_tau2",
]

_DOMAINS = {"tau2/retail": (RETAIL_ROWS, RetailTools), "tau2/airline": (AIRLINE_ROWS, AirlineTools)}


def load_domain(name: str, data_dir: Path | None = None) -> Tau2Domain:
    """The domain, read once per process and source and then shared. InputError if it or its content is not there."""
    if name not in _DOMAINS:
        raise InputError(f"no domain {name!r} in tau2; there are {', '.join(_DOMAINS)}")
    return _load(name, find_source(name.removeprefix("tau2/"), data_dir))


@functools.cache
def _load(name: str, source: Source) -> Tau2Domain:
    rows, toolkit = _DOMAINS[name]
    return Tau2Domain(name, source, rows, toolkit)
