"""How many alerts answers have: with enough of them, some meets any check."""

from collections import defaultdict

from trialkit.pages import Count, Number, Table
from trialkit.runfile import RunFile
from trialkit.stats import mean_by_case
from trialkit.suites import Details
from trialkit.text.short import shortened
from trialkit.text.shown import counted

from .alerts import MALFORMED
from .scenarios import read_positions

#: Of an answer, for each position: a stop-loss and a take-profit, each in three steps. What is more, nobody would set.
MOST_PLAUSIBLE = 6
#: Of what is wrong with a suggestion.
_SHOWN = 200


def details(run: RunFile) -> Details:
    held = {case.id: len(read_positions(case.data["raw"]["Positions JSON"])) for case in run.once(RunFile.cases)}
    alerts: defaultdict[str, list[int]] = defaultdict(list)
    for trial in run.once(RunFile.trials):
        if trial.output is not None:
            alerts[trial.case_id].append(len(trial.output["suggestions"]))
    if not alerts:
        return Details()
    each = mean_by_case(list(alerts.values()))
    per_position = mean_by_case([[count / held[case] for count in counts] for case, counts in alerts.items()])
    too_many = sum(count > MOST_PLAUSIBLE * held[case] for case, counts in alerts.items() for count in counts)
    broken = run.events(MALFORMED)
    suggested = len(broken) + sum(map(sum, alerts.values()))
    metrics = {"alerts_per_answer": each.to_data(), "alerts_per_position": per_position.to_data()}
    rows = (
        ("alerts an answer", Number(each, digits=1)),
        ("alerts a position", Number(per_position, digits=1)),
        ("most in an answer", Count(max(max(counts) for counts in alerts.values()))),
        *([("malformed", Count(len(broken)))] if broken else []),
    )
    notes = [_implausible(too_many, each.n)] if too_many else []
    if 2 * len(broken) >= max(suggested, 1):
        wrong = "; ".join(broken[0].data["problems"])
        notes.append(
            f"MALFORMED: {len(broken):,} of {counted(suggested, 'suggestion')} could not be read and count as not made."
            f" The first: {shortened(wrong, _SHOWN)}."
        )
    table = Table(title="Alerts", columns=("Figure", "Value"), rows=rows, note=" ".join(notes))
    more = {"implausible_answers": too_many, "malformed_suggestions": len(broken)}
    return Details(metrics={**metrics, **more}, tables=(table,))


def _implausible(too_many: int, answers: int) -> str:
    return (
        f"IMPLAUSIBLE: {counted(too_many, 'answer')} of {answers} with more than {MOST_PLAUSIBLE} alerts for each "
        "position; with so many, some alert meets any check, and a pass tells little."
    )
