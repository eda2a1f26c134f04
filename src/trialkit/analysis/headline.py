"""The figure that a run is judged by, as every report shows it."""

from dataclasses import asdict

from trialkit.stats import Figure
from trialkit.vocabulary import Measure


def headline_data(figure: Figure, measure: Measure) -> dict[str, object]:
    """`pass_rate` is null where trials are scored."""
    return {
        "measure": asdict(measure),
        "headline": figure.to_data(),
        "pass_rate": figure.to_data() if measure.kind == "pass" else None,
    }
