"""What a suite tells of a run: what it is made of before it starts, and what it adds to its figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from trialkit.runfile import PlannedTrial
from trialkit.vocabulary import Case

if TYPE_CHECKING:  # they take longer to load than a command may that only shows a run
    from trialkit.pages import Chart, Table


@dataclass(frozen=True, kw_only=True, slots=True)
class Content:
    """What a run is made of before it starts, but for the prompts."""

    subject: str  # who is on trial, for people and file names
    cases: Sequence[Case]
    trials: Sequence[PlannedTrial]
    versions: Mapping[str, str] = field(default_factory=dict)  # of the data, so that two runs can be told apart by it
    notices: Sequence[str] = ()  # what the user should know before money is spent


@dataclass(frozen=True, kw_only=True, slots=True)
class Details:
    """What a suite adds to the figures that every run has."""

    metrics: Mapping[str, Any] = field(default_factory=dict)  # JSON: each figure as value, low, high, n
    tables: "tuple[Table | Chart, ...]" = ()
