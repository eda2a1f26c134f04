"""The words of DESIGN that every part of the house shares: case, finding, verdict."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Outcome = Literal["pass", "fail", "error"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """One scenario or task, with its ground truth, as JSON data that the suite understands."""

    id: str
    title: str
    group: str  # what the report breaks the figures down by
    data: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One check of a judge. `met` is None where the judge could not decide it."""

    check: str
    met: bool | None
    evidence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What a judge decided. `error` means that no verdict could be had; it is never a fail."""

    judge: str
    outcome: Outcome
    critique: str
    findings: tuple[Finding, ...] = ()
    score: float | None = None  # where the suite pays more finely than pass and fail: a reward
    details: Mapping[str, Any] = field(default_factory=dict)  # JSON data: whatever else a report may want to count
