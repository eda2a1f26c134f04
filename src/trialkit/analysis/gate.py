"""Whether a run is good enough for `--min-pass` or `--min-score`."""

from dataclasses import dataclass

from trialkit.pages import measured
from trialkit.settings import RunSettings
from trialkit.stats import Figure
from trialkit.vocabulary import Measure


@dataclass(frozen=True, kw_only=True, slots=True)
class Gate:
    met: bool
    message: str


def gate_of(figure: Figure, measure: Measure, settings: RunSettings) -> Gate | None:
    """None: none was asked for. `figure` is the mean of the headline measure."""
    wanted = settings.gate(measure)
    if wanted is None:
        return None
    worst, end = (figure.low, "low") if measure.higher_is_better else (figure.high, "high")
    asked, mean = f"--min-{measure.kind} {wanted:g}", measure.mean_name
    if figure.value is None:
        return Gate(met=False, message=f"gate not met: there are no verdicts, so no {mean} to hold against {asked}")
    low = settings.min_pass_on == "low"  # noqa: S105 - no password
    looked_at = worst if low else figure.value
    if looked_at is None:
        return Gate(
            met=False, message=f"gate not met: so few cases give no interval of the {mean} to hold against {asked}"
        )
    met = not measure.is_gain(wanted - looked_at)
    what = f"the {end} end of the {mean}'s interval" if low else f"the {mean} (point estimate)"
    shown = f"{looked_at:.3f}" if measure.kind == "pass" else str(measured(looked_at, measure))
    most = "" if measure.higher_is_better else " or less"
    told = f"{what} is {shown}, --min-{measure.kind} asks for {wanted:g}{most}"
    return Gate(met=met, message=f"gate {'met' if met else 'not met'}: {told}")
