"""What an answer is to be seen beside: what was asked, and what would be right; and the alerts that it suggests."""

from collections.abc import Sequence

from trialkit.pages import Name, Number, Passage, Prose, Table
from trialkit.runfile import RecordedTrial
from trialkit.vocabulary import Case

from .alerts import Analysis
from .scenarios import Scenario, StrictTruth


def exhibits(case: Case, trial: RecordedTrial) -> Sequence[Passage | Table]:
    """Of a CSV with outcomes only, nothing is known of what was asked."""
    answer = () if trial.output is None else (_alerts(Analysis.from_data(trial.output)),)
    if "raw" not in case.data:
        return answer
    scenario = Scenario.from_data(case.data)
    return (_positions(scenario), _truth(scenario), *answer)


def _positions(scenario: Scenario) -> Table:
    rows = tuple((str(one), Number(scenario.price_of(one), digits=None)) for one in scenario.positions)
    return Table(title="Positions", columns=("Position", "Price now"), rows=rows)


def _truth(scenario: Scenario) -> Passage:
    truth = scenario.truth
    if isinstance(truth, StrictTruth):
        reach = f"{truth.price_min:g} to {truth.price_max:g}"
        truth = (f"an alert for {truth.commodity_code} {truth.expected_condition} {reach}",)
    return Passage(title="What would be right", text="\n".join(truth))


def _alerts(answer: Analysis) -> Table:
    rows = tuple(
        (Name(one.commodity_code), one.condition, Number(one.threshold_price, digits=None), Prose(one.notes))
        for one in answer.suggestions
    )
    columns = ("Commodity", "Condition", "Price", "Notes")
    return Table(title="Alerts", columns=columns, rows=rows, note=answer.reasoning)
