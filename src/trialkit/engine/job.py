"""A trial to run, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trialkit.runfile import Origin
from trialkit.vocabulary import Case


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """One that has an output already only has to be judged."""

    trial_id: int
    case: Case
    number: int
    output: Mapping[str, Any] | None = None
    origin: Origin | None = None  # it goes on from there
