"""tau2's retail and airline: its content, found or fetched; our own tools over it; its evaluation."""

import functools
from pathlib import Path

from trialkit.errors import InputError

from .airline.rows import ROWS as AIRLINE_ROWS
from .airline.tools import AirlineTools
from .domain import Programs, Tau2Domain
from .retail.rows import ROWS as RETAIL_ROWS
from .retail.tools import RetailTools
from .source import Files, find_files, locate_tau2

__all__ = ["Tau2Domain", "load_domain", "locate_tau2"]

_DOMAINS = {
    "tau2/retail": (Programs(rows=RETAIL_ROWS, toolkit=RetailTools), ("order_id",)),
    "tau2/airline": (Programs(rows=AIRLINE_ROWS, toolkit=AirlineTools), ("reservation_id",)),
}


def load_domain(name: str, data_dir: Path | None = None) -> Tau2Domain:
    """The domain, read once per process and source and then shared. InputError if it or its content is not there."""
    if name not in _DOMAINS:
        raise InputError(f"no domain {name!r} in tau2; there are {', '.join(_DOMAINS)}")
    return _load(name, find_files(name.removeprefix("tau2/"), data_dir))


@functools.cache
def _load(name: str, files: Files) -> Tau2Domain:
    programs, key_arguments = _DOMAINS[name]
    return Tau2Domain(name, files, programs, key_arguments)
