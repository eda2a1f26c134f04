"""The figure that a run is judged by, as every report shows it."""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Protocol

from trialkit.stats import Figure
from trialkit.vocabulary import Judged, Measure, Outcome


def headline_data(figure: Figure, measure: Measure, bounds: Figure | None) -> dict[str, object]:
    """`pass_rate` is null where trials are scored, `bounds` where no trial ended in error."""
    return {
        "measure": asdict(measure),
        "headline": figure.to_data(),
        "bounds": bounds.to_data() if bounds else None,
        "pass_rate": figure.to_data() if measure.kind == "pass" else None,
    }


class _Decided(Protocol):
    @property
    def outcome(self) -> Outcome | None: ...

    @property
    def decided(self) -> Judged | None: ...


def worths_of(trials: Iterable[_Decided], value_of: Callable[[Judged], float | None]) -> list[float | None]:
    """Of the trials that ended in error (None) or have a verdict that tells what they are worth."""
    told = ((trial.outcome, value_of(trial.decided) if trial.decided else None) for trial in trials)
    return [value for outcome, value in told if outcome == "error" or value is not None]
